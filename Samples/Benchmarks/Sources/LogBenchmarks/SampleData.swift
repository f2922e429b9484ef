import SeededRandom
import SyncModel

/// What people keep on their devices: types of records, their fields, and values.
struct SampleData {
    /// A type of record and its fields, and how many of a hundred records are of it.
    struct Kind {
        let type: RecordType
        let share: Int
        let texts: [FieldName]
        let others: [FieldName]
    }

    static let kinds = [
        Kind(type: "Contact", share: 40, texts: ["name", "email", "phone", "company", "notes"], others: ["favourite", "birthYear"]),
        Kind(type: "Note", share: 25, texts: ["title", "body"], others: ["pinned", "tags"]),
        Kind(type: "Task", share: 20, texts: ["title", "details", "assignee"], others: ["done", "priority", "due"]),
        Kind(type: "Photo", share: 10, texts: ["caption", "album"], others: ["rating", "width"]),
        Kind(type: "Bookmark", share: 5, texts: ["title", "url"], others: ["visits"]),
    ]

    private static let words = [
        "meeting", "with", "the", "team", "about", "next", "quarter", "budget", "call", "back", "on", "Monday", "prefers", "letters",
        "address", "changed", "new", "office", "third", "floor", "please", "confirm", "before", "travelling", "draft", "final", "version",
        "signed", "copy", "invoice", "paid", "open", "question", "review", "again", "after", "lunch", "train", "ticket", "Zürich", "São",
        "東京",
    ]
    private static let escaped = ["\n", "\t", "\"", "\\", " \"quoted\" ", "\r\n", "C:\\Users\\ada", "\u{1}"]

    /// The kind of the record of a number.
    static func kind(of record: Int) -> Kind {
        var rest = record % 100
        for kind in kinds {
            if rest < kind.share { return kind }
            rest -= kind.share
        }
        return kinds[0]
    }

    /// The record of a number.
    static func key(of record: Int) -> RecordKey {
        // Scattered as random identifiers are.
        let scattered = UInt64(record + 1) &* 0x9e37_79b9_7f4a_7c15
        let digits = String(scattered, radix: 16)
        return RecordKey(type: kind(of: record).type, id: RecordID(String(repeating: "0", count: 16 - digits.count) + digits))
    }

    /// A value of a field: mostly text, and in five of a hundred cases text that must be escaped.
    static func value(isText: Bool, _ random: inout SplitMix64) -> FieldValue {
        guard isText else {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .bool(Bool.random(using: &random))
            case 1: return .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in .string(random.pick(words)) })
            case 2: return .number(JSONNumber(Int.random(in: 1900...2026, using: &random)))
            default: return JSONNumber(Double(Int.random(in: 0..<10_000, using: &random)) / 100).map(FieldValue.number) ?? 0
            }
        }
        var text = random.pick(words)
        for _ in 0..<Int.random(in: 0..<2, using: &random) { text += " " + random.pick(words) }
        if random.happens(perMille: 62) { text += random.pick(escaped) + random.pick(words) }
        return .string(text)
    }
}
