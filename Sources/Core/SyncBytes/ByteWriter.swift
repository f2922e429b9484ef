/// A writer of numbers and strings to bytes, in a form that ``ByteReader`` reads back exactly.
package struct ByteWriter: ~Copyable {
    private var buffer = LineBuffer(capacity: 384)

    /// A writer without bytes.
    package init() {}

    /// How many bytes there are.
    package var count: Int { buffer.count }

    /// A copy of the bytes.
    package var bytes: [UInt8] { buffer.array }

    /// Forgets the bytes and keeps the memory, unless that is much.
    package mutating func removeAll() {
        if buffer.count <= 1 << 18 { buffer.truncate(to: 0) } else { buffer = LineBuffer(capacity: 384) }
    }

    package mutating func byte(_ byte: UInt8) {
        buffer.append(byte)
    }

    /// Seven bits to a byte, lowest first.
    package mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        buffer.append(UInt8(rest))
    }

    /// Numbers near zero are short, whatever their sign.
    package mutating func signedNumber(_ number: Int64) {
        self.number(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    package mutating func text(_ text: String) {
        number(UInt64(text.utf8.count))
        buffer.append(verbatim: text)
    }

    /// Bytes behind their count.
    package mutating func counted(_ bytes: Span<UInt8>) {
        number(UInt64(bytes.count))
        buffer.append(bytes)
    }

    package mutating func counted(_ other: borrowing ByteWriter) {
        number(UInt64(other.buffer.count))
        append(other, from: 0)
    }

    /// Appends what another holds from a byte on.
    package mutating func append(_ other: borrowing ByteWriter, from start: Int) {
        buffer.append(other.buffer, from: start)
    }
}
