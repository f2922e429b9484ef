import SyncModel

/// What databases stream of their changes, after Debezium's documentation of its connectors and of event flattening, wal2json's examples,
/// Maxwell's and Hasura's documentation, and that of CouchDB's changes feed.
extension KnownTool {
    static let feeds = [
        debezium(isPostgres: true), debezium(isPostgres: false), flattened, walTransactions, walRows, maxwell, hasura, couch,
    ]

    private typealias History = ToolHistory

    private static func value(_ columns: FieldMap?) -> FieldValue { columns.map(FieldValue.object) ?? .null }

    /// PostgreSQL tells of the row before only its key, unless asked to; MySQL tells all of it, and counts positions anew in each file.
    private static func debezium(isPostgres: Bool) -> KnownTool {
        let lines = History.changes.map { change -> String in
            var source: FieldMap = [
                "version": "2.7.0.Final", "connector": isPostgres ? "postgresql" : "mysql", "name": "app",
                "ts_ms": .number(JSONNumber(History.epoch(change.received))), "snapshot": "false", "db": "app", "table": "notes",
            ]
            var old = change.before?.signed
            if isPostgres {
                source["schema"] = "public"
                source["txId"] = .number(JSONNumber(Int64(600 + change.number)))
                source["lsn"] = .number(JSONNumber(Int64(24_023_128 + 56 * change.number)))
                if let before = change.before {
                    old = change.after == nil ? FieldMap(before.signed.map { ($0.name, $0.name == "id" ? $0.value : .null) }) : nil
                }
            } else {
                source["file"] = .string(change.number < 10 ? "binlog.000003" : "binlog.000004")
                source["pos"] = .number(JSONNumber(Int64(154 + 300 * (change.number % 10))))
            }
            let payload: FieldValue = [
                "before": value(old), "after": value(change.after?.signed), "source": .object(source),
                "op": .string(change.word("c", "u", "d")),
                "ts_ms": .number(JSONNumber(History.epoch(change.received) + 400)), "transaction": .null,
            ]
            let line =
                History.json(["schema": ["type": "struct", "optional": false, "name": "app.notes.Envelope"], "payload": payload]) + "\n"
            // What tells the log's compaction that the key is gone, as a consumer prints it.
            return change.after == nil ? line + "null\n" : line
        }
        return KnownTool("events of Debezium", isPostgres ? "PostgreSQL" : "MySQL", content: lines.joined()) { $0.file = "topic.json" }
    }

    /// Rows that delete repeat the row before, with whoever saved that.
    private static var flattened: KnownTool {
        let objects = History.changes.map { change -> FieldValue in
            var row = (change.after ?? change.before)?.signed ?? [:]
            for (name, value) in [
                ("__op", .string(change.word("c", "u", "d"))), ("__table", "notes"),
                ("__deleted", .string(change.after == nil ? "true" : "false")),
                ("__source_ts_ms", .number(JSONNumber(History.epoch(change.received)))),
                ("__lsn", .number(JSONNumber(Int64(24_023_128 + 56 * change.number)))),
            ] as [(FieldName, FieldValue)] {
                row[name] = value
            }
            return .object(row)
        }
        return KnownTool("flattened events of Debezium", content: History.lines(objects)) { $0.file = "topic.json" }
    }

    private static let names: [FieldName] = ["id", "title", "body", "deleted", "updated_by", "edited_at"]
    private static let types: [FieldValue] = ["integer", "text", "text", "boolean", "text", "timestamp with time zone"]

    /// A line for each transaction.
    private static var walTransactions: KnownTool {
        let objects = History.changes.map { change -> FieldValue in
            var row: FieldMap = ["kind": .string(change.word("insert", "update", "delete")), "schema": "public", "table": "notes"]
            if let after = change.after {
                row["columnnames"] = .array(names.map { .string($0.rawValue) })
                row["columntypes"] = .array(types)
                row["columnvalues"] = .array(names.map { after.signed[$0] ?? .null })
            }
            if change.before != nil {
                row["oldkeys"] = ["keynames": ["id"], "keytypes": ["integer"], "keyvalues": [.number(JSONNumber(Int64(change.note)))]]
            }
            return [
                "xid": .number(JSONNumber(Int64(600 + change.number))),
                "timestamp": .string(History.sql(change.received, digits: 6, zone: "+00")),
                "change": [.object(row)],
            ]
        }
        return KnownTool("changes of wal2json", "format 1", content: "{\"change\":[]}\n" + History.lines(objects)) { $0.file = "slot.json" }
    }

