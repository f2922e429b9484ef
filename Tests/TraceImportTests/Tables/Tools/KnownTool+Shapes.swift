import SyncModel

/// Tables that people make themselves, and what of them is told by the values alone.
extension KnownTool {
    static let shapes = [copiedRows, patches, events, entities]

    private typealias History = ToolHistory

    /// A trigger copies the row that it removes into the history, with its version and the time of its last edit.
    private static var copiedRows: KnownTool {
        var versions: [Int: Int] = [:]
        let rows = History.changes.map { change -> [String?] in
            let row = change.after ?? change.before
            versions[change.note, default: 0] += change.after == nil ? 0 : 1
            return [
                String(change.number), "n\(change.note)", row?.title, row?.body, row?.isTrashed == true ? "1" : "0", change.author,
                row.map { History.iso($0.edited) }, History.iso(change.received), String(versions[change.note] ?? 0),
                change.word("INSERT", "UPDATE", "DELETE"),
            ]
        }
        return KnownTool(
            nil, "history that copies removed rows",
            content: History.csv("seq,note_id,title,body,deleted,device_id,updated_at,saved_at,version,action", rows)
        ) {
            $0.type = "note"
            $0.id = { "n\($0)" }
        }
    }

    /// Each row tells what it changed as a JSON Patch.
    private static var patches: KnownTool {
        let rows = History.changes.map { change -> [String?] in
            let steps = change.changed { ["title": .string($0.title), "body": .string($0.body), "deleted": .bool($0.isTrashed)] }.map {
                step -> FieldValue in
                let word = change.before == nil ? "add" : change.after == nil ? "remove" : "replace"
                return ["op": .string(word), "path": .string("/" + step.name.rawValue), "value": step.new]
            }
            return [
                String(change.number), "n\(change.note)", change.author, History.iso(change.received),
                change.word("create", "update", "delete"), History.json(.array(steps)),
            ]
        }
        return KnownTool(nil, "JSON Patches", content: History.csv("id,note_id,author,created_at,op,patch", rows)) {
            $0.type = "note"
            $0.id = { "n\($0)" }
            $0.tellsEditTimes = false
        }
    }

    /// A line for each event, in which the record is an object with its own identity.
    private static var events: KnownTool {
        let objects = History.changes.map { change -> FieldValue in
            [
                "at": .string(History.iso(change.received)), "actor": ["name": .string(change.author), "role": "member"],
                "event": .string("note." + change.word("created", "updated", "deleted")),
                "note": .object((change.after ?? change.before)?.columns ?? [:]),
            ]
        }
        return KnownTool(nil, "events with the record inside", content: History.lines(objects)) { $0.file = "notes.jsonl" }
    }

    /// The record before and after, in columns whose names differ in that alone.
    private static var entities: KnownTool {
        let rows = History.changes.map { change -> [String?] in
            [
                String(change.number), "n\(change.note)", change.word("INSERT", "UPDATE", "DELETE"),
                change.before.map { History.json(.object($0.columns)) }, change.after.map { History.json(.object($0.columns)) },
                change.author, History.iso(change.received),
            ]
        }
        return KnownTool(
            nil, "entities before and after",
            content: History.csv("auditId,noteId,operation,oldEntity,newEntity,createdBy,createdAt", rows)
        ) {
            $0.type = "note"
            $0.id = { "n\($0)" }
        }
    }
}
