import SyncModel

/// Logs that triggers write, after the statements of supa_audit and 2ndQuadrant's audit trigger, and after the manual of SQL Server's
/// change data capture.
extension KnownTool {
    static let triggers = [
        triggerLog, supaAudit(signs: false), supaAudit(signs: true), loggedActions(hasID: true), loggedActions(hasID: false),
        changeDataCapture,
    ]

    private typealias History = ToolHistory

    private static func optional(_ columns: FieldMap?) -> String? { columns.map { ToolHistory.json(.object($0)) } }

    /// A log of one's own, with a column for the author's clock.
    private static var triggerLog: KnownTool {
        let rows = History.changes.map { change in
            [
                String(change.number), "notes", change.word("INSERT", "UPDATE", "DELETE"), optional(change.before?.withoutTime),
                optional(change.after?.withoutTime), change.author, History.iso(change.edited), History.iso(change.received),
            ]
        }
        return KnownTool(
            nil, "a trigger's log of old and new rows",
            content: History.csv("id,table_name,op,old_row,new_row,changed_by,edited_at,changed_at", rows)
        ) { $0.tellsDeleteTimes = true }
    }

    private static func supaAudit(signs: Bool) -> KnownTool {
        let users = [
            "anna": "8a1c0f9e-0000-4000-8000-000000000001", "ben": "8a1c0f9e-0000-4000-8000-000000000002",
            "carl": "8a1c0f9e-0000-4000-8000-000000000003",
        ]
        let rows = History.changes.map { change in
            func id(_ row: History.Row?) -> String? { row.map { "5f3c9a00-0000-5000-8000-00000000000\($0.note)" } }
            let (old, new) = signs ? (change.before?.columns, change.after?.columns) : (change.before?.signed, change.after?.signed)
            let row = [
                String(change.number), id(change.after), id(change.before), change.word("INSERT", "UPDATE", "DELETE"),
                History.sql(change.received, digits: 6, zone: "+00"), "16431", "public", "notes", optional(new), optional(old),
            ]
            return signs ? row + [users[change.author], "authenticated"] : row
        }
        let columns = "id,record_id,old_record_id,op,ts,table_oid,table_schema,table_name,record,old_record"
        return KnownTool(
            "record_version of supa_audit", signs ? "of a Supabase project" : "",
            content: History.csv(signs ? columns + ",auth_uid,auth_role" : columns, rows)
        ) {
            $0.id = { "5f3c9a00-0000-5000-8000-00000000000\($0)" }
            if signs { $0.people = users }
        }
    }

    /// The user of the session is the app's, so that the rows' own column tells who saved.
    ///
    /// Which columns are the key it does not tell: they may be the number of a board, and that of a note on it.
    private static func loggedActions(hasID: Bool) -> KnownTool {
        func columns(_ row: History.Row) -> FieldMap {
            guard !hasID else { return row.signed }
            var columns = row.signed
            (columns["id"], columns["board_id"], columns["nr"]) = (
                nil, .number(JSONNumber(Int64(row.note % 2))), .number(JSONNumber(Int64(row.note / 2)))
            )
            return columns
        }
        func hstore(_ columns: FieldMap) -> String {
            columns.map { column in
                let text = column.value.string ?? History.json(column.value)
                return "\"\(column.name)\"=>\"\(["true": "t", "false": "f"][text] ?? text)\""
            }.joined(separator: ", ")
        }
        let rows = History.changes.map { change -> [String?] in
            let isUpdate = change.before != nil && change.after != nil
            let changed = FieldMap(change.changed(columns).map { ($0.name, $0.new) })
            let time = History.sql(change.received, digits: 6, zone: "+00")
            return [
                String(change.number), "public", "notes", "16402", "app", time, time, time, String(740 + change.number), "api", "10.0.0.7",
                "51022", nil, change.word("I", "U", "D"), (change.before ?? change.after).map { hstore(columns($0)) },
                isUpdate ? hstore(changed) : nil, "f",
            ]
        }
        let header =
            "event_id,schema_name,table_name,relid,session_user_name,action_tstamp_tx,action_tstamp_stm,action_tstamp_clk,transaction_id,"
            + "application_name,client_addr,client_port,client_query,action,row_data,changed_fields,statement_only"
        return KnownTool(
            "logged_actions of 2ndQuadrant's audit trigger", hasID ? "" : "with a key of two columns", content: History.csv(header, rows)
        ) { if !hasID { $0.id = { "\($0 % 2)/\($0 / 2)" } } }
    }

    /// The functions that read it give no time of the commit, so that an edit's time says nothing.
    private static var changeDataCapture: KnownTool {
        let rows = History.changes.flatMap { change -> [[String?]] in
            func row(_ operation: String, _ row: History.Row?) -> [String?] {
                guard let row else { return [] }
                let number = String(change.number, radix: 16)
                let lsn = "0x0000002C000001" + String(repeating: "0", count: 2 - number.count) + number + "0003"
                return [
                    lsn, operation, "0x3F", String(row.note), row.title, row.body, row.isTrashed ? "1" : "0", row.author,
                    History.sql(row.edited, digits: 7),
                ]
            }
            if change.before == nil { return [row("2", change.after)] }
            return change.after == nil ? [row("1", change.before)] : [row("3", change.before), row("4", change.after)]
        }
        return KnownTool(
            "change data capture of SQL Server",
            content: History.csv("__$start_lsn,__$operation,__$update_mask,id,title,body,deleted,updated_by,edited_at", rows)
        ) { $0.tellsEditTimes = false }
    }
}

extension ToolHistory.Row {
    /// The row's columns, without when and by whom it was edited.
    fileprivate var withoutTime: FieldMap {
        var columns = columns
        columns["edited_at"] = nil
        return columns
    }
}