    /// A line for each row, and two around each transaction.
    private static var walRows: KnownTool {
        let objects = History.changes.flatMap { change -> [FieldValue] in
            let time = FieldValue.string(History.sql(change.received, digits: 6, zone: "+00"))
            var row: FieldMap = ["action": .string(change.word("I", "U", "D")), "timestamp": time, "schema": "public", "table": "notes"]
            if let after = change.after {
                row["columns"] = .array(
                    zip(names, types).map { ["name": .string($0.rawValue), "type": $1, "value": after.signed[$0] ?? .null] })
            }
            if change.before != nil {
                row["identity"] = [["name": "id", "type": "integer", "value": .number(JSONNumber(Int64(change.note)))]]
            }
            return [["action": "B", "timestamp": time], .object(row), ["action": "C", "timestamp": time]]
        }
        return KnownTool("changes of wal2json", "format 2", content: History.lines(objects)) { $0.file = "slot.json" }
    }

    /// Of an update the old values of what changed, of a delete the row as it was; times are in seconds.
    private static var maxwell: KnownTool {
        let objects = History.changes.map { change -> FieldValue in
            var row: FieldMap = [
                "database": "app", "table": "notes", "type": .string(change.word("insert", "update", "delete")),
                "ts": .number(JSONNumber(History.epoch(change.received) / 1000)), "xid": .number(JSONNumber(Int64(600 + change.number))),
                "commit": true, "data": value((change.after ?? change.before)?.signed),
            ]
            if change.before != nil, change.after != nil {
                row["old"] = .object(FieldMap(change.changed { $0.signed }.map { ($0.name, $0.old) }))
            }
            return .object(row)
        }
        return KnownTool("rows of Maxwell", content: History.lines(objects)) { $0.file = "maxwell.json" }
    }

    private static var hasura: KnownTool {
        let objects = History.changes.map { change -> FieldValue in
            [
                "id": .string("85558393-c75d-4d2f-9c15-e80591b0" + String(4894 + change.number)),
                "created_at": .string(History.sql(change.received, digits: 6, zone: "+00")),
                "trigger": ["name": "notes_all"], "table": ["schema": "public", "name": "notes"],
                "event": [
                    "op": .string(change.word("INSERT", "UPDATE", "DELETE")),
                    "session_variables": ["x-hasura-role": "user", "x-hasura-user-id": .string(change.author)],
                    "data": ["old": value(change.before?.columns), "new": value(change.after?.columns)],
                ],
                "delivery_info": ["max_retries": 0, "current_retry": 0],
            ]
        }
        return KnownTool("event log of Hasura", content: History.lines(objects)) { $0.file = "events.json" }
    }

    /// A document that is deleted keeps who did it, as an app writes it that wants to know.
    private static var couch: KnownTool {
        var revisions: [Int: Int] = [:]
        let objects = History.changes.map { change -> FieldValue in
            revisions[change.note, default: 0] += 1
            let revision = FieldValue.string("\(revisions[change.note] ?? 0)-967a00dff5e02add41819138abb328\(40 + change.number)")
            var document = change.after?.signed ?? ["updated_by": .string(change.author), "edited_at": .string(History.iso(change.edited))]
            document["id"] = nil
            document["_id"] = .string("note:\(change.note)")
            document["_rev"] = revision
            var row: FieldMap = [
                "seq": .string("\(change.number)-g1AAAACbeJzLYWBgYMpgTmHgz8tPSTV0MDQy1zMAQsMckEQiQ1L9"),
                "id": .string("note:\(change.note)"), "changes": [["rev": revision]], "doc": .object(document),
            ]
            if change.after == nil {
                document["_deleted"] = true
                row["doc"] = .object(document)
                row["deleted"] = true
            }
            return .object(row)
        }
        return KnownTool("changes of CouchDB", content: History.lines(objects)) {
            $0.file = "notes.json"
            $0.id = { "note:\($0)" }
            // Without the time at which the server had it, that of an edit shows nothing.
            $0.tellsEditTimes = false
        }
    }
}
