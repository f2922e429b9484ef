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
    /// The name of the write that the stamp was made for.
    public let dot: Dot
    /// The time at which it was made, by its device's clock.
    public let time: WallTime
    /// What it says of the fields whose export had not begun.
    public let entries: [FieldName: FieldStamp]

    init(dot: Dot, time: WallTime, entries: [FieldName: FieldStamp]) {
        self.dot = dot
        self.time = time
        self.entries = entries
    }

    private static let form: Character = "1"

    /// The stamp as it is kept in the model.
    public var text: String {
        var text =
            String(Self.form) + StampText.dot(dot.device, dot.sequence) + ":"
            + StampText.number(UInt64(clamping: time.millisecondsSince1970))
        for (field, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text += ";\(StampText.escaped(field.rawValue)):\(entry.dots.joined(separator: ",")):\(entry.mark)"
        }
        return text
    }

    /// Reads a stamp; nil where the text is none, or has a form of a later version.
    ///
    /// - Complexity: O(*n* log *n*) in the length of the text.
    public init?(_ text: String) {
        guard text.first == Self.form, text.utf8.count <= StampText.maximumBytes else { return nil }
        let parts = StampText.split(text.dropFirst(), at: ";")
        let head = StampText.split(parts[0], at: ":")
        guard head.count == 2, let dot = StampText.dot(head[0]), let time = StampText.number(head[1]),
            parts.count <= StampText.maximumEntries
        else { return nil }
        var entries: [FieldName: FieldStamp] = [:]
        for part in parts.dropFirst() {
            let words = StampText.split(part, at: ":")
            guard words.count == 3, let field = StampText.word(words[0]),
                let entry = FieldStamp(StampText.split(words[1], at: ","), words[2]),
                entries.updateValue(entry, forKey: FieldName(field)) == nil
            else { return nil }
        }
        self.init(dot: dot, time: WallTime(millisecondsSince1970: Int64(clamping: time)), entries: entries)
    }
}
