import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncMerge

/// `syncaudit check`: whether a log, or a fleet of logs, is sound.
enum CheckVerb {
    static let definition = VerbDefinition(
        name: "check",
        summary: "Checks whether logs are sound: complete, true to the policy, and in agreement with each other.",
        discussion: [
            """
            Looks for lines that cannot be understood, are torn, missing, out of order or there twice; conflicts that are not what their writes make, or \
            of which no line tells, decided again by the same merge in the order in which the writes arrived; devices that tell of one conflict \
            differently; replicas that had merged the same and held something else; writes that were \
            acknowledged and are nowhere else; one name for two writes; writes that say to have seen each other; times that are not those of the edit; \
            devices that keep taking a field from each other; and clocks that are off. The more of a fleet's logs are named, the more can \
            be held against each other.
            """,
            """
            A clock that is whole hours off, as in another time zone, shows even in a bare trace where its lines have "received": from some write on \
            nothing arrives sooner than so many hours after its stamp, and at least three deliveries arrive within two minutes of it. Of a device whose \
            writes are always late nothing can be said.
            """,
            """
            The command ends with 1 where there are findings. With --fail-on it ends with 1 where one of its limits holds, and else with 0: all else is \
            told and does no harm. A limit is a kind of finding or a measure, one of > >= < <= == !=, and a number; the name alone stands for more than 0. \
            Kinds: \(CheckFinding.Kind.allCases.map(\.rawValue).joined(separator: ", ")). \
            Measures: findings (all kinds that are no warnings), warnings (absent_log, mass_effect, size), conflicts, lossy (conflicts that discarded \
            an edit), lostEdits (these edits, each once), destructive, unresolved, clockSuspect, massEffects, \
            alternations, lossyPerThousandWrites, conflictsPerThousandWrites; and of sync itself, as the devices' own logs tell it: syncFailures, \
            failingDevices, silentDevices (without a success in the last week of the logs), \
            refusedWrites, oldestUnsentHours, hoursWithoutSync, uploadP95Seconds (from a write to the hub), deliveryP95Seconds (to its \
            merge on other devices), missedPulses and leftUnshown (how often an app did not look at what was merged in time, and left the foreground \
            without having shown it). Ages are those at the end of the logs, and need a number.
            """,
            """
            What may be ignored is kept in .syncaudit.json, each with a reason, and with a last day where there is one, beside the limits: \
            {"check": {"failOn": ["lossy", "clock"], "ignore": [{"kind": "clock", "about": "iPad-7", "reason": "it has no network", "until": \
            "2026-12-31"}]}}. What a finding is about --format json tells as "about"; without it the whole kind is ignored. --baseline leaves out \
            what an earlier check has found and --write-baseline wrote: findings by their kind and what they are about, whatever file or line tells \
            of them, and conflicts by their ids. Measures count new conflicts alone then.
            """,
            """
            Memory grows with the distinct writes and conflicts, which are kept: about as much as the lines that tell of them for the first time.
            """,
            """
            Sizes are warnings, for not every server is CloudKit: a write of more than 1 MB beside its assets, an asset of more than 50 MB once decoded, \
            and more than 3 MB that waited to be sent at a time, by what a log says of its outbox or by the times and receipts of a trace.
            """,
            """
            Mass effects are warnings too, for people empty lists: a device that deletes or overwrites more than --mass of the live records, and ten at least, \
            within one sync, whether it had seen them or, like a store that was empty or put back, had not. The records are those of the devices that share \
            any with it; a sync is what lies between two exports in the device's log, or else what was received, or written, with pauses of ten seconds at \
            most. That it had not seen what it replaced is said only where causal contexts prove it. Fails with --fail-on 'massEffects>0'.
            """,
            """
            The rules are those that the log of an audit states, else those that the lines name, most of them where they disagree, unless \
            they are given. Of a policy of the app's own \
            everything but the choice of the winner is made again; a list of preferred devices that is not given is inferred from the lines. \
            clockSuspect is taken as it is told, since a device may know of others' clocks what its log does not say. \
            What the hub's order decided is not decided again where a \
            log says that the hub was put back or replaced. A conflict can only be held against writes that are in the \
            files: the output says of how many lines that is true. Without signatures nobody can know of lines cut off at either end of a log, of logs \
            that are missing as a whole, of an ancestor left out that was written before its record was last deleted, or of forgeries that agree with each \
            other everywhere.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value(
                "fail-on", "LIMITS", .limits, isRepeatable: true,
                help: "Ends with 1 where one of these holds, and only then, such as 'lossy,clock,hoursWithoutSync>24'."),
            .value(
                "ignore", "KIND=REASON", .ignoredFindings, isRepeatable: true,
                help: "Findings of a kind that are counted and do no more, and why, such as 'clock=the test devices have no network'."),
            .value(
                "record", "TYPE/ID", isRepeatable: true,
                help: "Only findings and conflicts of this record, as Card/42; what is about a whole log is counted and left out."),
            .value("baseline", "FILE", .path, help: "Tells only what is not in it."),
            .value("write-baseline", "FILE", .path, help: "Writes what is found, for --baseline."),
            .value(
                "policy", "NAME", .policy, help: "The policy that the fleet is to merge by: what each conflict's line names unless given."),
            .policyFor,
            .deletes,
            .value(
                "window", "TIME", .duration, help: "What 'syncaudit audit' was given, where no line tells: 5m unless given."),
            .value("tolerance", "TIME", .duration, help: "What 'syncaudit audit' was given, where its log does not tell: 2s unless given."),
            .value(
                "mass", "SHARE", .probability,
                help: "Warns of a device that deletes or overwrites more of the records within one sync: 0.5 unless given."),
            .unique, .reference,
            .wholeRecords, .wholeRecordsOf, .bookkeeping,
            .value(
                "format", "FORMAT", short: "f", .choice(CheckFormat.allCases.map(\.rawValue)),
                help: """
                    What is written: text unless given. For code hosts: sarif, github (annotations), gitlab (code quality).
                    """),
            .color, .name,
            .config,
            .output,
        ],
        examples: [
            .init("syncaudit check logs/", "All logs of a directory, held against each other."),
            .init(
                "syncaudit check --fail-on lossy,decision logs/",
                "A gate for continuous integration, on lost edits and wrong decisions alone."),
            .init("syncaudit check --baseline baseline.json logs/", "A gate on what is new since --write-baseline baseline.json."),
            .init("syncaudit check --record Card/42 logs/", "Whether what the logs tell of one card is sound."),
            .init(
                "syncaudit check --fail-on 'hoursWithoutSync>24' logs/", "Also that each device syncs."),
            .init("syncaudit check --policy-for Card.visits=counter logs/", "Also that every decision was made by the policies declared."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let hasRules = arguments.configuration.statesMerging || ["policy", "policy-for", "deletes"].contains { arguments.isSet($0) }
        let rules = try arguments.mergeRules()
        let format = try arguments.choice("format", as: CheckFormat.self) ?? .text
        let gate = try CheckGate(arguments, context)
        let style = try arguments.style(context)
        let output = arguments.text("output")
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output", "write-baseline"], against: inputs, context)

        let lookedFor = try arguments.constraintsAndWindow()
        let options = ["window", "tolerance", "unique", "reference", "whole-records", "whole-records-of"]
        let saysWhatIsLookedFor = arguments.configuration.statesAuditing || options.contains { arguments.isSet($0) }
        var checker = LogChecker(
            declared: hasRules ? rules : nil, auditRules: saysWhatIsLookedFor ? lookedFor : nil, otherwise: lookedFor,
            massShare: try arguments.probability("mass"), filter: gate.filter, limit: format.findingsOfEachKind)
        var names = NameSearch(
            try arguments.names(in: ["policy-for", "unique", "reference", "whole-records-of", "bookkeeping"], rules: rules)
                + arguments.recordsInFilter())
        var recordNames = try arguments.recordNames()
        // What cannot be understood is a finding.
        try context.source(inputs, isLenient: true).read(into: &checker, &names, &recordNames)
        let (findings, totals) = checker.finish()
        if checker.counts.lines == 0, let file = inputs.first {
            throw CommandError(nothingIn: file)
        }
        if names.lacks(option: "record") {
            names.tell(context)
            throw CommandError(.noInput, "no line tells of what --record names")
        }
        let outcome = gate.outcome(checker, totals)
        let answer = CheckAnswer(findings, totals: totals, gate: outcome, counts: checker.counts, whatIf: checker.whatIf.answer)
        try gate.writeBaseline(outcome, context)
        try context.withOutput(path: output) { sink in
            let layout = PageLayout(style: style, width: context.width, names: recordNames)
            try sink.write(answer.written(as: format, layout, first: inputs.first))
        }
        names.tell(context)
        gate.tell(outcome, checker.counts, source: arguments.inputWords ?? "FILES", context)
        try gate.end(outcome, totals, checker.counts, inputs)
    }
}
