import SyncBytes
import SyncModel

/// The log that a trigger writes of whole-row saves, made from a seed: what each row is to be read as, and the log in any form.
struct TriggerLog {
    /// A row of the log.
    struct Row {
        let id: Int
        let note: String
        let action: String
        let old: String?
        let new: String?
        let by: String
        let at: String
    }

    private(set) var rows: [Row] = []
    /// The saved rows as ``SavedRowTexts`` writes them.
    private(set) var expected: [String] = []

    /// A log of three devices that save five notes, and sometimes delete one.
    init(seed: UInt64, count: Int) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var current: [String: (json: String, fields: String, version: Int)] = [:]
        for id in 1...count {
            let note = "n\(random(5))"
            let device = ["ann-phone", "ann-web", "ben-mac"][random(3)]
            let (received, delay) = (id * 60, random(30))
            let at = RFC3339.string(milliseconds: SavedRowTexts.start + Int64(received) * 1000)
            let before = current[note]
            let was = before.map { " was \($0.fields)" } ?? ""
            if let before, random(9) == 0 {
                rows.append(Row(id: id, note: note, action: "DELETE", old: before.json, new: nil, by: device, at: at))
                expected.append("note/\(note) \(device) r\(received) o\(id) delete\(was)")
                current[note] = nil
                continue
            }
            let version = (before?.version ?? 0) + 1
            let base = version > 1 && device != "ann-web" ? version - 1 - random(min(2, version - 1)) : nil
            let made = received - delay
            let fields = #"{"body":"say \"\#(random(40))\", é","tags":["a",\#(random(3))],"title":"t\#(random(4))"}"#
            let json =
                #"{"id":"\#(note)","updated_at":"\#(RFC3339.string(milliseconds: SavedRowTexts.start + Int64(made) * 1000))","version":\#(version),"#
                + #""device_id":"\#(device)","base_version":\#(base.map(String.init) ?? "null"),"# + fields.dropFirst()
            rows.append(
                Row(id: id, note: note, action: before == nil ? "INSERT" : "UPDATE", old: before?.json, new: json, by: device, at: at))
            expected.append(
                "note/\(note) \(device) m\(made) r\(received) o\(id) v\(version)\(base.map { " b\($0)" } ?? "") \(fields)\(was)")
            current[note] = (json, fields, version)
        }
    }

    private static let columns = ["id", "note_id", "action", "old_row", "new_row", "changed_by", "changed_at"]

    /// Separated values with a header.
    func separated(by separator: String) -> String {
        let lines = rows.map { row in
            [String(row.id), row.note, row.action, row.old ?? "", row.new ?? "", row.by, row.at].map { value in
                value.contains("\"") ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
            }.joined(separator: separator)
        }
        return ([Self.columns.joined(separator: separator)] + lines).joined(separator: "\n") + "\n"
    }

    /// Objects of JSON, with old and new rows as objects or as text that holds them.
    func objects(asText: Bool) -> [String] {
        func image(_ json: String?) -> String {
            guard let json else { return "null" }
            return asText ? "\"" + json.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#) + "\"" : json
        }
        return rows.map { row in
            #"{"id":\#(row.id),"note_id":"\#(row.note)","action":"\#(row.action)","old_row":\#(image(row.old)),"new_row":\#(image(row.new)),"#
                + #""changed_by":"\#(row.by)","changed_at":"\#(row.at)"}"#
        }
    }

    /// Statements of SQL that make the table, and two that are no history.
    var sql: String {
        func literal(_ text: String?) -> String { text.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "NULL" }
        let rows = rows.map { row in
            "INSERT INTO audit_log VALUES (\(row.id), \(literal(row.note)), \(literal(row.action)), \(literal(row.old)), \(literal(row.new)), "
                + "\(literal(row.by)), \(literal(row.at)));"
        }
        return """
            CREATE TABLE audit_log(id INTEGER PRIMARY KEY, note_id TEXT, action TEXT, old_row TEXT, new_row TEXT, changed_by TEXT, changed_at TEXT);
            CREATE TABLE notes(id TEXT PRIMARY KEY, title TEXT, updated_at TEXT, device_id TEXT);
            INSERT INTO notes VALUES ('n0', 't', '2026-01-15T09:00:00Z', 'ann-web'), ('n1', 't', '2026-01-15T09:00:00Z', 'ben-mac');
            CREATE TABLE settings(name TEXT, value TEXT);
            \(rows.joined(separator: "\n"))
            """
    }
}
