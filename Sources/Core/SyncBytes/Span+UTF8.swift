import SyncSystem

extension Span<UInt8> {
    /// Whether a line, its end left out, has nothing but white space.
    @inlinable package var isBlank: Bool {
        for index in indices where !(self[index] == 0x20 || self[index] == 0x09 || self[index] == 0x0d) { return false }
        return true
    }

    /// Eight bytes from an index on, the first one lowest.
    @inlinable @inline(__always) package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count &- 8, "eight bytes are there")
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Fewer than eight bytes from an index on, the first one lowest, padded with zeros.
    package func word(at index: Int, count length: Int) -> UInt64 {
        precondition(length >= 0 && length < 8 && index >= 0 && index + length <= count, "the bytes are there")
        if index + 8 <= count { return word(at: index) & ((1 << UInt64(8 * length)) - 1) }
        // Two halves that may overlap.
        if length >= 4 { return UInt64(half(at: index)) | UInt64(half(at: index + length - 4)) << UInt64(8 * (length - 4)) }
        var word: UInt64 = 0
        for offset in 0..<length { word |= UInt64(self[index + offset]) << UInt64(8 * offset) }
        return word
    }

    private func half(at index: Int) -> UInt32 {
        precondition(index >= 0 && index <= count &- 4, "four bytes are there")
        return unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt32.self))
    }

    /// As many as eight bytes from an index on, the first one lowest, padded with zeros.
    @inline(__always) func word(at index: Int, atMost length: Int) -> UInt64 {
        length >= 8 ? word(at: index) : word(at: index, count: length)
    }

    /// Whether a range holds the same bytes as one of another span.
    package func holdsSame(in range: Range<Int>, as other: Span<UInt8>, in otherRange: Range<Int>) -> Bool {
        guard range.count == otherRange.count else { return false }
        let (mine, theirs) = (extracting(range), other.extracting(otherRange))
        return unsafe mine.withUnsafeBufferPointer { mine in
            unsafe theirs.withUnsafeBufferPointer { theirs in
                guard let left = mine.baseAddress, let right = theirs.baseAddress else { return true }
                return unsafe memcmp(left, right, mine.count) == 0
            }
        }
    }

    /// Less than, equal to or greater than zero as the bytes sort before, with or after others.
    func compare(with other: Span<UInt8>) -> Int {
        let shared = Swift.min(count, other.count)
        let order = unsafe withUnsafeBufferPointer { mine in
            unsafe other.withUnsafeBufferPointer { theirs in
                guard shared > 0, let left = mine.baseAddress, let right = theirs.baseAddress else { return 0 }
                return unsafe Int(memcmp(left, right, shared))
            }
        }
        return order == 0 ? count - other.count : order
    }

    /// Appends the bytes of a range to an array.
    package func append(_ range: Range<Int>, to array: inout [UInt8]) {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe array.append(contentsOf: $0) }
    }

    /// Whether the bytes are valid UTF-8.
    package var isValidText: Bool { unsafe withUnsafeBufferPointer { unsafe $0.isASCII } || validText != nil }

    /// The bytes, which must be valid UTF-8, as a string.
    package var text: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes as a string, nil where they are not valid UTF-8.
    package var validText: String? {
        unsafe withUnsafeBufferPointer { bytes in
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            // Decoding repairs what is invalid, so that other bytes come out.
            return unsafe bytes.isASCII || text.utf8.elementsEqual(bytes) ? text : nil
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
