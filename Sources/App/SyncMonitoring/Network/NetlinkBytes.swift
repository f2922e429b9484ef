/// Part of a datagram of the kernel's routing socket.
///
/// Reading outside of it gives nil.
package struct NetlinkBytes {
    private let bytes: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    package func uint8(at offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
    }

    package func uint16(at offset: Int) -> UInt16? { integer(at: offset) }

    package func uint32(at offset: Int) -> UInt32? { integer(at: offset) }

    /// The bytes from one offset up to another, cut to what there is.
    package func part(from start: Int, to end: Int) -> NetlinkBytes {
        let end = min(max(end, 0), bytes.count)
        let start = min(max(start, 0), end)
        return NetlinkBytes(bytes[bytes.startIndex + start..<bytes.startIndex + end])
    }

    /// Text up to the first zero byte.
    package var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// The attributes from an offset on, up to the first that does not fit.
    ///
    /// Of a type given twice, the last counts.
    package func attributes(from offset: Int) -> [UInt16: NetlinkBytes] {
        // The two highest bits say how the content is written, not what it is.
        let typeMask: UInt16 = 0x3fff
        let headerSize = 4
        var rest = part(from: offset, to: count)
        var attributes: [UInt16: NetlinkBytes] = [:]
        while let length = rest.uint16(at: 0), length >= headerSize, length <= rest.count, let type = rest.uint16(at: 2) {
            attributes[type & typeMask] = rest.part(from: headerSize, to: Int(length))
            rest = rest.part(from: Self.aligned(Int(length)), to: rest.count)
        }
        return attributes
    }

    /// The size with the padding up to the next item.
    package static func aligned(_ size: Int) -> Int { (size + 3) & ~3 }

    private func integer<Value: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Value? {
        let size = Value.bitWidth / 8
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        let start = bytes.startIndex + offset
        let value = bytes[start..<start + size].reversed().reduce(into: Value(0)) { $0 = $0 << 8 | Value($1) }
        return Value(littleEndian: value)
    }
}

extension [UInt8] {
    /// Appends an integer in the machine's own byte order.
    package mutating func appendNative<Value: FixedWidthInteger>(_ value: Value) {
        let ordered = value.littleEndian
        for byte in 0..<Value.bitWidth / 8 { append(UInt8(truncatingIfNeeded: ordered >> (8 * byte))) }
    }
}
