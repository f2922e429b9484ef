import ConflictAudit

/// `syncaudit report`: a summary of logs.
enum ReportVerb {
    /// What a report is written as.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case table
        case json
    }

    static let definition = VerbDefinition(
        name: "report",
        summary: "Sums up what logs say about conflicts: how many, where, and what was lost.",
        discussion: [
            "Without FILES the log is read from standard input. Filters of one name widen each other; filters of different names narrow."
        ],
        operands: "[FILES…|-]",
        options: [
            .value("format", "FORMAT", short: "f", .choice(Format.allCases.map(\.rawValue)), help: "What is written: table unless given."),
            .value("top", "N", short: "n", .positiveInteger, help: "The length of lists: 10 unless given."),
            .value(
                "since", "TIME", .moment(.start),
                help: "Only conflicts from this moment on: 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z."),
            .value("until", "TIME", .moment(.end), help: "Only conflicts before this moment; a date includes its day."),
            .value("device", "DEVICE", isRepeatable: true, help: "Only conflicts in which this device wrote."),
            .value("record-type", "TYPE", isRepeatable: true, help: "Only conflicts of records of this type."),
            .value("field", "FIELD", isRepeatable: true, help: "Only conflicts of this field."),
            .value(
                "kind", "KIND", .choice(Conflict.Kind.allCases.map(\.rawValue)), isRepeatable: true, help: "Only conflicts of this kind."),
            .value(
                "severity", "SEVERITY", .choice(Conflict.Severity.allCases.map(\.rawValue)), isRepeatable: true,
                help: "Only conflicts of this severity."),
            .value(
                "color", "WHEN", .choice(ColorChoice.allCases.map(\.rawValue)),
                help: "Whether to use colours: auto unless given, which means on a terminal where NO_COLOR is not set."),
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .value("output", "FILE", short: "o", .path, help: "Writes to a file, complete or not at all, instead of standard output."),
        ],
        examples: [
            .init("syncaudit report conflicts.jsonl", "Sums up one log."),
            .init("syncaudit report --since 2d --severity lossy --severity destructive logs/", "What was lost in the last two days."),
            .init(
                "syncaudit report --format json --output report.json 'logs/*.jsonl'",
                "The summary for another program, complete or not at all."),
        ])
}
