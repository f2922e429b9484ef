/// The UTF-8 bytes of an identifier: the first 15 in place, and all of them behind a reference where they are more.
///
/// Most identifiers are compared by two words, without a look at other memory. Source: the strings of Umbra (Neumann and Freitag, CIDR 2020), which keep
/// a prefix beside the pointer too.
struct IdentifierBytes: Hashable, Sendable {
    /// The first eight bytes, padded with zeros, the first byte lowest.
    let low: UInt64
    /// The next seven bytes, padded with zeros, the first byte lowest; in the highest byte the count of all bytes, 16 for more than 15.
    let high: UInt64
    private let whole: WholeIdentifier?

    private static let maximumShortLength = 15

    init(_ string: String) {
        var string = string
        (low, high) = string.withUTF8 { unsafe Self.prefix(Span(_unsafeElements: $0)) }
        whole = high >> 56 <= Self.maximumShortLength ? nil : WholeIdentifier(string)
    }

    private static func prefix(_ bytes: Span<UInt8>) -> (UInt64, UInt64) {
        let count = min(bytes.count, maximumShortLength + 1)
        let low = count < 8 ? bytes.word(at: 0, count: count) : bytes.word(at: 0)
        let high = count <= 8 ? 0 : bytes.word(at: 8, count: min(count, maximumShortLength) - 8)
        return (low, high | UInt64(count) << 56)
    }

    /// Whether ``low`` and ``high`` hold all of the bytes.
    @inline(__always) var isShort: Bool { high >> 56 <= Self.maximumShortLength }

    /// The identifier as it was given.
    var string: String { whole?.string ?? String(low, high, count: Int(high >> 56)) }

    @inline(__always) static func == (left: IdentifierBytes, right: IdentifierBytes) -> Bool {
        left.low == right.low && left.high == right.high && (left.isShort || left.hasSameRest(as: right))
    }

    @inline(never) private func hasSameRest(as other: IdentifierBytes) -> Bool {
        whole === other.whole || string.hasSameBytes(as: other.string)
    }

    /// Less than, equal to or greater than zero as the bytes sort before, with or after those of another identifier.
    @inline(__always) func order(to other: IdentifierBytes) -> Int {
        // Of two that differ by zeros at the end alone, the one with fewer bytes sorts first: the count is compared last.
        if low != other.low { return low.byteSwapped < other.low.byteSwapped ? -1 : 1 }
        if high != other.high { return high.byteSwapped < other.high.byteSwapped ? -1 : 1 }
        return isShort ? 0 : orderOfRest(to: other)
    }

    @inline(never) private func orderOfRest(to other: IdentifierBytes) -> Int { string.compareBytes(with: other.string) }

    func hash(into hasher: inout Hasher) {
        hasher.combine(low)
        hasher.combine(high)
        if let whole { whole.string.hashBytes(into: &hasher) }
    }

    /// A keyed hash of the identifier and of what has been hashed before it; all 64 bits are usable.
    @inline(__always) func quickHash(_ key: HashKey, after hash: UInt64?) -> UInt64 {
        let hash = key.mix(high, into: key.mix(low, into: hash ?? key.start(count: 0)))
        return isShort ? hash : hashOfWhole(key, after: hash)
    }

    @inline(never) private func hashOfWhole(_ key: HashKey, after hash: UInt64) -> UInt64 {
        var string = string
        return string.withUTF8 { utf8 in
            let bytes = unsafe Span(_unsafeElements: utf8)
            var hash = key.mix(UInt64(bytes.count), into: hash)
            // The last eight bytes overlap those before.
            for index in stride(from: 0, to: bytes.count - 8, by: 8) { hash = key.mix(bytes.word(at: index), into: hash) }
            return key.mix(bytes.word(at: bytes.count - 8), into: hash)
        }
    }
}

/// An identifier too long to lie in place.
private final class WholeIdentifier: Sendable {
    let string: String

    init(_ string: String) {
        self.string = string
    }
}
