import SyncModel

/// Gives the same `String` for the same bytes, so that a name that stands in every line is made and kept in memory once.
///
/// Bounded: ``maximumCount`` strings are kept, then they are forgotten and gathered anew.
struct TextInterner: Sendable {
    private static let maximumCount = 1 << 16

    /// Indices into `texts` plus 1, 0 where there is none, each in the first free slot from its hash on.
    private var table = [UInt32](repeating: 0, count: Self.initialSlots)
    private static let initialSlots = 256
    private var texts: [(tag: TextTag, text: String)] = []
    private let key = HashKey()

    /// The text of a range of valid UTF-8; nil where it is not valid.
    mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
        let tag = TextTag(bytes, range, key)
        var place = start(of: tag)
        while table[place] != 0 {
            let index = Int(table[place]) - 1
            if texts[index].tag == tag, range.count <= TextTag.maximumExactLength || bytes.equals(texts[index].text, in: range) {
                return texts[index].text
            }
            place = (place + 1) & (table.count - 1)
        }
        guard let text = bytes.extracting(range).validText else { return nil }
        if texts.count == Self.maximumCount {
            texts = []
            table = [UInt32](repeating: 0, count: Self.initialSlots)
            place = start(of: tag)
        }
        texts.append((tag, text))
        table[place] = UInt32(texts.count)
        if texts.count * 2 > table.count { grow() }
        return text
    }

    private mutating func grow() {
        table = [UInt32](repeating: 0, count: table.count * 2)
        for (index, entry) in texts.enumerated() {
            var place = start(of: entry.tag)
            while table[place] != 0 { place = (place + 1) & (table.count - 1) }
            table[place] = UInt32(index + 1)
        }
    }

    @inline(__always) private func start(of tag: TextTag) -> Int {
        Int(truncatingIfNeeded: tag.mixed(into: key.start(count: 0), key)) & (table.count - 1)
    }
}
