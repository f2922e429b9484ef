/// FNV-1a with a final mix, so that every digit of a short prefix depends on every byte.
///
/// Sources: Fowler, Noll and Vo; the finaliser of MurmurHash3 (Appleby). Not meant to resist an attacker who wants collisions.
package struct FNV1a {
    @usableFromInline var state: UInt64

    /// A hash of nothing yet.
    ///
    /// - Parameter start: Where it starts; another number than the usual one gives a second hash of the same bytes.
    @inlinable package init(start: UInt64 = 0xcbf2_9ce4_8422_2325) { state = start }

    @inlinable package mutating func combine(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    package mutating func combine(_ number: UInt64) {
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) { combine(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Adds the bytes and then their count, so that no two sequences of strings run together.
    package mutating func combine(_ text: String) { text.withBytes { combine(counted: $0) } }

    /// Adds the bytes and then their count, as those of a string.
    package mutating func combine(_ name: IdentifierBytes) { name.withBytes { combine(counted: $0) } }

    /// Adds the bytes and then their count, as those of a string.
    package mutating func combine(counted bytes: Span<UInt8>) {
        combine(bytes)
        combine(UInt64(bytes.count))
    }

    /// Adds bytes and nothing else.
    package mutating func combine(_ bytes: Span<UInt8>) {
        for index in bytes.indices { combine(bytes[index]) }
    }

    /// The hash of bytes and nothing else.
    package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.combine(bytes)
        return hash.value
    }

    /// The hash of what was combined.
    @inlinable package var value: UInt64 { Self.mixed(state) }

    /// A hash of strings as 16 hexadecimal digits in lower case.
    package static func digits(of parts: String...) -> String {
        var hash = FNV1a()
        for part in parts { hash.combine(part) }
        var digits = LineBuffer()
        digits.append(hexadecimal: hash.value, digits: 16)
        return String(decoding: digits.array, as: UTF8.self)
    }

    /// FNV-1a itself, without the final mix.
    package var unmixed: UInt64 { state }

    /// A number of which every bit depends on every bit of another.
    @inlinable package static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ (number >> 33)) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return mixed ^ (mixed >> 33)
    }
}
