import SyncModel

/// Gives the same version vector for the same text: the writes of one commit say the same of what they had seen.
///
/// Bounded: what is kept is forgotten when it is too much, and gathered anew.
struct VectorInterner: Sendable {
    private struct Entry {
        let hash: UInt64
        let text: Range<Int>
        let vector: VersionVector
    }

    private static let maximumCount = 1 << 14
    private static let maximumSize = 4 << 20
    /// Longer texts are not kept.
    private static let maximumLength = 1 << 14

    private var index = HashIndex()
    private var entries: [Entry] = []
    /// The texts, one behind the other.
    private var texts: [UInt8] = []
    private let key = HashKey()

    /// The text of an object, by which it is looked up.
    struct Text {
        let range: Range<Int>
        fileprivate let hash: UInt64
    }

    /// The text of the object that begins at an index if no name in it holds a closing brace; nil where there is no such text.
    ///
    /// Whether that is so need not be known: no other text than that of a whole object is ever kept.
    func text(_ bytes: Span<UInt8>, from start: Int) -> Text? {
        let end = min(bytes.count, start + Self.maximumLength)
        guard let brace = bytes.firstIndex(of: UInt8(ascii: "}"), in: start..<end) else { return nil }
        let range = start..<brace + 1
        var hash = key.start(count: range.count)
        var index = start
        while index < range.upperBound &- 16, let words = bytes.words(at: index) {
            hash = key.mix(words, into: hash)
            index &+= 16
        }
        // The last sixteen bytes overlap those before.
        let last = range.count < 16 ? ShortText(bytes, range).words : bytes.words(at: range.upperBound - 16)
        return last.map { Text(range: range, hash: key.mix($0, into: hash)) }
    }

    /// The vector that a text stands for, where that is known.
    func vector(_ bytes: Span<UInt8>, _ text: Text) -> VersionVector? {
        let index = index.find(text.hash) {
            entries[$0].hash == text.hash && bytes.holdsSame(in: text.range, as: texts.span, in: entries[$0].text)
        }
        return index.map { entries[$0].vector }
    }

    /// Keeps a vector under the text that it was read from.
    mutating func keep(_ vector: VersionVector, _ bytes: Span<UInt8>, _ text: Text) {
        let range = text.range
        if entries.count == Self.maximumCount || texts.count + range.count > Self.maximumSize {
            index.removeAll()
            entries.removeAll(keepingCapacity: true)
            texts.removeAll(keepingCapacity: true)
        }
        entries.append(Entry(hash: text.hash, text: texts.count..<texts.count + range.count, vector: vector))
        bytes.append(range, to: &texts)
        index.insert(entries.count - 1, hash: text.hash)
    }
}
