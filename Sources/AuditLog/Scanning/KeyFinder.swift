/// A set of keys.
struct KeySet: BitwiseCopyable {
    private var bits: UInt64 = 0

    init() {}

    init(_ keys: [LineKey]) {
        for key in keys { bits |= 1 << UInt64(key.rawValue) }
    }

    @inline(__always) func contains(_ key: LineKey) -> Bool { bits >> UInt64(key.rawValue) & 1 != 0 }

    @inline(__always) func isSuperset(of other: KeySet) -> Bool { other.bits & ~bits == 0 }

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
    /// The key that followed a key, by the kind of object and the key; ``first`` stands for the opening brace.
    private let following: Memory<UInt8>
    /// Keys plus 1 by hash, each at the first free place from there on.
    private let slots: Memory<UInt8>

    static let first = 63

    private let texts = KeySet(LineKey.allCases.filter(\.isText))

    init() {
        let keys = LineKey.allCases
        literals = Memory(repeating: Literal(""), count: keys.count)
        following = Memory(repeating: 0, count: 64 * (2 + EventName.allCases.count))
        slots = Memory(repeating: 0, count: 256)
        for key in keys {
            literals[Int(key.rawValue)] = Literal(key.text + (key.isText ? "\":\"" : "\":"))
            let bytes = Array(key.text.utf8) + [UInt8](repeating: 0, count: LineCursor.padding)
            unsafe bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                var place = unsafe Self.hash(LineCursor.Text(start: base, count: key.text.utf8.count, isPlain: true))
                while slots[place] != 0 { place = (place + 1) & 255 }
                slots[place] = key.rawValue + 1
            }
        }
    }

    /// Takes a key behind its opening quote, with its colon, the white space behind, and the opening quote of a text.
    ///
    /// - Parameters:
    ///   - row: The kind of object.
    ///   - previous: The key before, or ``first``.
    @inline(__always) func take(_ cursor: inout LineCursor, row: Int, after previous: Int) -> LineKey? {
        let place = row << 6 | previous
        let expected = Int(following[place])
        if cursor.take(literals[expected]) {
            let key = unsafe unsafeBitCast(UInt8(truncatingIfNeeded: expected), to: LineKey.self)
            // Behind the opening quote of a text white space is part of it.
            if cursor.byte <= 0x20, !texts.contains(key) { cursor.skipSpace() }
            return key
        }
        guard let (key, end) = lookUp(cursor) else { return nil }
        following[place] = key.rawValue
        cursor = end
        return key
    }

    @inline(never) private func lookUp(_ start: LineCursor) -> (LineKey, LineCursor)? {
        var cursor = start
        guard let text = cursor.text(), text.isPlain else { return nil }
        var place = Self.hash(text)
        while slots[place] != 0 {
            let key = slots[place] - 1
            // Of the literal only the name, since there may be white space around the colon.
            if start.isAt(literals[Int(key)], count: text.count + 1), let key = LineKey(rawValue: key) {
                cursor.skipSpace()
                guard cursor.take(UInt8(ascii: ":")) else { return nil }
                cursor.skipSpace()
                return key.isText && !cursor.take(UInt8(ascii: "\"")) ? nil : (key, cursor)
            }
            place = (place + 1) & 255
        }
        return nil
    }

    private static func hash(_ text: LineCursor.Text) -> Int {
        let (first, last) = text.ends
        let mixed = (first &* 0x9e37_79b9_7f4a_7c15) ^ (last &* 0xc2b2_ae3d_27d4_eb4f)
        return Int(truncatingIfNeeded: mixed >> 56)
    }
}
