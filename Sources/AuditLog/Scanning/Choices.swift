/// A fixed list of words, of which one stands in a line.
struct Choices {
    private let words: Memory<Literal>
    /// The word found last, which is looked for first.
    private var last = 0

    init<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) {
        let texts = Choice.allCases.map { Literal($0.rawValue + "\"") }
        words = Memory(repeating: texts[0], count: texts.count)
        for (index, text) in texts.enumerated() { words[index] = text }
    }

    /// Takes a word in quotes, and returns its place in the list; nil where it is not in it.
    @inline(__always) mutating func take(_ cursor: inout LineCursor) -> Int? {
        guard cursor.take(UInt8(ascii: "\"")) else { return nil }
        if cursor.take(words[last]) { return last }
        for index in 0..<words.count where cursor.take(words[index]) {
            last = index
            return index
        }
        return nil
    }
}
