// Everything in this target that reaches for the bytes behind a string, so that the rest need not.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension String {
    /// Whether two strings hold the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        #if _pointerBitWidth(_64) && _endian(little)
            let (mine, theirs) = (StringWords(self), StringWords(other))
            if mine == theirs { return true }
            if mine.isShort, theirs.isShort { return false }
        #endif
        return utf8.count == other.utf8.count && compareBytes(with: other) == 0
    }

    /// Whether the UTF-8 bytes of this string sort before those of another.
    package func utf8Precedes(_ other: String) -> Bool {
        #if _pointerBitWidth(_64) && _endian(little)
            let (mine, theirs) = (StringWords(self), StringWords(other))
            if mine.isShort, theirs.isShort { return mine.shortPrecedes(theirs) }
        #endif
        return compareBytes(with: other) < 0
    }

    /// Feeds the UTF-8 bytes into a hasher.
    package func hashBytes(into hasher: inout Hasher) {
        let fast: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        if fast == nil { for byte in utf8 { hasher.combine(byte) } }
        // No byte of UTF-8, so that no two sequences of texts run together.
        hasher.combine(0xff as UInt8)
    }

    /// Less than, equal to or greater than zero as the bytes sort before, with or after those of another.
    package func compareBytes(with other: String) -> Int {
        let fast = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { theirs in unsafe Self.compare(mine, theirs) }
        }
        // A string bridged from Objective-C may not lie in memory as UTF-8.
        return (fast ?? nil) ?? (utf8.lexicographicallyPrecedes(other.utf8) ? -1 : other.utf8.lexicographicallyPrecedes(utf8) ? 1 : 0)
    }

    private static func compare(_ mine: UnsafeBufferPointer<UInt8>, _ theirs: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = Swift.min(mine.count, theirs.count)
        if shared > 0, let left = mine.baseAddress, let right = theirs.baseAddress {
            let order = unsafe memcmp(left, right, shared)
            if order != 0 { return Int(order) }
        }
        return mine.count - theirs.count
    }
}

#if _pointerBitWidth(_64) && _endian(little)
    /// The two words that a string consists of.
    ///
    /// Equal words are the same text. Up to 15 bytes of UTF-8 lie in the words themselves, padded with zeros, and the last byte holds their count
    /// (the ABI of Swift 5 on 64-bit systems; `ShortTextTests` pins it), so that most identifiers are compared without a look at memory.
    private struct StringWords: Equatable {
        private let low: UInt64
        private let high: UInt64

        @inline(__always) init(_ text: String) {
            unsafe (low, high) = unsafeBitCast(text, to: (UInt64, UInt64).self)
        }

        /// Whether the words hold the text itself.
        @inline(__always) var isShort: Bool { high & 0x2000_0000_0000_0000 != 0 }

        /// The order of two short texts by their bytes; of two that differ by zeros at the end alone, the one with fewer.
        @inline(__always) func shortPrecedes(_ other: StringWords) -> Bool {
            if low != other.low { return low.byteSwapped < other.low.byteSwapped }
            // The byte that holds the count comes last, its upper half masked out: there stands whether the text is ASCII.
            return high.byteSwapped & ~0xf0 < other.high.byteSwapped & ~0xf0
        }
    }
#endif

extension Span<UInt8> {
    /// Eight bytes from an index on, the first one lowest.
    @inline(__always) package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index + 8 <= count, "eight bytes are there")
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Whether a text holds the bytes of a range.
    package func equals(_ text: String, in range: Range<Int>) -> Bool {
        guard text.utf8.count == range.count else { return false }
        let mine = extracting(range)
        let fast = unsafe text.utf8.withContiguousStorageIfAvailable { theirs in
            unsafe mine.withUnsafeBufferPointer { mine in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return mine.isEmpty }
                return unsafe memcmp(left, right, mine.count) == 0
            }
        }
        return fast ?? (mine.validText?.hasSameBytes(as: text) ?? false)
    }

    /// Appends the bytes of a range to an array.
    package func append(_ range: Range<Int>, to array: inout [UInt8]) {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
    }

    /// The bytes as a string, nil where they are not valid UTF-8.
    package var validText: String? {
        unsafe withUnsafeBufferPointer { bytes in
            // Decoding repairs what is invalid, so it is for text known to be valid; the check that it is goes eight bytes at a time.
            unsafe bytes.isASCII ? unsafe String(decoding: bytes, as: UTF8.self) : unsafe String(validating: bytes, as: UTF8.self)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var isASCII: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        var index = 0
        while index + 8 <= bytes.count {
            if unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
            index += 8
        }
        while index < bytes.count {
            if unsafe bytes[index] >= 0x80 { return false }
            index += 1
        }
        return true
    }
}
