/// A set of keys.
struct KeySet: BitwiseCopyable {
    private var bits: UInt64 = 0

    init() {}

    init(_ keys: [LineKey]) {
        for key in keys { bits |= 1 << UInt64(key.rawValue) }
    }

    @inline(__always) func contains(_ key: LineKey) -> Bool { bits >> UInt64(key.rawValue) & 1 != 0 }

    @inline(__always) func isSuperset(of other: KeySet) -> Bool { other.bits & ~bits == 0 }

    /// Adds keys.
    @inline(__always) mutating func insert(_ other: KeySet) { bits |= other.bits }

    /// Adds a key; false where it was there.
    @inline(__always) mutating func insert(_ key: LineKey) -> Bool {
        let bit = 1 << UInt64(key.rawValue) as UInt64
        defer { bits |= bit }
        return bits & bit == 0
    }
}

/// Finds out which key stands at a place.
///
/// It learns which key followed which, for each kind of object, and looks for that one first: one comparison as long as a writer keeps to an order.
struct KeyFinder {
    /// The kinds of object: a line whose event is not known yet, a side of a conflict, and the lines of each event.
    static let start = 0
    static let sides = 1
    static func row(ofEvent event: Int) -> Int { 2 + event }

    /// Each key with its closing quote and its colon, and the opening quote of the value where that is a text.
    private let literals: Memory<Literal>
    /// Each key with its closing quote.
    private let names: Memory<Literal>
    /// The key that followed a key, by the kind of object and the key; ``first`` stands for the opening brace.
    private let following: Memory<UInt8>
    /// The key that came instead the last time when it was another one.
    private let exceptions: Memory<UInt8>
    /// Keys by hash; any where there is none.
    private let slots: Memory<UInt8>

    static let first = 63

    private let texts = KeySet(LineKey.allCases.filter(\.isText))

    init() {
        let keys = LineKey.allCases
        literals = Memory(repeating: Literal(""), count: keys.count)
        names = Memory(repeating: Literal(""), count: keys.count)
        following = Memory(repeating: 0, count: 64 * (2 + EventName.allCases.count))
        exceptions = Memory(repeating: 0, count: following.count)
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
    ///
    /// - Parameters:
    ///   - row: The kind of object.
    ///   - previous: The key before, or ``first``.
    @inline(__always) func take(_ cursor: inout LineCursor, row: Int, after previous: Int) -> LineKey? {
        let place = row << 6 | previous
        var key = Int(following[place])
        if !cursor.take(literals[key]) {
            key = Int(slots[Self.hash(cursor.word(0))])
            guard cursor.take(literals[key]) || takeSpaced(&cursor, key) else { return nil }
            // What comes once between others is no new order.
            if exceptions[place] == UInt8(truncatingIfNeeded: key) { following[place] = exceptions[place] }
            exceptions[place] = UInt8(truncatingIfNeeded: key)
        }
        let result = unsafe unsafeBitCast(UInt8(truncatingIfNeeded: key), to: LineKey.self)
        // Behind the opening quote of a text white space is part of it.
        if cursor.byte <= 0x20, !texts.contains(result) { cursor.skipSpace() }
        return result
    }

    /// Takes a key that has white space around its colon.
    @inline(never) private func takeSpaced(_ cursor: inout LineCursor, _ key: Int) -> Bool {
        guard cursor.take(names[key]), let key = LineKey(rawValue: UInt8(truncatingIfNeeded: key)) else { return false }
        cursor.skipSpace()
        guard cursor.take(UInt8(ascii: ":")) else { return false }
        cursor.skipSpace()
        return !key.isText || cursor.take(UInt8(ascii: "\""))
    }

    /// Of the bytes before the first quote, the first eight at most.
    @inline(__always) private static func hash(_ word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let others = word ^ (0x22 * ones)
        // The lowest of the bits stands for the first quote.
        let quotes = (others &- ones) & ~others & (0x80 * ones)
        let name = word & (((quotes & (0 &- quotes)) >> 7) &- 1)
        // With this factor no two keys have the same hash.
        return Int(truncatingIfNeeded: (name &* 0xde3a_5db5_154e_d513) >> 56)
    }
}
