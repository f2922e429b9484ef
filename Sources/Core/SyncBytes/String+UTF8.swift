extension String {
    /// Whether two strings hold the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && compareBytes(with: other) == 0
    }

    /// Whether the UTF-8 bytes of this string sort before those of another.
    package func utf8Precedes(_ other: String) -> Bool {
        compareBytes(with: other) < 0
    }

    /// Calls a body with the UTF-8 bytes.
    package func withBytes(_ body: (Span<UInt8>) -> Void) {
        let fast: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(Span(_unsafeElements: $0)) }
        if fast != nil { return }
        let bytes = Array(utf8)
        body(bytes.span)
    }

    /// Less than, equal to or greater than zero as the bytes sort before, with or after those of another.
    package func compareBytes(with other: String) -> Int {
        let fast = unsafe utf8.withContiguousStorageIfAvailable { mine in
            unsafe other.utf8.withContiguousStorageIfAvailable { theirs in
                unsafe Span(_unsafeElements: mine).compare(with: Span(_unsafeElements: theirs))
            }
        }
        // A string bridged from Objective-C may not lie in memory as UTF-8.
        return (fast ?? nil) ?? (utf8.lexicographicallyPrecedes(other.utf8) ? -1 : other.utf8.lexicographicallyPrecedes(utf8) ? 1 : 0)
    }
}

extension String {
    /// The string of one to fifteen bytes with which two words begin, the first byte lowest; nil where it is not ASCII or not so short.
    package init?(shortASCII low: UInt64, _ high: UInt64, count: Int) {
        guard count > 0, count <= 15 else { return nil }
        let first = low & ~(UInt64.max << UInt64(8 * count))
        let rest = high & ~(UInt64.max << UInt64(8 * Swift.max(0, count - 8)))
        guard (first | rest) & 0x8080_8080_8080_8080 == 0 else { return nil }
        self = unsafe withUnsafeBytes(of: (first.littleEndian, rest.littleEndian)) { bytes in
            unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<count]), as: UTF8.self)
        }
    }
}
