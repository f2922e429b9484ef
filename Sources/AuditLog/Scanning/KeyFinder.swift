/// A set of keys.
struct KeySet: BitwiseCopyable {
    private var bits: UInt64 = 0

    // There are fewer than 64 keys.
    @inline(__always) private static func bit(_ key: LineKey) -> UInt64 { 1 &<< UInt64(key.rawValue) }

    init() {}

    init(_ keys: [LineKey]) {
        for key in keys { bits |= Self.bit(key) }
    }

    @inline(__always) func contains(_ key: LineKey) -> Bool { bits & Self.bit(key) != 0 }

    @inline(__always) func isSuperset(of other: KeySet) -> Bool { other.bits & ~bits == 0 }

    /// Adds keys.
    @inline(__always) mutating func insert(_ other: KeySet) { bits |= other.bits }

    /// Adds a key; false where it was there.
    @inline(__always) mutating func insert(_ key: LineKey) -> Bool {
        let bit = Self.bit(key)
        defer { bits |= bit }
        return bits & bit == 0
    }
}

/// Finds out which key stands at a place: its first bytes say which it can be, and one comparison whether it is.
struct KeyFinder {
    /// Each key with its closing quote and its colon, and the opening quote of the value where that is a text.
    private let literals: Memory<Literal>
    /// Each key with its closing quote.
    private let names: Memory<Literal>
    /// Keys by hash; any where there is none.
    private let slots: Memory<UInt8>

    private let texts = KeySet(LineKey.allCases.filter(\.isText))

    init() {
        let keys = LineKey.allCases
        literals = Memory(repeating: Literal(""), count: keys.count)
        names = Memory(repeating: Literal(""), count: keys.count)
        slots = Memory(repeating: 0, count: 256)
        for key in keys {
            literals[Int(key.rawValue)] = Literal(key.text + (key.isText ? "\":\"" : "\":"))
            names[Int(key.rawValue)] = Literal(key.text + "\"")
            let slot = Self.hash(names[Int(key.rawValue)].low)
            precondition(slots[slot] == 0, "no two keys have the same hash")
            slots[slot] = key.rawValue
        }
    }

    /// Takes a key behind its opening quote, with its colon, the white space behind, and the opening quote of a text.
    @inline(__always) func take(_ cursor: inout LineCursor) -> LineKey? {
        let number = slots[Self.hash(cursor.word(0))]
        guard cursor.take(literals[Int(number)]) || takeSpaced(&cursor, Int(number)) else { return nil }
        let key = unsafe unsafeBitCast(number, to: LineKey.self)
        // Behind the opening quote of a text white space is part of it.
        if cursor.byte <= 0x20, !texts.contains(key) { cursor.skipSpace() }
        return key
    }

    /// Takes a key that has white space around its colon.
    @inline(never) private func takeSpaced(_ cursor: inout LineCursor, _ number: Int) -> Bool {
        guard cursor.take(names[number]), let key = LineKey(rawValue: UInt8(truncatingIfNeeded: number)) else { return false }
        cursor.skipSpace()
        guard cursor.take(UInt8(ascii: ":")) else { return false }
        cursor.skipSpace()
        return !key.isText || cursor.take(UInt8(ascii: "\""))
    }

    /// Of the bytes up to the first quote, the first eight at most.
    @inline(__always) private static func hash(_ word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let others = word ^ (0x22 * ones)
        // The lowest of the bits stands for the first quote; below it lie the name and the rest of the quote.
        let quotes = (others &- ones) & ~others & (0x80 * ones)
        let name = word & ((quotes & (0 &- quotes)) &- 1)
        // With this factor no two keys have the same hash.
        return Int(truncatingIfNeeded: (name &* 0x930c_dbd3_0f0a_d2a9) >> 56)
    }
}
