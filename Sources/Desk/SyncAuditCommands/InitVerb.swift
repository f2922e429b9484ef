import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncSystem

/// `syncaudit init`: a configuration from what a trace shows.
enum InitVerb {
    static let definition = VerbDefinition(
        name: "init",
        summary: "Writes a configuration file with the policies that a trace speaks for.",
        discussion: [
            """
            The trace is one that 'syncaudit audit' reads. It is decided again as by 'syncaudit replay'; each policy that would keep edits without asking a \
            person is written, with its reason on standard error, and so is, for each type, the field that looks like a name. What a trace cannot show is to \
            be added by hand: fields that are unique, references, and which values may be logged.
            """,
            """
            Every verb that reads logs uses the nearest \(AuditConfiguration.fileName) of the working directory and the folders around it, \
            and an app can read the \
            same file.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value("recorded", "NAME", .policy, help: "The policy by which the devices merged: last-writer-wins unless given."),
            .wholeRecords, .wholeRecordsOf, .bookkeeping, .window, .tolerance,
            .flag("lenient", help: "Passes over lines that cannot be understood, and counts them."),
            .value(
                "output", "FILE", short: "o", .path,
                help:
                    "The file, or - for standard output: \(AuditConfiguration.fileName) unless given. One that is there is never replaced."),
        ],
        examples: [
            .init("syncaudit init logs/", "Writes \(AuditConfiguration.fileName), to be looked through and kept with the app's sources."),
            .init("syncaudit init -o - writes.jsonl", "Shows it instead."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let path = arguments.text("output") ?? AuditConfiguration.fileName
        // What a link leads to is not the file that was asked for.
        let isThere = (try? FileStatus(path: path, followsLink: false)) != nil
        if path != "-", !path.hasPrefix("/dev/"), isThere {
            throw UsageError(
                "\(path.quoted) is there already; name another file with --output, or - to look at what would be written", verb: "init")
        }
        var rules = MergeRules()
        if let scope = arguments.text("recorded").flatMap({ MergeRules.Scope(optionName: $0) }) { rules.standard = scope }
        rules = rules.with(try arguments.intervals())
        rules.bookkeeping = try arguments.bookkeeping()
        let inputs = try arguments.inputs(context)
        var replay = PolicyReplay(
            recorded: PolicyReplay.Candidate(name: "recorded", rules: rules), candidates: [], wholeRecords: arguments.wholeRecords)
        var proposal = ConfigurationProposal()
        let counts = try context.source(inputs, isLenient: arguments.isSet("lenient")).read(into: &replay, &proposal)
        guard replay.writes > 0 else {
            throw CommandError(
                .badData, "\(inputs.first?.name ?? "standard input"):1: there is no write in it, and a configuration is made from writes")
        }
        // Paths begin at the file's folder.
        proposal.logs = path.contains("/") ? arguments.operands.filter { $0.hasPrefix("/") } : arguments.operands.filter { $0 != "-" }
        let untaken = proposal.take(replay.result().recommendations)
        try context.withOutput(path: path) { try $0.write(proposal.text) }
        for recommendation in untaken.prefix(shownUntaken) {
            let register =
                recommendation.register.field.map { "\(recommendation.register.type).\($0)" } ?? recommendation.register.type.rawValue
            context.note("not written: \(recommendation.policy) for \(register): \(recommendation.reason)")
        }
        if untaken.count > shownUntaken {
            let count = HumanNumber.count(untaken.count - shownUntaken)
            context.note("not written: \(count) more that a person has to choose; 'syncaudit replay' tells of all")
        }
        // Last, so that it stays on the screen.
        for sentence in proposal.reasons { context.note(sentence) }
        counts.note(context)
    }

    /// How many recommendations are named that were not taken.
    private static let shownUntaken = 3
}
