import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// `syncaudit story`: what happened to one record.
enum StoryVerb {
    static let definition = VerbDefinition(
        name: "story",
        summary: "Tells what happened to one record: every write, who had seen what, what was lost, and what each device shows now.",
        discussion: [
            """
            RECORD is TYPE/ID, as other verbs name it. Every write to it that any of FILES holds is told once, behind the writes that its writer had seen: \
            lines part where devices wrote without knowing of each other, and meet where a writer had seen both. Conflicts and losses are below the later \
            of their two writes. Without FILES the log is read from standard input.
            """,
            """
            When a device took a write of another one is known from that device's own log, by its own clock: the time at which it told the app of the \
            change. What is shown now is merged from all writes by the rules that the logs state, else those that the conflicts name, unless they are \
            given. Everything is read twice; what comes through a pipe is kept in a temporary file meanwhile.
            """,
        ],
        operands: "RECORD [FILES…|-]",
        options: [
            .value("field", "FIELD", .text, help: "Tells of one field alone."),
            .value(
                "format", "FORMAT", short: "f", .choice(AnswerFormat.allCases.map(\.rawValue)), help: "What is written: text unless given."),
            .value(
                "policy", "NAME", .policy, help: "The policy that the fleet merges by: what the logs tell unless given."),
            .policyFor, .deletes,
            .color,
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .name, .config,
            .output,
        ],
        examples: [
            .init("syncaudit story Card/42 logs/", "What happened to the card 42, out of all logs of a directory."),
            .init("syncaudit story Card/42 --field phone conflicts.jsonl writes.jsonl", "Its phone alone, from an audit and its trace."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let format = try arguments.choice("format", as: AnswerFormat.self) ?? .text
        let style = try arguments.style(context)
        let key = try record(arguments)
        var rest = arguments
        rest.operands.removeFirst()
        let files = try rest.logs(context)
        try arguments.checkOutputs(["output"], against: files, context)
        let inputs = try RepeatedInputs(files, isLenient: arguments.isSet("lenient"), context)
        var (named, records) = (NamedRules(), ChosenRecords([key]))
        let counts = try inputs.read(where: { $0.isConflict && records.contain($0, $1) }, { line, _ in named.observe(line.event) })
        try counts.check(files)
        let declared = ["policy", "policy-for", "deletes"].contains { arguments.isSet($0) } ? try arguments.mergeRules() : nil
        let rules = named.mergeRules(declared: declared)
        var story = RecordStory(of: key, field: arguments.text("field").map { FieldName($0) }, rules: rules)
        var recordNames = try arguments.recordNames(guesses: true)
        recordNames.narrow(to: [key])
        try inputs.read(
            where: { story.chooses($0, $1) },
            { line, _ in
                story.observe(line)
                recordNames.observe(line.event)
            })
        let told = story.answer
        if told.isEmpty {
            let name = "\(key.type.rawValue)/\(key.id.rawValue)".escaped(for: .terminal)
            throw CommandError(
                .noInput,
                "no line tells of \(name): 'syncaudit report --all' lists the records that have conflicts, and a name must be spelled as lines spell it"
            )
        }
        if let policy = rules.unknownPolicy(of: key.type) {
            context.note(
                "how the policy \(policy.escaped(for: .terminal)) decides is not in the logs: where it does, what is shown now is not certain"
            )
        }
        let answer = StoryAnswer(told, source: rest.inputWords ?? "-")
        try context.withOutput(path: arguments.text("output")) { sink in
            try sink.write(answer.written(as: format, PageLayout(style: style, width: context.width, names: recordNames)))
        }
        counts.note(context)
    }

    /// The record that the first operand names: its type is what is before the first slash.
    private static func record(_ arguments: ParsedArguments) throws(UsageError) -> RecordKey {
        guard let name = arguments.operands.first else {
            throw UsageError("the record is missing: name it as TYPE/ID, such as Card/42", verb: arguments.verb.name)
        }
        guard let slash = name.firstIndex(of: "/"), slash > name.startIndex else {
            throw UsageError("\(name.quoted) names no record: its type and its id are expected, such as Card/42", verb: arguments.verb.name)
        }
        return RecordKey(type: RecordType(String(name[..<slash])), id: RecordID(String(name[name.index(after: slash)...])))
    }
}
