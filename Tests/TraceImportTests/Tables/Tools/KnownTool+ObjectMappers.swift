import SyncModel

/// Histories of mappers of objects to tables, after the migrations of paper_trail and audited, the model of Laravel Auditing, the fields of
/// django-simple-history, the user guide of Hibernate Envers, Salesforce's object reference, the models of django-reversion, and Directus'
/// reference of revisions and activity.
extension KnownTool {
    static let objectMappers = [
        paperTrail(isYAML: false), paperTrail(isYAML: true), paperTrailWithoutChanges, audited(isYAML: false), audited(isYAML: true),
        laravelAuditing, simpleHistory, envers, salesforce, reversion, directus,
    ]

    private typealias History = ToolHistory

    private static let users = ["anna": "7", "ben": "9", "carl": "12"]

    private static func object(_ columns: FieldMap?) -> String? { columns.map { ToolHistory.json(.object($0)) } }

    private static func pairs(_ change: History.Change) -> FieldMap {
        FieldMap(change.changed().map { ($0.name, .array([$0.old, $0.new])) })
    }

    /// YAML as Ruby writes it, which both write unless their columns are made for JSON.
    private static func yaml(_ columns: FieldMap?) -> String? {
        guard let columns else { return nil }
        func scalar(_ value: FieldValue) -> String {
            switch value {
            case .null: ""
            case .string(let text) where text.hasPrefix("2026"): text.replacing("T", with: " ").replacing("Z", with: "000000 Z")
            case .string(let text): text.contains(", ") ? "'\(text)'" : text
            default: History.json(value)
            }
        }
        let lines = columns.map { column in
            guard let pair = column.value.array else { return "\(column.name): \(scalar(column.value))\n" }
            return "\(column.name):\n" + pair.map { "- \(scalar($0))\n" }.joined()
        }
        return "---\n" + lines.joined()
    }

    /// With a column of metadata for the author's clock.
    private static func paperTrail(isYAML: Bool) -> KnownTool {
        let object = isYAML ? yaml : object
        let rows = History.changes.map { change in
            [
                String(change.number), users[change.author], History.sql(change.received, digits: 6), String(change.note), "Note",
                change.word("create", "update", "destroy"), object(change.before?.columns), object(pairs(change)),
                History.iso(change.edited),
            ]
        }
        return KnownTool(
            "versions of paper_trail", isYAML ? "as YAML" : "",
            content: History.csv("id,whodunnit,created_at,item_id,item_type,event,object,object_changes,client_time", rows)
        ) { ($0.type, $0.people, $0.tellsDeleteTimes) = ("Note", users, true) }
    }

    /// The last row of a record shows only what was before it, so that what the last save made is not known: not of the first note, of
    /// which it put something back, nor of the second, nor of the third.
    private static var paperTrailWithoutChanges: KnownTool {
        let rows = History.changes.map { change in
            [
                String(change.number), users[change.author], History.sql(change.received, digits: 6), String(change.note), "Note",
                change.word("create", "update", "destroy"), object(change.before?.columns),
            ]
        }
        // Each is saved once more, after which the rows before are told.
        let later = [1, 2].map { note -> [String?] in
            let row = History.changes.last { $0.note == note }?.after
            return [String(100 + note), users["anna"], History.sql(2000), String(note), "Note", "update", object(row?.columns)]
        }
        return KnownTool(
            "versions of paper_trail", "without the changes",
            content: History.csv("id,whodunnit,created_at,item_id,item_type,event,object", rows + later)
        ) { ($0.type, $0.people, $0.tellsEditTimes) = ("Note", users, false) }
    }

    private static func audited(isYAML: Bool) -> KnownTool {
        let object = isYAML ? yaml : object
        var versions: [Int: Int] = [:]
        let rows = History.changes.map { change -> [String?] in
            versions[change.note, default: 0] += 1
            var changes = pairs(change)
            if change.before == nil { changes = change.after?.columns ?? [:] }
            if change.after == nil { changes = change.before?.columns ?? [:] }
            changes["id"] = nil
            return [
                String(change.number), String(change.note), "Note", nil, nil, users[change.author], "User", nil,
                change.word("create", "update", "destroy"), object(changes), versions[change.note].map(String.init), nil, "10.0.0.7",
                "9f0c2f6e-9f0c-4f6e-8f0c-0000000000\(change.number + 10)", History.sql(change.received, digits: 6),
            ]
        }
        return KnownTool(
            "audits of Rails' audited", isYAML ? "as YAML" : "",
            content: History.csv(
                "id,auditable_id,auditable_type,associated_id,associated_type,user_id,user_type,username,action,audited_changes,version,comment,"
                    + "remote_address,request_uuid,created_at", rows)
        ) { ($0.type, $0.people) = ("Note", users.mapValues { "User/" + $0 }) }
    }

