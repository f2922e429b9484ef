import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncModel

/// The options that say which conflicts or lines a verb is about.
enum FilterOptions {
    /// The options of a verb that is about some things, named in the plural.
    static func definitions(_ things: String) -> [OptionDefinition] {
        [
            .value(
                "since", "TIME", .time(.start),
                help: "Only \(things) from this time on: 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z."),
            .value("until", "TIME", .time(.end), help: "Only \(things) before this time; a date includes its day."),
            .value("device", "DEVICE", .name(.devices), isRepeatable: true, help: "Only \(things) in which this device wrote."),
            .value("record-type", "TYPE", .name(.types), isRepeatable: true, help: "Only \(things) of records of this type."),
            .value("record", "TYPE/ID", isRepeatable: true, help: "Only \(things) of this record, as Card/42: its type and its identity."),
            .value(
                "field", "FIELD", .name(.fields), isRepeatable: true,
                help: "Only \(things) of this field: of every type, or as TYPE.FIELD of one."),
            .value(
                "kind", "KIND", .choice(Conflict.Kind.allCases.map(\.rawValue)), isRepeatable: true, help: "Only conflicts of this kind."),
            .value(
                "severity", "SEVERITY", .choice(Conflict.Severity.allCases.map(\.rawValue)), isRepeatable: true,
                help: "Only conflicts of this severity."),
        ]
    }

    /// Those of a verb that gives losses back, which calls a device whoever writes, and knows of no conflict that lost nothing.
    static let ofLosses = definitions("losses").filter { !["device", "kind", "severity"].contains($0.name) }
}

extension ParsedArguments {
    /// The filter that the options of ``FilterOptions`` make up.
    func reportFilter(now: Int64) throws(UsageError) -> ReportFilter {
        var filter = try lossFilter(now: now)
        filter.devices = Set(texts("device").map { DeviceID($0) })
        filter.kinds = Set(try choices("kind", as: Conflict.Kind.self))
        filter.severities = Set(try choices("severity", as: Conflict.Severity.self))
        return filter
    }

    /// The filter that those of them make up which ``FilterOptions/ofLosses`` are.
    func lossFilter(now: Int64) throws(UsageError) -> ReportFilter {
        ReportFilter(
            since: try time("since", now: now).map(WallTime.init(millisecondsSince1970:)),
            until: try time("until", now: now).map(WallTime.init(millisecondsSince1970:)),
            recordTypes: Set(texts("record-type").map { RecordType($0) }), records: Set(try records()),
            fields: Set(texts("field").map { FieldName($0) }))
    }

    /// The records that `--record` names.
    func records() throws(UsageError) -> [RecordKey] {
        try parsed("record") { text throws(ValueProblem) in
            guard let record = RecordKey(naming: text) else {
                throw ValueProblem("\(text.quoted) names no record; one looks like Card/42, its type and its identity")
            }
            return record
        }
    }
}
