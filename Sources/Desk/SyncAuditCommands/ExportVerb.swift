/// `syncaudit export`: what logs count, for monitoring.
enum ExportVerb {
    /// What is written.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case prometheus
        case openMetrics = "openmetrics"
        case otlpMetrics = "otlp-metrics"
        case otlpLogs = "otlp-logs"
        case csv
        case json
    }

    static let definition = VerbDefinition(
        name: "export",
        summary: "Writes what logs count about conflicts for Prometheus, OpenTelemetry, spreadsheets and other programs.",
        discussion: [
            """
            prometheus is the text format that the node exporter's textfile collector takes, openmetrics the standard made from it. otlp-metrics and \
            otlp-logs are requests of the OpenTelemetry protocol in JSON, one to a line, as the collector's otlpjsonfile receiver reads them; the \
            logs hold a record for each conflict. csv and json hold the same numbers as prometheus.
            """,
            """
            A conflict that several devices logged counts once, and so does a write; with --watch in the log that was read first.
            """,
            """
            With --watch no total falls, also when it is stopped and started again: what it has counted is kept beside the output, in \
            OUTPUT.counters. What was counted of a log that was rotated away, emptied or deleted stays counted, and a log that was renamed, copied or \
            compressed is counted once. A series that comes later is written as 0 first and with its count after another TIME, so let TIME be no \
            shorter than the time between two scrapes; once written it stays. One process at a time keeps an output. The last line of a plain \
            file counts once its line break is there.
            """,
            "Without FILES the log is read from standard input. Filters of one name widen each other; filters of different names narrow.",
        ],
        operands: "[FILES…|-]",
        options: [
            .value(
                "format", "FORMAT", short: "f", .choice(Format.allCases.map(\.rawValue)), help: "What is written: prometheus unless given."),
            .value(
                "series", "N", .positiveInteger,
                help: "The most series of a metric that is broken down by fields or devices: 100 unless given. Totals always count all."),
            .value(
                "watch", "TIME", .duration,
                help:
                    "Goes on until it is stopped: looks at the files again after each such time, and where they have changed replaces the "
                    + "output, which --output names."
            ),
            .flag("values", help: "Lets otlp-logs hold the values, which may be personal."),
        ] + FilterOptions.definitions("conflicts") + [
            .allCopies,
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .config,
            .output,
        ],
        examples: [
            .init(
                "syncaudit export --watch 30s -o /var/lib/node_exporter/syncaudit.prom logs/",
                "Keeps a file up to date that the node exporter reads."),
            .init("syncaudit export -f otlp-logs --severity lossy --severity destructive logs/", "Every edit lost, as a log record."),
            .init("syncaudit audit writes.jsonl | syncaudit export -f csv -o conflicts.csv", "A trace's numbers for a spreadsheet."),
        ])
}