    /// Two models of users have numbers of their own.
    private static var laravelAuditing: KnownTool {
        let users = ["anna": #"App\Models\User/7"#, "ben": #"App\Models\Admin/7"#, "carl": #"App\Models\User/12"#]
        let rows = History.changes.map { change -> [String?] in
            let user = users[change.author]?.split(separator: "/").map(String.init) ?? []
            let changed = change.changed()
            let old = change.before == nil ? nil : FieldMap(changed.map { ($0.name, $0.old) })
            let new = change.after == nil ? nil : FieldMap(changed.map { ($0.name, $0.new) })
            let time = History.sql(change.received)
            return [
                String(change.number), user[0], user[1], change.word("created", "updated", "deleted"), #"App\Models\Note"#,
                String(change.note), object(old) ?? "[]", object(new) ?? "[]", "https://notes.example/api", "10.0.0.7", "okhttp/4.12", nil,
                time, time,
            ]
        }
        return KnownTool(
            "audits of Laravel Auditing",
            content: History.csv(
                "id,user_type,user_id,event,auditable_type,auditable_id,old_values,new_values,url,ip_address,user_agent,tags,created_at,"
                    + "updated_at", rows)
        ) { ($0.type, $0.people) = (#"App\Models\Note"#, users) }
    }

    private static var simpleHistory: KnownTool {
        let rows = History.changes.map { change -> [String?] in
            let row = change.after ?? change.before
            return [
                row.map { String($0.note) }, row?.title, row?.body, row?.isTrashed == true ? "t" : "f", row.map { History.iso($0.edited) },
                String(change.number), History.sql(change.received, digits: 6, zone: "+00"), nil, change.word("+", "~", "-"),
                users[change.author],
            ]
        }
        return KnownTool(
            "history of django-simple-history",
            content: History.csv(
                "id,title,body,deleted,edited_at,history_id,history_date,history_change_reason,history_type,history_user_id", rows)
        ) { $0.people = users }
    }

    /// Joined with the table of revisions, in which an entity of one's own has the name of the user.
    private static var envers: KnownTool {
        let rows = History.changes.map { change -> [String?] in
            let next = History.changes.first { $0.note == change.note && $0.number > change.number }
            return [
                String(change.note), String(change.number), change.word("0", "1", "2"), next.map { String($0.number) }, change.after?.title,
                change.after?.body, change.after.map { $0.isTrashed ? "1" : "0" }, change.after.map { History.sql($0.edited, digits: 3) },
                String(History.epoch(change.received)), change.author,
            ]
        }
        return KnownTool(
            "audit table of Hibernate Envers",
            content: History.csv("id,REV,REVTYPE,REVEND,title,body,deleted,edited_at,REVTSTMP,username", rows))
    }

    /// Of a record that is deleted there is no history, and who makes one leaves no values.
    private static var salesforce: KnownTool {
        let users = ["anna": "0055g00000AnnAAAQ", "ben": "0055g00000BenAAAQ", "carl": "0055g00000CarlAAA"]
        var rows: [[String?]] = []
        for change in History.changes where change.after?.isTrashed != true && ![4, 5].contains(change.note) {
            func add(_ field: String, _ old: String?, _ new: String?) {
                rows.append([
                    "0175g0000000\(100 + rows.count)AAA", "false", "a015g00000NoteAA\(change.note)", users[change.author],
                    String(History.iso(change.received).dropLast()) + "+0000", field, old, new,
                ])
            }
            guard let before = change.before, let after = change.after else {
                add("created", nil, nil)
                continue
            }
            if before.title != after.title { add("Title__c", before.title, after.title) }
            if before.body != after.body { add("Body__c", before.body, after.body) }
        }
        return KnownTool(
            "field history of Salesforce",
            content: History.csv("Id,IsDeleted,ParentId,CreatedById,CreatedDate,Field,OldValue,NewValue", rows)
        ) {
            ($0.file, $0.type, $0.people) = ("Note__History.csv", "Note__History", users)
            $0.id = { "a015g00000NoteAA\($0)" }
            ($0.fields, $0.tellsEditTimes) = (["title": "Title__c", "body": "Body__c"], false)
        }
    }

    /// Each version is the whole record as Django serializes it; removals leave none, and no key comes again after one.
    private static var reversion: KnownTool {
        let rows = History.changes.compactMap { change -> [String?]? in
            guard let after = change.after, change.note != 4 || change.received < 700 else { return nil }
            let object: FieldValue = ["model": "app.note", "pk": .number(JSONNumber(Int64(change.note))), "fields": .object(after.columns)]
            return [
                String(change.number), String(change.note), "11", "json", History.json([object]), after.title, String(600 + change.number),
                users[change.author], History.sql(change.received, digits: 6, zone: "+00"),
            ]
        }
        return KnownTool(
            "versions of django-reversion",
            content: History.csv(
                "id,object_id,content_type_id,format,serialized_data,object_repr,revision_id,user_id,date_created", rows)
        ) { $0.people = users }
    }

    /// Revisions joined with their activity.
    private static var directus: KnownTool {
        let rows = History.changes.map { change -> [String?] in
            [
                String(change.number), String(600 + change.number), "notes", String(change.note), object(change.after?.columns),
                change.after == nil ? nil : object(FieldMap(change.changed().map { ($0.name, $0.new) })), nil,
                change.word("create", "update", "delete"), users[change.author], History.iso(change.received),
            ]
        }
        return KnownTool(
            "revisions of Directus",
            content: History.csv("id,activity,collection,item,data,delta,parent,action,user,timestamp", rows)
        ) { $0.people = users }
    }
}
