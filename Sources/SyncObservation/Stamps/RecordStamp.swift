public import SyncModel

/// What stands in one attribute of a record: who wrote it last, and, for each field whose export had not begun then, every version of the field that
/// the writer's store had held.
///
/// The text is a version of the form, the write's dot and time, and for each field its name, vector and hash:
/// `1phone.c:kf12oi2u;title:phone.c,tablet.7:=1k2j3h4`. Fields that the stamp does not name are not described by it.
///
/// ```swift
/// let stamp = RecordStamp("1phone.c:kf12oi2u;title:phone.c:=1k2j3h4")
/// ```
public struct RecordStamp: Hashable, Sendable {
    /// What the stamp says of one field.
    public struct Entry: Hashable, Sendable {
        /// The version's name.
        public let dot: Dot
        /// Every version of the field that the writer's store had held, this one included.
        public let vector: VersionVector
        /// Whether the store had held a version that no stamp described, so that the vector may lack some.
        public let isFogged: Bool
        let hash: ValueHash

        init(dot: Dot, vector: VersionVector, isFogged: Bool, hash: ValueHash) {
            self.dot = dot
            self.vector = vector
            self.isFogged = isFogged
            self.hash = hash
        }

        /// Whether the entry was made for this value.
        public func describes(_ value: FieldValue) -> Bool { hash == ValueHash(value) }
    }

    /// The name of the write that the stamp was made for.
    public let dot: Dot
    /// When it was made by its device's clock, in milliseconds since 1970.
    public let milliseconds: Int64
    /// What it says of the fields whose export had not begun.
    public let entries: [FieldName: Entry]

    init(dot: Dot, milliseconds: Int64, entries: [FieldName: Entry]) {
        self.dot = dot
        self.milliseconds = milliseconds
        self.entries = entries
    }

    private static let form: Character = "1"

    /// The stamp as it is kept in the model.
    public var text: String {
        var text = String(Self.form) + StampText.dot(dot.device, dot.sequence) + ":" + StampText.number(UInt64(clamping: milliseconds))
        for (field, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let others = entry.vector.entries.filter { $0.device != entry.dot.device }.map { StampText.dot($0.device, $0.sequence) }
            let dots = ([StampText.dot(entry.dot.device, entry.dot.sequence)] + others).joined(separator: ",")
            text += ";\(StampText.escaped(field.rawValue)):\(dots)\(entry.isFogged ? ":*" : ":=")\(StampText.number(entry.hash.rawValue))"
        }
        return text
    }

    /// Reads a stamp; nil where the text is none, or has a form of a later version.
    ///
    /// - Complexity: O(*n* log *n*) in the length of the text.
    public init?(_ text: String) {
        guard text.first == Self.form, text.utf8.count <= StampText.maximumBytes else { return nil }
        let parts = text.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
        let head = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        guard head.count == 2, let dot = StampText.dot(head[0]), let time = StampText.number(head[1]),
            parts.count <= StampText.maximumEntries
        else { return nil }
        var entries: [FieldName: Entry] = [:]
        for part in parts.dropFirst() {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 3, let field = StampText.word(words[0]), let entry = Entry(words[1], words[2]),
                entries.updateValue(entry, forKey: FieldName(field)) == nil
            else { return nil }
        }
        self.init(dot: dot, milliseconds: Int64(clamping: time), entries: entries)
    }
}

extension RecordStamp.Entry {
    fileprivate init?(_ list: Substring, _ mark: Substring) {
        let parts = list.split(separator: ",", omittingEmptySubsequences: false)
        let dots = parts.compactMap(StampText.dot)
        guard dots.count == parts.count, let own = dots.first, let kind = mark.first, kind == "*" || kind == "=",
            let hash = StampText.number(mark.dropFirst()), hash >> ValueHash.bits == 0,
            let vector = VersionVector(unordered: dots.map { ($0.device, $0.sequence) })
        else { return nil }
        self.init(dot: own, vector: vector, isFogged: kind == "*", hash: ValueHash(rawValue: hash))
    }
}
