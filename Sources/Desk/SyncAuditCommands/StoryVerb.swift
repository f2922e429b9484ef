import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
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
            FILES may also be traces, tables that remember what was saved, and folders of git repositories. In a trace that nobody has audited the \
            conflicts over the record are found for the story; a table's rows are told in the server's order.
            """,
            """
            What a device had written when its store was put back from a backup, and no log of another device has, is gone and told as such; what it wrote \
            anew under another name is told by that name.
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
            .init("syncaudit story note/n7 note_versions.csv", "What the saves of a table did to the note n7."),
            .init("syncaudit story File/README.md ~/app", "How a file of a repository came to be as it is."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let format = try arguments.choice("format", as: AnswerFormat.self) ?? .text
        let style = try arguments.style(context)
        let key = try record(arguments)
        var rest = arguments
        rest.operands.removeFirst()
        let (files, hasTables, areTables, areFiles) = try rest.histories(of: key, context)
        try arguments.checkOutputs(["output"], against: files, context)
        let source = try context.source(files, isLenient: arguments.isSet("lenient"), isRepeated: true)
        var (named, losses) = (NamedRules(of: key.type), RecordLosses(of: key))
        let counts = try source.read(into: &named, &losses)
        try counts.check(files)
        let rules = try rules(arguments, named)
        let field = arguments.text("field").map { FieldName($0) }
        var story = RecordStory(of: key, field: field, rules: rules, losses: losses, isInServersOrder: areTables)
        var recordNames = try arguments.recordNames(guesses: true)
        recordNames.narrow(to: [key])
        try source.read(into: &story, &recordNames)
        if !hasTables { story.audit(by: arguments.configuration.auditRules) }
        let told = story.answer
        if told.isEmpty {
            let name = EventText.register(key, field)
            throw CommandError(
                .noInput,
                "no line tells of \(name): 'syncaudit report --all' lists the records that have conflicts, and names must be spelled as lines spell them"
            )
        }
        let isConcurrent = told.steps.contains { !$0.unseen.isEmpty }
        if isConcurrent, !named.tellAny, !["policy", "policy-for"].contains(where: { arguments.isSet($0) }) {
            context.note("no line names the policy of \(EventText.name(key.type.rawValue)): what is shown goes by last-writer-wins")
        }
        if isConcurrent, let policy = rules.unknownPolicy(of: key.type) {
            context.note(
                "how the policy \(policy.escaped(for: .terminal)) decides is not in the logs: where it does, what is shown now is not certain"
            )
        }
        // What only the story has found no log tells of, so that nothing can give it back yet.
        let answer = StoryAnswer(told, source: areFiles && !told.isAuditedHere ? rest.inputWords ?? "-" : nil)
        try context.withOutput(path: arguments.text("output")) { sink in
            try sink.write(answer.written(as: format, PageLayout(style: style, width: context.width, names: recordNames)))
        }
        counts.note(context)
    }

    /// The rules that the logs tell, and over them those that options give.
    private static func rules(_ arguments: ParsedArguments, _ named: NamedRules) throws -> MergeRules {
        var rules = named.mergeRules
        let given = try arguments.mergeRules()
        if arguments.isSet("deletes") { rules.deletes = given.deletes }
        if arguments.isSet("policy") { (rules.standard, rules.types, rules.fields) = (given.standard, [:], [:]) }
        if arguments.isSet("policy-for") {
            rules.types.merge(given.types) { $1 }
            for (type, fields) in given.fields { rules.fields[type, default: [:]].merge(fields) { $1 } }
        }
        return rules
    }

    /// The record that the first operand names: its type is what is before the first slash.
    private static func record(_ arguments: ParsedArguments) throws(UsageError) -> RecordKey {
        guard let name = arguments.operands.first else {
            throw UsageError("the record is missing: name it as TYPE/ID, such as Card/42", verb: arguments.verb.name)
        }
        guard let record = RecordKey(naming: name) else {
            throw UsageError("\(name.quoted) names no record: its type and its id are expected, such as Card/42", verb: arguments.verb.name)
        }
        return record
    }
}
