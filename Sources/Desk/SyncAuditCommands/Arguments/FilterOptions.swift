import AuditAnalysis
import AuditReport
import ConflictAudit
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
}

extension ParsedArguments {
    /// The filter that the options of ``FilterOptions`` make up.
    func reportFilter(now: Int64) throws(UsageError) -> ReportFilter {
        ReportFilter(
            since: try time("since", now: now).map(WallTime.init(millisecondsSince1970:)),
            until: try time("until", now: now).map(WallTime.init(millisecondsSince1970:)),
            devices: Set(texts("device").map { DeviceID($0) }), recordTypes: Set(texts("record-type").map { RecordType($0) }),
            fields: Set(texts("field").map { FieldName($0) }), kinds: Set(try choices("kind", as: Conflict.Kind.self)),
            severities: Set(try choices("severity", as: Conflict.Severity.self)))
    }
}
