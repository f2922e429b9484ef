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
        utf8.count == other.utf8.count && compareBytes(with: other) == 0
    }

    /// Whether the UTF-8 bytes of this string sort before those of another.
    package func utf8Precedes(_ other: String) -> Bool {
        compareBytes(with: other) < 0
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

extension Span<UInt8> {
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
