/// A fixed list of words, of which one stands in a line.
struct Choices {
    /// Each word with its closing quote, as much of it as a literal holds; no two begin alike.
    private let words: Memory<Literal>
    /// The rest of the words that are longer.
    private let rests: Memory<Literal>
    /// The word found last, which is looked for first.
    private var last = 0

    init<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) {
        let texts = Choice.allCases.map { $0.rawValue + "\"" }
        words = Memory(repeating: Literal(""), count: texts.count)
        rests = Memory(repeating: Literal(""), count: texts.count)
        for (index, text) in texts.enumerated() {
            words[index] = Literal(String(text.prefix(16)))
            rests[index] = Literal(String(text.dropFirst(16)))
        }
    }

    /// Takes a word and its closing quote, and returns its place in the list; nil where it is not in it.
    @inline(__always) mutating func take(_ cursor: inout LineCursor) -> Int? {
        if cursor.isAt(words[last]) { return takeRest(&cursor, last) }
        for index in 0..<words.count where cursor.isAt(words[index]) {
            last = index
            return takeRest(&cursor, index)
        }
        return nil
    }

    @inline(__always) private func takeRest(_ cursor: inout LineCursor, _ index: Int) -> Int? {
        cursor.advance(words[index].count)
        guard words[index].count == 16 else { return index }
        return cursor.take(rests[index]) ? index : nil
    }
}
