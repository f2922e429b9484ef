/// A fixed list of words, of which one is in a line.
struct Choices {
    /// Each word with its closing quote, as much of it as a literal holds; no two begin alike.
    private let words: Memory<Literal>
    /// The rest of the words that are longer.
    private let rests: Memory<Literal>
    /// Indices in the list plus 1 by the first four bytes of the word, each in the first free slot from there on.
    private let slots = Memory(repeating: 0 as UInt8, count: Self.slotCount)
    private static let slotCount = 64

    init<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) {
        let texts = Choice.allCases.map { $0.rawValue + "\"" }
        words = Memory(repeating: Literal(""), count: texts.count)
        rests = Memory(repeating: Literal(""), count: texts.count)
        for (index, text) in texts.enumerated() {
            precondition(text.utf8.count >= 4, "its first four bytes are its own")
            words[index] = Literal(String(text.prefix(16)))
            rests[index] = Literal(String(text.dropFirst(16)))
            var slot = Self.slot(words[index].low)
            while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
            slots[slot] = UInt8(index + 1)
        }
    }

    @inline(__always) private static func slot(_ word: UInt64) -> Int {
        Int((UInt32(truncatingIfNeeded: word) &* 0x9e37_79b1) >> 26)
    }

    /// Consumes a word and its closing quote, and returns its index in the list; nil where it is not in it.
    @inline(__always) func consume(_ cursor: inout LineCursor) -> Int? {
        var slot = Self.slot(cursor.word(0))
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if cursor.consume(words[index]) {
                guard words[index].count == 16 else { return index }
                return cursor.consume(rests[index]) ? index : nil
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return nil
    }
}
