import AuditLive
import AuditLog
import SyncBytes

/// `syncaudit top`: a live screen over logs that grow.
enum TopVerb {
    static let definition = VerbDefinition(
        name: "top",
        summary: "Shows logs live on one screen: losses by minute and by name, sync by device, latest losses.",
        discussion: [
            """
            Files, and .jsonl files that come to be in a directory, are read whole and then followed as 'syncaudit tail -f' does. Without FILES the log \
            is read from standard input; keys come from the terminal all the same.
            """,
            LiveOptions.keys,
        ],
        operands: "[FILES…|-]", options: LiveOptions.definitions,
        examples: [
            .init("syncaudit top logs/", "All logs of a directory, as they grow."),
            .init("syncaudit top --restore writes.jsonl logs/", "The same; r offers to append what gives a value back to writes.jsonl."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let inputs = try arguments.inputs(context, allowsMissing: true)
        let directories = arguments.operands.filter(Operands.isDirectory).map { FollowedDirectory(path: $0) { Operands.isLog($0) } }
        try LiveOptions.withSession(arguments, inputs, isLive: true, context) { try $0.follow(inputs, directories) }
    }
}

/// `syncaudit browse`: the same screen over logs that are complete.
enum BrowseVerb {
    static let definition = VerbDefinition(
        name: "browse",
        summary: "Shows logs on the screen of 'syncaudit top', read to their ends and not followed.",
        discussion: [
            "Without FILES the log is read from standard input; keys come from the terminal all the same.",
            LiveOptions.keys,
        ],
        operands: "[FILES…|-]", options: LiveOptions.definitions,
        examples: [.init("syncaudit browse audit.jsonl", "What was lost, to be walked through loss by loss.")])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let inputs = try arguments.inputs(context)
        try LiveOptions.withSession(arguments, inputs, isLive: false, context) { try $0.browse(inputs) }
    }
}

/// What `top` and `browse` have in common.
enum LiveOptions {
    static let keys = """
        Arrows move, Tab goes on to the next panel, s sorts it, Enter shows a loss, / finds a record, + and - filter by what a row is about, t jumps to a \
        time, v tells the record's story, l shows the line of the log, y copies the id, r proposes the line that gives a value back and asks for the file \
        that it is appended to, u undoes, q leaves, and ? lists all keys. The last 1,000 losses are kept and the others counted. A conflict that several \
        devices logged counts once.
        """

    static let definitions: [OptionDefinition] = [
        .value(
            "record", "TYPE/ID",
            help: "Lists only losses of this record at first, as Card/42; Esc takes the filter away, and v tells the record's story."),
        .value(
            "restore", "FILE", .path,
            help: "The file that r offers for write lines, as 'syncaudit restore' makes them: restored.jsonl unless given."),
        .color, .name, .config,
    ]

    /// What a screen without an event waits for.
    private static func awaited(_ arguments: ParsedArguments) -> String {
        if arguments.operands.isEmpty { return "events on standard input" }
        let sources = arguments.operands.map { operand in
            operand == "-" ? "standard input" : Operands.isDirectory(operand) ? "the .jsonl files of \(operand)" : operand
        }
        return "events in " + sources.joined(separator: ", ")
    }

    /// Takes the terminal over for a session, and gives it back however that ends.
    static func withSession(
        _ arguments: ParsedArguments, _ inputs: [CommandInput], isLive: Bool, _ context: CommandContext,
        _ body: (LiveSession) throws -> Void
    ) throws {
        if context.terminals.input, inputs.contains(.standardInput) {
            throw UsageError("keys come from the terminal, and so cannot logs: name files, or pipe them in", verb: arguments.verb.name)
        }
        let style = context.style(color: try arguments.choice("color", as: ColorChoice.self) ?? .auto, isFile: false)
        try arguments.checkOutputs(["restore"], against: inputs, context)
        let source = arguments.operands.map(\.shellOperand).joined(separator: " ")
        let verb = arguments.verb.name
        let screen = LiveScreen(
            title: "syncaudit \(verb) \(source)", source: source.isEmpty ? "-" : source, isLive: isLive, awaited: awaited(arguments),
            restorePath: arguments.text("restore") ?? "restored.jsonl", only: try arguments.records().first,
            names: try arguments.recordNames())
        let terminal = try LiveTerminal(context, verb: verb)
        let session = LiveSession(
            screen, terminal, style, inputs: inputs, names: NameSearch(arguments.namesOfRecords()), context)
        do {
            defer { terminal.restore() }
            try body(session)
        }
        // Not before the screen is gone.
        session.names.tell(context)
    }
}
