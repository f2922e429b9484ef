import SyncBytes
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
        let bytes: LineCursor.Text
        fileprivate let hash: UInt64
    }

    /// The text of the object that begins at a cursor if no name in it holds a closing brace; nil where there is no such text.
    ///
    /// Whether that is so need not be known: no other text than that of a whole object is ever kept.
    func text(_ start: LineCursor) -> Text? {
        guard let text = start.shortObject(within: Self.maximumLength) else { return nil }
        var hash = key.start(count: text.count)
        var index = 0
        while index < text.count &- 16 {
            hash = key.mix((text.word(at: index), text.word(at: index &+ 8)), into: hash)
            index &+= 16
        }
        // The last sixteen bytes overlap those before.
        let last =
            text.count < 16 ? (text.lastWord(at: 0), text.lastWord(at: 8)) : (text.word(at: text.count - 16), text.word(at: text.count - 8))
        return Text(bytes: text, hash: key.mix(last, into: hash))
    }

    /// The vector that a text stands for, where that is known.
    func vector(_ text: Text) -> VersionVector? {
        let index = index.find(text.hash) { entries[$0].hash == text.hash && text.bytes.equals(texts.span, in: entries[$0].text) }
        return index.map { entries[$0].vector }
    }

    /// Keeps a vector under the text that it was read from.
    mutating func keep(_ vector: VersionVector, _ text: Text) {
        if entries.count == Self.maximumCount || texts.count + text.bytes.count > Self.maximumSize {
            index.removeAll()
            entries.removeAll(keepingCapacity: true)
            texts.removeAll(keepingCapacity: true)
        }
        entries.append(Entry(hash: text.hash, text: texts.count..<texts.count + text.bytes.count, vector: vector))
        unsafe texts.append(contentsOf: text.bytes.bytes)
        index.insert(entries.count - 1, hash: text.hash)
    }
}
