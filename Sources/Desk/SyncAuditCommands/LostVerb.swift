import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

/// `syncaudit lost`: the ledger of discarded values.
enum LostVerb {
    /// What the ledger is written as.
    enum Format: String, Hashable, Sendable, CaseIterable {
        case table
        case json
        case csv
    }

    static let definition = VerbDefinition(
        name: "lost",
        summary: "Lists the values that were lost, by device, field and age, and which of them the log can restore.",
        discussion: [
            """
            Without FILES the log is read from standard input; on a terminal the table is shown by the program that SYNCAUDIT_PAGER or PAGER names. \
            A conflict that several devices logged is one loss. Filters of one name widen each \
            other; filters of different names narrow.
            """,
            """
            A value counts as restored where a later write, whose writer had seen both sides, wrote it again. Only write lines tell: beside the \
            output of 'syncaudit audit', name the trace. Memory grows with the values lost, not with the lines read.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value("format", "FORMAT", short: "f", .choice(Format.allCases.map(\.rawValue)), help: "What is written: table unless given."),
            .value("top", "N", short: "n", .positiveInteger, help: "The length of the table's lists: 10 unless given."),
            .flag(
                "reverts",
                help: """
                    Lists instead, from a trace, the edits that writers who had seen them put back to what those edits had replaced: nobody's loss by the \
                    writes, and what a resolver that keeps its own side writes.
                    """),
        ] + FilterOptions.definitions("losses") + [
            .color,
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .name, .config,
            .output,
        ],
        examples: [
            .init("syncaudit lost --since 7d logs/", "What the last week has cost, in all logs of a directory."),
            .init(
                "syncaudit lost conflicts.jsonl writes.jsonl", "The output of 'syncaudit audit', and which values were written again since."
            ),
            .init("syncaudit lost --device iPad --format csv -o lost.csv logs/", "What the iPad lost, for a spreadsheet."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let now = context.now()
        var ledger = LossLedger(filter: try arguments.reportFilter(now: now), findsBenign: true)
        let format = try arguments.choice("format", as: Format.self) ?? .table
        let top = try arguments.positiveInteger("top") ?? 10
        let style = try arguments.style(context, isPaged: format == .table)
        let output = arguments.text("output")
        let files = try arguments.logs(context)
        try arguments.checkOutputs(["output"], against: files, context)

        if arguments.isSet("reverts") { return try runReverts(files, format, top: top, style, arguments, context) }
        var names = NameSearch(arguments.namesInFilter() + arguments.namesOfRecords())
        var recordNames = try arguments.recordNames()
        let source = try context.source(files, isLenient: arguments.isSet("lenient"), isRepeated: true)
        let counts = try source.read(into: &ledger, &names, &recordNames)
        try counts.check(files)
        ledger.dropBenign()
        let answer = LossesAnswer(ledger, now: now, source: arguments.inputWords ?? "FILES")
        try context.withOutput(path: output, isPaged: format == .table) { sink in
            switch format {
            case .table: try sink.write(answer.text(PageLayout(top: top, style: style, width: context.width, names: recordNames)))
            case .json: try sink.write(answer.json)
            case .csv: try sink.write(answer.csv)
            }
        }
        // A table of losses has no row that could say it.
        if format == .csv, let sentence = ledger.evidence.unauditedSentence {
            context.note("\(sentence); to find out: \(AuditEvidence.command("lost"))")
        }
        if format == .csv, let sentence = answer.benignSentence { context.note(sentence) }
        names.tell(context)
        counts.note(context)
    }

    private static func runReverts(
        _ files: [CommandInput], _ format: Format, top: Int, _ style: TerminalStyle, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        var ledger = RevertLedger(filter: try arguments.reportFilter(now: context.now()), rules: arguments.configuration.mergeRules)
        var names = NameSearch(arguments.namesInFilter() + arguments.namesOfRecords())
        var recordNames = try arguments.recordNames()
        let counts = try context.source(files, isLenient: arguments.isSet("lenient")).read(into: &ledger, &names, &recordNames)
        try counts.check(files)
        let answer = RevertsAnswer(ledger)
        try context.withOutput(path: arguments.text("output"), isPaged: format == .table) { sink in
            switch format {
            case .table: try sink.write(answer.text(PageLayout(top: top, style: style, width: context.width, names: recordNames)))
            case .json: try sink.write(answer.json)
            case .csv: try sink.write(answer.csv)
            }
        }
        names.tell(context)
        counts.note(context)
    }
}
