/// The UTF-8 bytes of an identifier, in two words: up to 15 of them in place, more behind a reference.
///
/// Most identifiers are compared without a look at other memory. Source: the strings of Umbra (Neumann and Freitag, CIDR 2020).
@usableFromInline package enum IdentifierBytes: Hashable, Sendable {
    /// Up to 15 bytes of which the last one is no zero, padded with zeros, the first byte lowest.
    case short(UInt64, UInt32, UInt16, UInt8)
    /// All others.
    case long(LongIdentifier)

    private static let maximumShortLength = 15

    package init(_ string: String) {
        var string = string
        self = string.withUTF8 { unsafe Self(Span(_unsafeElements: $0)) }
    }

    /// - Precondition: The bytes are valid UTF-8.
    package init(_ bytes: Span<UInt8>) {
        self = Self(short: bytes) ?? .long(LongIdentifier(bytes))
    }

    /// Puts the bytes of a long identifier into an arena.
    ///
    /// - Precondition: The bytes are valid UTF-8.
    package init(_ bytes: Span<UInt8>, in arena: inout IdentifierArena) {
        self = Self(short: bytes) ?? .long(arena.append(bytes))
    }

    @inline(__always) private init?(short bytes: Span<UInt8>) {
        guard bytes.count <= Self.maximumShortLength, bytes.isEmpty || bytes[bytes.count - 1] != 0 else { return nil }
        let (low, high) = bytes.prefix
        self = .short(low, UInt32(truncatingIfNeeded: high), UInt16(truncatingIfNeeded: high >> 32), UInt8(truncatingIfNeeded: high >> 48))
    }

    /// The second word of a short one.
    @inlinable @inline(__always) static func high(_ first: UInt32, _ second: UInt16, _ third: UInt8) -> UInt64 {
        UInt64(first) | UInt64(second) << 32 | UInt64(third) << 48
    }

    /// The identifier as it was given.
    package var string: String {
        var string = ""
        withBytes { bytes in string = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
        return string
    }

    /// How many bytes there are.
    package var count: Int {
        var count = 0
        withBytes { count = $0.count }
        return count
    }

    /// Calls a body with the bytes.
    package func withBytes(_ body: (Span<UInt8>) -> Void) {
        switch self {
        case .short(let low, let first, let second, let third):
            let high = Self.high(first, second, third)
            let zeros = high == 0 ? 8 + low.leadingZeroBitCount / 8 : high.leadingZeroBitCount / 8
            unsafe withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { words in
                unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: words[..<(16 - zeros)])))
            }
        case .long(let long): body(long.span)
        }
    }

    @inlinable @inline(__always) package static func == (left: IdentifierBytes, right: IdentifierBytes) -> Bool {
        switch (left, right) {
        case (.short(let low, let first, let second, let third), .short(let otherLow, let otherFirst, let otherSecond, let otherThird)):
            (low ^ otherLow) | (high(first, second, third) ^ high(otherFirst, otherSecond, otherThird)) == 0
        case (.long(let bytes), .long(let others)): areSame(bytes, others)
        default: false
        }
    }

    @usableFromInline @inline(never) static func areSame(_ bytes: LongIdentifier, _ others: LongIdentifier) -> Bool {
        bytes.span.isIdentical(to: others.span) || bytes.span.compare(with: others.span) == 0
    }

    /// Less than, equal to or greater than zero as the bytes sort before, with or after those of another identifier.
    @inlinable @inline(__always) package func order(to other: IdentifierBytes) -> Int {
        guard case .short(let low, let first, let second, let third) = self,
            case .short(let otherLow, let otherFirst, let otherSecond, let otherThird) = other
        else { return orderOfLong(to: other) }
        let (high, otherHigh) = (Self.high(first, second, third), Self.high(otherFirst, otherSecond, otherThird))
        return Self.order((low, high), (otherLow, otherHigh))
    }

    @inlinable @inline(__always) static func order(_ words: (UInt64, UInt64), _ others: (UInt64, UInt64)) -> Int {
        if words.0 != others.0 { return words.0.byteSwapped < others.0.byteSwapped ? -1 : 1 }
        return words.1 == others.1 ? 0 : words.1.byteSwapped < others.1.byteSwapped ? -1 : 1
    }

    @usableFromInline @inline(never) func orderOfLong(to other: IdentifierBytes) -> Int {
        switch (self, other) {
        case (.long(let bytes), .long(let others)): return bytes.span.compare(with: others.span)
        case (.long, .short): return -other.orderOfLong(to: self)
        case (.short(let low, let first, let second, let third), .long(let bytes)):
            let order = Self.order((low, Self.high(first, second, third)), bytes.span.prefix)
            // The long one goes on where the short one is padded.
            return order == 0 ? -1 : order
        case (.short, .short): return order(to: other)
        }
    }

    @usableFromInline package func hash(into hasher: inout Hasher) {
        switch self {
        case .short(let low, let first, let second, let third):
            hasher.combine(low)
            hasher.combine(Self.high(first, second, third))
        case .long(let long):
            hasher.combine(long.span.count)
            unsafe long.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    /// A keyed hash of the identifier and of what has been hashed before it; all 64 bits are usable.
    @inlinable @inline(__always) package func quickHash(_ key: HashKey, after hash: UInt64?) -> UInt64 {
        let hash = hash ?? key.start(count: 0)
        return switch self {
        case .short(let low, let first, let second, let third): key.mix(Self.high(first, second, third), into: key.mix(low, into: hash))
        case .long(let bytes): Self.hash(bytes, key, after: hash)
        }
    }

    @usableFromInline @inline(never) static func hash(_ bytes: LongIdentifier, _ key: HashKey, after hash: UInt64) -> UInt64 {
        key.mix(bytes.span, into: hash)
    }
}

extension Span<UInt8> {
    /// The first eight bytes and the next seven, padded with zeros, the first byte lowest.
    fileprivate var prefix: (UInt64, UInt64) {
        (
            count < 8 ? word(at: 0, count: count) : word(at: 0),
            count <= 8 ? 0 : word(at: 8, count: Swift.min(count, 15) - 8)
        )
    }
}
