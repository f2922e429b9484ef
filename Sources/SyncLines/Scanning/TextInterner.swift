import SyncModel

/// Gives the same `String` for the same bytes, so that a name that stands in every line is made and kept in memory once.
///
/// Bounded: ``maximumCount`` strings are kept, then they are forgotten and gathered anew.
struct TextInterner: Sendable {
    private static let maximumCount = 1 << 16

    private var index = HashIndex()
    private var texts: [(tag: TextTag, text: String)] = []
    private let key = HashKey()

    /// The text of a range of valid UTF-8; nil where it is not valid.
    mutating func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
        let tag = TextTag(bytes, range, key)
        let hash = tag.mixed(into: key.start(count: 0), key)
        let known = index.find(hash) {
            texts[$0].tag == tag && (range.count <= TextTag.maximumExactLength || bytes.equals(texts[$0].text, in: range))
        }
        if let known { return texts[known].text }
        guard let text = bytes.extracting(range).validText else { return nil }
        if texts.count == Self.maximumCount {
            texts = []
            index.removeAll()
        }
        texts.append((tag, text))
        index.insert(texts.count - 1, hash: hash)
        return text
    }
}
