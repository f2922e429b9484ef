import SyncModel

/// Tables that keep each version with the time in which it was current, after Microsoft Learn and MariaDB's knowledge base, and
/// OpenStreetMap's history.
///
/// Such a table does not tell who deleted a row, and nothing of one that was deleted but that it ends.
extension KnownTool {
    static let temporal = [
        temporal("temporal history of SQL Server", "ValidFrom", "ValidTo", digits: 7, open: "9999-12-31 23:59:59.9999999"),
        temporal("temporal history of SQL Server", "valid_from", "valid_to", digits: 2, open: "9999-12-31 23:59:59.99"),
        temporal("temporal history of SQL Server", "SysStartTime", "SysEndTime", digits: 7, open: "9999-12-31 23:59:59.9999999"),
        temporal("system-versioned table of MariaDB", "row_start", "row_end", digits: 6, open: "2038-01-19 03:14:07.999999"),
        openStreetMap,
    ]

    private typealias History = ToolHistory

    /// All versions, those that are current first, as a query for all of them may give them.
    static func temporal(
        _ name: String, _ start: String, _ end: String, digits: Int, open: String, showsCurrent: Bool = true
    ) -> KnownTool {
        var (current, past) = ([[String?]](), [[String?]]())
        for change in History.changes {
            guard let row = change.after else { continue }
            let next = History.changes.first { $0.note == change.note && $0.number > change.number }
            let values = [
                String(row.note), row.title, row.body, row.isTrashed ? "1" : "0", row.author, History.sql(row.edited, digits: 3),
                History.sql(change.received, digits: digits), next.map { History.sql($0.received, digits: digits) } ?? open,
            ]
            if next == nil { current.append(values) } else { past.append(values) }
        }
        return KnownTool(
            name, start,
            content: History.csv("id,title,body,deleted,updated_by,edited_at,\(start),\(end)", (showsCurrent ? current : []) + past))
    }

    /// Elements as rows, of which a note's body is the latitude; the trash is a delete here.
    private static var openStreetMap: KnownTool {
        let users = ["anna": "4071", "ben": "20587", "carl": "911"]
        let bodies = Array(Set(History.changes.compactMap { $0.after?.body })).sorted()
        var versions: [Int: Int] = [:]
        let rows = History.changes.map { change -> [String?] in
            versions[change.note, default: 0] += 1
            let row = change.after?.isTrashed == true ? nil : change.after
            return [
                "node", String(change.note), versions[change.note].map(String.init), String(88_000 + change.number), row == nil ? "f" : "t",
                change.author, users[change.author], History.iso(change.received).replacing(".000Z", with: "Z"),
                row.flatMap { bodies.firstIndex(of: $0.body) }.map { "51.\(17 + $0)" }, row == nil ? nil : "7.25",
                row.map { History.json(["name": .string($0.title)]) },
            ]
        }
        return KnownTool(
            "history of OpenStreetMap", content: History.csv("type,id,version,changeset,visible,user,uid,timestamp,lat,lon,tags", rows)
        ) { ($0.type, $0.people, $0.fields, $0.tellsEditTimes) = ("node", users, ["title": "tags", "body": "lat"], false) }
    }
}
