import SyncLines

extension LineKey {
    /// The key's index in the list of all.
    // A raw value, or a property of the key's own module, would be a call for each key of a line (2026-11-29).
    @inline(__always) var index: Int {
        // Without payloads a case is its index.
        unsafe Int(unsafeBitCast(self, to: UInt8.self))
    }

    /// The key at an index in the list of all.
    @inline(__always) init(at index: UInt8) {
        assert(index <= Self.stillShown.index, "the index of a key")
        self = unsafe unsafeBitCast(index, to: LineKey.self)
    }
}

/// A set of keys.
struct KeySet: BitwiseCopyable, Sendable {
    /// The first 64 keys of the list, and those behind them.
    private var (low, high): (UInt64, UInt64) = (0, 0)

    init() {}

    init(_ keys: [LineKey]) {
        for key in keys { _ = insert(key) }
    }

    @inline(__always) private static func bit(_ key: LineKey) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: key.index) }

    @inline(__always) func contains(_ key: LineKey) -> Bool { (key.index < 64 ? low : high) & Self.bit(key) != 0 }

    @inline(__always) func isSuperset(of other: KeySet) -> Bool { other.low & ~low | other.high & ~high == 0 }

    /// Removes the first key, in the order of their list.
    @inline(__always) mutating func removeFirst() -> LineKey? {
        let number: Int
        if low != 0 {
            number = low.trailingZeroBitCount
            low &= low &- 1
        } else if high != 0 {
            number = 64 + high.trailingZeroBitCount
            high &= high &- 1
        } else {
            return nil
        }
        return LineKey(at: UInt8(truncatingIfNeeded: number))
    }

    /// The keys that are not in another set.
    @inline(__always) func subtracting(_ other: KeySet) -> KeySet {
        var rest = self
        rest.low &= ~other.low
        rest.high &= ~other.high
        return rest
    }

    /// Adds keys.
    @inline(__always) mutating func insert(_ other: KeySet) {
        low |= other.low
        high |= other.high
    }

    /// Adds a key; false where it was there.
    @inline(__always) mutating func insert(_ key: LineKey) -> Bool {
        let bit = Self.bit(key)
        if key.index < 64 {
            defer { low |= bit }
            return low & bit == 0
        }
        defer { high |= bit }
        return high & bit == 0
    }
}

/// Finds out which key a cursor is at: its first bytes say which it can be, and one comparison whether it is.
///
/// Thread-safe: its tables never change.
struct KeyFinder: @unchecked Sendable {
    // Sound: what `entries`, `slots` and `masks` refer to is written by `init` alone, before anybody else has them, and is private.
    /// What is known of a key.
    private struct Entry: BitwiseCopyable {
        /// The key with its closing quote and its colon, and the opening quote of the value where that is a text.
        fileprivate let literal: Literal
        /// The key with its closing quote.
        fileprivate let name: Literal
        /// The first literal behind a comma and the opening quote; empty where that is too long.
        fileprivate let following: Literal

        fileprivate init(_ key: String, isText: Bool) {
            let text = key + (isText ? "\":\"" : "\":")
            (literal, name) = (Literal(text), Literal(key + "\""))
            following = text.utf8.count <= 14 ? Literal(",\"" + text) : Literal("")
        }
    }

    private let entries: Memory<Entry>
    /// Keys by hash, each with the length of its literal above, which the way to the next key begins with; any where there is none.
    private let slots: Memory<UInt16>
    /// The bytes of a word that a key of some length and its closing quote take.
    private let masks = Memory(repeating: UInt64.max, count: 64)

    private let texts = KeySet(LineKey.allCases.filter(\.isText))
    private let flat = KeySet(LineKey.allCases.filter { !$0.isNested })
    private let all = KeySet(LineKey.allCases)

    init() {
        let keys = LineKey.allCases
        entries = Memory(repeating: Entry("", isText: false), count: keys.count)
        slots = Memory(repeating: 0, count: 256)
        for count in 0..<7 { masks[count] = ~(.max << UInt64(8 * count + 8)) }
        for key in keys {
            let entry = Entry(key.name, isText: key.isText)
            entries[key.index] = entry
            let slot = Self.hash(entry.name.low)
            precondition(slots[slot] == 0, "no two keys have the same hash")
            slots[slot] = UInt16(key.index) | UInt16(entry.literal.count) << 8
        }
    }

