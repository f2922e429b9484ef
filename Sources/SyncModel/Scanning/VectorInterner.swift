/// Gives the same version vector for the same text: the writes of one commit say the same of what they had seen.
///
/// Bounded: what is kept is forgotten when it is too much, and gathered anew.
struct VectorInterner: Sendable {
    private struct Entry {
        let tag: TextTag
        let text: Range<Int>
        let vector: VersionVector
    }

    private static let maximumCount = 1 << 14
    private static let maximumSize = 4 << 20
    /// Longer texts are not kept.
    private static let maximumLength = 1 << 14

    /// Indices into `entries` plus 1, 0 where there is none, each at the first free place from its hash on.
    private var table: [UInt16] = []
    private var entries: [Entry] = []
    /// The texts, one behind the other.
    private var texts: [UInt8] = []
    private let key = HashKey()

    /// The text of the object that begins at an index if no name in it holds a closing brace; nil where there is no such text.
    ///
    /// Whether that is so need not be known: no other text than that of a whole object is ever kept.
    func text(_ bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        let end = min(bytes.count, start + Self.maximumLength)
        var index = start
        while index + 8 <= end {
            let word = bytes.word(at: index) ^ 0x7d7d_7d7d_7d7d_7d7d
            let marks = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if marks != 0 { return start..<index + marks.trailingZeroBitCount / 8 + 1 }
            index += 8
        }
        while index < end {
            if bytes[index] == UInt8(ascii: "}") { return start..<index + 1 }
            index += 1
        }
        return nil
    }

    /// The vector that a text stands for, where that is known.
    func vector(_ bytes: Span<UInt8>, _ range: Range<Int>) -> VersionVector? {
        if table.isEmpty { return nil }
        let tag = TextTag(bytes, range, key)
        var place = start(of: tag)
        while table[place] != 0 {
            let index = Int(table[place]) - 1
            if entries[index].tag == tag,
                range.count <= TextTag.maximumExactLength || bytes.holdsSame(in: range, as: texts.span, in: entries[index].text)
            {
                return entries[index].vector
            }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    /// Keeps a vector under the text that it was read from.
    mutating func keep(_ vector: VersionVector, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        if entries.count == Self.maximumCount || texts.count + range.count > Self.maximumSize {
            table = []
            entries.removeAll(keepingCapacity: true)
            texts.removeAll(keepingCapacity: true)
        }
        if table.isEmpty { table = [UInt16](repeating: 0, count: 4 * Self.maximumCount) }
        let tag = TextTag(bytes, range, key)
        var place = start(of: tag)
        while table[place] != 0 { place = (place + 1) & (table.count - 1) }
        entries.append(Entry(tag: tag, text: texts.count..<texts.count + range.count, vector: vector))
        bytes.append(range, to: &texts)
        table[place] = UInt16(entries.count)
    }

    @inline(__always) private func start(of tag: TextTag) -> Int {
        Int(truncatingIfNeeded: tag.mixed(into: key.start(count: 0), key)) & (table.count - 1)
    }
}
