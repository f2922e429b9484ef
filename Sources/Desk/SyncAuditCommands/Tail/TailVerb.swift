/// `syncaudit tail`: the last lines of logs, and those that come.
enum TailVerb {
    /// What a line is written as.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case text
        case json
    }

    /// How many lines are shown where no number is given.
    static let standardCount = 10

    static let definition = VerbDefinition(
        name: "tail",
        summary: "Shows the last events of logs, one readable line each, and with -f those that come.",
        discussion: [
            """
            Without FILES the log is read from standard input. Filters of one name widen each other; filters of different names narrow, and only \
            events that pass them count. The last events of several files come in the order of their times.
            """,
            """
            With --follow, files are followed through rotation, truncation, deletion and late creation until the command is interrupted; \
            so are .jsonl files that come to be in a directory. What several files gain is shown as it comes, and so is all of standard input. \
            Lines that cannot be understood are counted and passed over. Lines that Apple's log, journald or a \
            container runtime has wrapped into its own are unwrapped.
            """,
            """
            Apple's log is read however it is printed: the text of Xcode's console, 'log show' in any style, idevicesyslog. What Core Data says there \
            of its mirroring to CloudKit, setups, imports and exports that begin, end or fail, is shown as events of the sync, with the error of each \
            record that was refused. Where such a log tells no whole time, the time is shown as it is there, or '-'.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value("lines", "N", short: "n", .wholeNumber, help: "How many of the last events are shown: \(standardCount) unless given."),
            .flag("follow", short: "f", help: "Goes on with what is written to the files, and waits for files that are not there."),
        ] + FilterOptions.definitions("events") + [
            .value(
                "category", "NAME", isRepeatable: true,
                help: "Only lines out of Apple's log, of this category: what the app gave to its sink, or CloudKit for Core Data's own."),
            .value(
                "format", "FORMAT", .choice(Format.allCases.map(\.rawValue)),
                help: "Whether events are written as readable text or as the JSON lines that they are: text unless given."),
            .value(
                "color", "WHEN", .choice(ColorChoice.allCases.map(\.rawValue)),
                help: "Whether to use colours: auto unless given, which means on a terminal where NO_COLOR is not set."),
            .name, .config,
        ],
        examples: [
            .init("syncaudit tail -f audit.jsonl", "The last ten events, and every one that follows."),
            .init(
                "syncaudit tail -n 20 --severity lossy --severity destructive logs/", "The last twenty losses in all logs of a directory."),
            .init(
                "journalctl -fo json -t app | syncaudit tail -f --format json - >> audit.jsonl",
                "The lines of one app out of the journal."),
            .init(
                "log show --last 1h --style ndjson | syncaudit tail -",
                "When Core Data's imports and exports began and how they ended, on a Mac."),
            .init("syncaudit tail -n 100 console.txt", "The same out of what Xcode's console has printed."),
        ])
}