    /// Consumes a key behind its opening quote, with its colon, the white space behind, and the opening quote of a text.
    @inline(__always) func consume(_ cursor: inout LineCursor) -> LineKey? {
        let slot = slots[Self.hash(cursor.word(0))]
        let number = UInt8(truncatingIfNeeded: slot)
        let key = LineKey(at: number)
        if cursor.isAt(entries[Int(number)].literal) {
            cursor.advance(Int(slot >> 8))
        } else if cursor.isAt(entries[Int(number)].name) {
            // Many writers put one space behind the colon: 0x3a and 0x20, and the quote of a text.
            let count = entries[Int(number)].name.count
            let isText = texts.contains(key)
            if cursor.half(count) & (isText ? 0xff_ffff : 0xffff) == (isText ? 0x22_203a : 0x203a) {
                cursor.advance(count + (isText ? 3 : 2))
            } else if !cursor.goTo(afterSpaced(cursor, key)) {
                return nil
            }
        } else {
            return nil
        }
        // Behind the opening quote of a text white space is part of it.
        if cursor.byte <= 0x20, !texts.contains(key) { cursor.skipSpace() }
        return key
    }

    /// Consumes a key where it is next, from the comma before it to the opening quote of a text, unless there is white space between; it
    /// has up to ten bytes.
    @inline(__always) func consumeNext(_ key: LineKey, _ cursor: inout LineCursor) -> Bool {
        cursor.consume(entries[key.index].following)
    }

    /// Whether a key of a set is behind an opening quote, whatever its value is.
    @inline(__always) func isAny(of set: KeySet, at cursor: LineCursor) -> Bool {
        let number = UInt8(truncatingIfNeeded: slots[Self.hash(cursor.word(0))])
        let key = LineKey(at: number)
        return set.contains(key) && cursor.isAt(entries[Int(number)].name)
    }

    /// The key of a member and where its value begins, behind the quote where it must be a text; nil where the value may be an object, and
    /// is no text.
    @inline(__always) func key(of member: QuoteMap.Member, _ cursor: LineCursor) -> (key: LineKey, start: Int)? {
        let slot = slots[Self.hash(name: cursor.word(0) & masks[member.key])]
        let number = UInt8(truncatingIfNeeded: slot)
        let key = LineKey(at: number)
        guard cursor.isAt(entries[Int(number)].literal), (member.isText ? all : flat).contains(key) else { return nil }
        return (key, Int(slot >> 8))
    }

    /// Consumes a key that has white space around its colon.
    @inline(never) private func afterSpaced(_ start: LineCursor, _ key: LineKey) -> LineCursor? {
        var cursor = start
        guard cursor.consume(entries[key.index].name) else { return nil }
        cursor.skipSpace()
        guard cursor.consume(UInt8(ascii: ":")) else { return nil }
        cursor.skipSpace()
        return !texts.contains(key) || cursor.consume(UInt8(ascii: "\"")) ? cursor : nil
    }

    /// Of the bytes up to the first quote, the first eight at most.
    @inline(__always) private static func hash(_ word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let others = word ^ (0x22 * ones)
        // The lowest of the bits stands for the first quote; up to it lie the name and the quote.
        let quotes = (others &- ones) & ~others & (0x80 * ones)
        return hash(name: word & (quotes ^ (quotes &- 1)))
    }

    @inline(__always) private static func hash(name: UInt64) -> Int {
        // With this factor no two keys have the same hash.
        Int(truncatingIfNeeded: (name &* 0x6dfd_3193_79be_deab) >> 56)
    }
}

/// Where values stand, by their keys.
struct ValueExtents {
    /// From a value's first byte, behind the opening quote of a text, to what follows it, behind its closing quote.
    struct Extent: BitwiseCopyable {
        let start: LineCursor
        let end: LineCursor
    }

    private let extents = Memory(
        repeating: Extent(start: LineCursor(.none), end: LineCursor(.none)), count: LineKey.allCases.count)

    subscript(key: LineKey) -> Extent {
        @inline(__always) get { extents[key.index] }
        @inline(__always) nonmutating set { extents[key.index] = newValue }
    }
}
