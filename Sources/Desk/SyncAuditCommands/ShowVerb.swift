import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes

/// `syncaudit show`: one conflict whole.
enum ShowVerb {
    static let definition = VerbDefinition(
        name: "show",
        summary: "Shows one conflict whole: who wrote what when, why one side won, and what was lost.",
        discussion: [
            "ID is the conflict's id or the beginning of it. Without FILES the log is read from standard input.",
            """
            What each writer had seen stands in write lines. Where the log holds conflicts alone, such as the output of 'syncaudit audit', name the \
            trace as well. Everything is read twice; what comes through a pipe is kept in a temporary file meanwhile.
            """,
        ],
        operands: "ID [FILES…|-]",
        options: [
            .value(
                "format", "FORMAT", short: "f", .choice(AnswerFormat.allCases.map(\.rawValue)), help: "What is written: text unless given."),
            .color,
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .name, .config,
            .output,
        ],
        examples: [
            .init("syncaudit show 3f2a logs/", "The conflict whose id begins with 3f2a, out of all logs of a directory."),
            .init("syncaudit show 3f2a conflicts.jsonl writes.jsonl", "The same, with what each writer had seen."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let format = try arguments.choice("format", as: AnswerFormat.self) ?? .text
        let style = try arguments.style(context)
        let output = arguments.text("output")
        var names = try arguments.recordNames()
        var search = NameSearch(arguments.namesOfRecords())
        let lookup = try ConflictLookup(arguments, context, names: &names, &search)
        let details = ConflictDetails(lookup.logged, history: lookup.history, versions: lookup.versions)
        let source = arguments.operands.dropFirst().map(\.shellOperand).joined(separator: " ")
        let answer = ConflictAnswer(details, source: source.isEmpty ? "-" : source)
        try context.withOutput(path: output) { sink in
            try sink.write(answer.written(as: format, PageLayout(style: style, width: context.width, names: names)))
        }
        search.tell(context)
        lookup.counts.note(context)
    }
}
