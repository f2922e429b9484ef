import ConflictAudit

/// `syncaudit report`: a summary of logs.
enum ReportVerb {
    /// What a report is written as.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case table
        case json
        case summary
        case csv
        case markdown
        case html
    }

    /// Whom a page is for.
    enum Reader: String, Hashable, Sendable, CaseIterable {
        case developer
        case user
    }

    /// The size of a page, in bytes, beyond which a browser is slow.
    static let largestPage = 32 << 20

    /// The rows of the list of conflicts in a page: some megabytes, which a telephone still opens.
    static let defaultRows = 1000

    static let definition = VerbDefinition(
        name: "report",
        summary: "Sums up what logs say about conflicts: how many, where, and what was lost.",
        discussion: [
            "Without FILES the log is read from standard input. Filters of one name widen each other; filters of different names narrow.",
            """
            A conflict that several devices logged counts once, as the line tells it that is read first, and so does a write, by its device and number: \
            exactly up to 4,000,000 of each, which take 64 MiB; beyond them every line counts, and the report says about how many different ones there are.
            """,
            """
            FILES may be logs and summaries that this verb wrote with --format summary, of other files or on other machines. Summaries are added up: what \
            several of them have counts in each, and the report says about how many different conflicts there are.
            """,
            """
            With --format json the report is one object of less than 64 KiB, its lists as long as --top says and no longer. With --format summary it is \
            everything that was counted, for this verb to read back.
            """,
            """
            With --format html the report is one page that needs no network and no server: charts, a table of the gravest conflicts to sort and filter, \
            and what 'syncaudit show' tells of each. The page holds the values that these conflicts are about; --rows 0 leaves them out. What each \
            writer had seen stands in write lines: beside the output of 'syncaudit audit', name the trace. Everything is read twice; what comes through a \
            pipe is kept in a temporary file meanwhile.
            """,
            """
            With --for user the page tells a person in plain words which of their changes sync replaced, what was there before, and what their records \
            show now by all writes that FILES hold; by default on the day of the newest line, and else on the days that --since and --until name. Without \
            --user all devices count as this person's; a table of several authors needs it.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value("format", "FORMAT", short: "f", .choice(Format.allCases.map(\.rawValue)), help: "What is written: table unless given."),
            .flag(
                "all",
                help: """
                    With the table, everything that was counted instead of one screen; on a terminal in the program that SYNCAUDIT_PAGER or PAGER \
                    names, less unless given, none where it is cat or empty.
                    """),
            .value(
                "top", "N", short: "n", .positiveInteger, help: "The length of lists: 10 unless given, and what fits on one screen."),
            .value(
                "rows", "N", .wholeNumber,
                help: "The most conflicts that a page lists, the gravest and of these the newest: \(defaultRows) unless given."),
            .value("title", "TITLE", .text, help: "What a page is called, above its first sentence."),
            .value(
                "for", "READER", .choice(Reader.allCases.map(\.rawValue)),
                help: "Whom a page is for: developer unless given; user for the person whose edits were replaced."),
            .value(
                "user", "NAME", .name(.devices), isRepeatable: true,
                help: """
                    With --for user, a device of the person, or the author of rows: the page is about what was lost of theirs, and leaves out what \
                    others wrote.
                    """),
            .flag("show-others", help: "With --for user, shows also what others wrote."),
            .value(
                "language", "LANGUAGE", .path,
                help: "With --for user, the page's language: en unless given, de, fr, or a file of your own that ends in .json."),
            .value(
                "zone", "ZONE", .text,
                help: "With --for user, the zone of its times and days: UTC unless given, Europe/Berlin or +02:00."),
            .value(
                "watch", "TIME", .duration,
                help: """
                    Goes on until it is stopped: looks at the files again after each such time, and where they have changed replaces the output, which \
                    --output names. A page that is open loads itself again.
                    """),
        ] + FilterOptions.definitions("conflicts") + [
            .value(
                "color", "WHEN", .choice(ColorChoice.allCases.map(\.rawValue)),
                help: "Whether to use colours: auto unless given, which means on a terminal where NO_COLOR is not set."),
            .allCopies,
            .flag(
                "clock-what-if",
                help: """
                    Also says how many winners would change if the measured offsets of the clocks were corrected; takes memory for every conflict.
                    """),
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .name, .config,
            .output,
        ],
        examples: [
            .init("syncaudit report conflicts.jsonl", "Sums up one log, on one screen."),
            .init("syncaudit report --all logs/", "Everything that was counted."),
            .init("syncaudit report --format markdown logs/ > comment.md", "For a pull request."),
            .init("syncaudit report --format html -o report.html logs/", "A page to look through, sort and filter."),
            .init("syncaudit report --format html --watch 30s -o report.html logs/", "A page that follows the logs."),
            .init("syncaudit report --format html --for user -o changes.html logs/", "What sync replaced on the last day, for its user."),
            .init(
                "syncaudit report -f html --for user --user lena --language de rows.csv",
                "What sync replaced of Lena's, in German, without what others wrote."),
            .init("syncaudit report --since 2d --severity lossy --severity destructive logs/", "What was lost in the last two days."),
            .init(
                "syncaudit report --format json --output report.json 'logs/*.jsonl'",
                "The report for another program, complete or not at all."),
            .init(
                "syncaudit report --format summary -o monday.json logs/",
                "What was counted, put together with what is counted elsewhere."),
        ])
}
