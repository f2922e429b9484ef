/// Gives the same `String` for the same bytes, so that a name that stands in every line is kept in memory once.
///
/// A text of up to 15 bytes needs no memory of its own and is made anew each time. Bounded: texts beyond ``maximumCount`` are not kept.
struct TextInterner: Sendable {
    private static let maximumCount = 1 << 16

    /// Indices into `texts` plus 1, 0 where there is none, each at the first free place from its hash on.
    private var table = [UInt32](repeating: 0, count: 256)
    private var texts: [String] = []
    private let key = HashKey()

    /// The text of a range of valid UTF-8; nil where it is not valid.
    mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
        if range.count <= 15 { return bytes.extracting(range).validText }
        var place = Int(truncatingIfNeeded: hash(bytes, range)) & (table.count - 1)
        while table[place] != 0 {
            let known = texts[Int(table[place]) - 1]
            if bytes.equals(known, in: range) { return known }
            place = (place + 1) & (table.count - 1)
        }
        guard let text = bytes.extracting(range).validText else { return nil }
        if texts.count < Self.maximumCount {
            texts.append(text)
            table[place] = UInt32(texts.count)
            if texts.count * 2 > table.count { grow() }
        }
        return text
    }

    private mutating func grow() {
        table = [UInt32](repeating: 0, count: table.count * 2)
        for (index, text) in texts.enumerated() {
            let bytes = Array(text.utf8)
            var place = Int(truncatingIfNeeded: hash(bytes.span, 0..<bytes.count)) & (table.count - 1)
            while table[place] != 0 { place = (place + 1) & (table.count - 1) }
            table[place] = UInt32(index + 1)
        }
    }

    /// Mixes eight bytes at a time; the last eight overlap those before.
    ///
    /// For 8 bytes and more.
    private func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = key.start(count: range.count)
        var index = range.lowerBound
        while index + 8 < range.upperBound {
            hash = key.mix(bytes.word(at: index), into: hash)
            index += 8
        }
        return key.mix(bytes.word(at: range.upperBound - 8), into: hash)
    }
}
