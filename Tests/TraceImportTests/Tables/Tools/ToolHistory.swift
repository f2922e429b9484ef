import SyncBytes
import SyncModel

/// Five notes that three people save, as an app sends them: a form always whole, and beside it when it was edited.
///
/// Each tool writes down this one history in its own form.
enum ToolHistory {
    /// A row as the server keeps it.
    struct Row {
        let note: Int
        let title: String
        let body: String
        /// Who saved it last, and when by his clock, in seconds since the start.
        let author: String
        let edited: Int
        /// Whether the app shows it no more.
        var isTrashed = false
    }

    /// What a statement changed of a row.
    struct Change {
        /// The number of the change, from 1.
        let number: Int
        let note: Int
        let author: String
        /// When it was made by the author's clock, and when the server had it, in seconds since the start.
        let edited: Int
        let received: Int
        /// The row before, nil of one that is inserted, and after, nil of one that is deleted.
        let before: Row?
        let after: Row?

        /// One of three words, by what was done.
        func word(_ insert: String, _ update: String, _ delete: String) -> String {
            before == nil ? insert : after == nil ? delete : update
        }
    }

    /// An edit that was lost, as `1 title anna→ben put back`.
    static let lost = ["1 title anna→ben put back", "2 body ben→carl put back", "2 title ben→carl replaced"]
    /// Moved to the trash by somebody who was offline, as the time of his edit tells.
    static let trashed = "3 body ben→carl deleted"
    /// Deleted by somebody who was offline, of which most tools do not tell when he did.
    static let deleted = "5 body ben→carl deleted"

    static let changes: [Change] = {
        var (changes, rows) = ([Change](), [Int: Row]())
        func save(
            _ note: Int, _ author: String, at received: Int, edited: Int? = nil, _ form: (title: String, body: String)?,
            trashes: Bool = false
        ) {
            let edited = edited ?? received - 1
            let row = form.map { Row(note: note, title: $0.title, body: $0.body, author: author, edited: edited, isTrashed: trashes) }
            changes.append(
                Change(
                    number: changes.count + 1, note: note, author: author, edited: edited, received: received, before: rows[note],
                    after: row))
            rows[note] = row
        }
        save(1, "anna", at: 0, ("Shopping", "milk"))
        save(2, "anna", at: 10, ("Holiday", "by train"))
        save(3, "anna", at: 20, ("Draft", "first lines"))
        save(4, "ben", at: 30, ("Recipe", "flour"))
        save(5, "anna", at: 40, ("Plan", "six steps"))
        save(1, "anna", at: 60, ("Groceries", "milk"))
        save(2, "ben", at: 70, ("Summer", "on foot"))
        save(4, "carl", at: 90, ("Recipe", "flour, salt"))
        // Ben's form still shows the first title, and Carl's the first title and body.
        save(1, "ben", at: 120, ("Shopping", "eggs"))
        save(2, "carl", at: 130, ("Winter", "by train"))
        save(4, "anna", at: 150, ("Bread", "flour, salt"))
        save(4, "anna", at: 210, ("Bread", "flour, salt, yeast"))
        save(3, "ben", at: 600, ("Draft", "rewritten"))
        save(5, "ben", at: 640, ("Plan", "seven days"))
        // Nobody has missed anything of the fourth: it is deleted and made anew.
        save(4, "carl", at: 700, nil)
        save(4, "ben", at: 800, ("Recipe", "flour"))
        // Carl was offline from 300 on.
        save(3, "carl", at: 900, edited: 300, ("Draft", "first lines"), trashes: true)
        save(5, "carl", at: 1000, edited: 400, nil)
        return changes
    }()

    /// A time as RFC 3339 has it, to the millisecond.
    static func iso(_ seconds: Int) -> String { RFC3339.string(milliseconds: SavedRowTexts.start + Int64(seconds) * 1000) }

    /// A time as databases print it, with so many digits behind the second, and a zone.
    static func sql(_ seconds: Int, digits: Int = 0, zone: String = "") -> String {
        let text = iso(seconds).prefix(19).replacing("T", with: " ")
        return text + (digits > 0 ? "." + String(repeating: "0", count: digits) : "") + zone
    }

    /// A time in milliseconds since 1970.
    static func epoch(_ seconds: Int) -> Int64 { SavedRowTexts.start + Int64(seconds) * 1000 }

    /// Separated values with a header; nil is an empty cell.
    static func csv(_ header: String, _ rows: [[String?]]) -> String {
        let lines = rows.map { row in
            row.map { value in
                guard let value else { return "" }
                return value.contains { "\",\n".contains($0) } ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
            }.joined(separator: ",")
        }
        return ([header] + lines).joined(separator: "\n") + "\n"
    }

    /// A value as JSON.
    static func json(_ value: FieldValue) -> String {
        var bytes: [UInt8] = []
        JSONText.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Objects of JSON, one on each line.
    static func lines(_ objects: [FieldValue]) -> String { objects.map { json($0) + "\n" }.joined() }
}

extension ToolHistory.Row {
    /// The row's columns, without who saved it.
    var columns: FieldMap {
        [
            "id": .number(JSONNumber(Int64(note))), "title": .string(title), "body": .string(body), "deleted": .bool(isTrashed),
            "edited_at": .string(ToolHistory.iso(edited)),
        ]
    }

    /// The row's columns, with who saved it.
    var signed: FieldMap {
        var columns = columns
        columns["updated_by"] = .string(author)
        return columns
    }
}

extension ToolHistory.Change {
    /// The columns that an update changed: the old and the new value of each.
    func changed(_ columns: (ToolHistory.Row) -> FieldMap = { $0.columns }) -> [(name: FieldName, old: FieldValue, new: FieldValue)] {
        let (old, new) = (before.map(columns) ?? [:], after.map(columns) ?? [:])
        return Set(old.names).union(new.names).sorted().compactMap { name in
            let (before, after) = (old[name] ?? .null, new[name] ?? .null)
            return before == after ? nil : (name, before, after)
        }
    }
}

extension FieldMap {
    /// An object of names and values.
    init(_ elements: some Sequence<(FieldName, FieldValue)>) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
