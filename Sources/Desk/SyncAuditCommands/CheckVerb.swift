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
            The command ends with 1 where there are findings, or where a limit of --fail-on is exceeded. A limit is a measure, one of > >= < <= == !=, and \
            a number. Measures: findings, warnings, conflicts, lossy, destructive, unresolved, clockSuspect, massEffects, \
            alternations, lossyPerThousandWrites, conflictsPerThousandWrites; and of sync itself, as the devices' own logs tell it: syncFailures, \
            failingDevices, refusedWrites, oldestUnsentHours, hoursWithoutSync, uploadP95Seconds (from a write to the hub), deliveryP95Seconds (to its \
            merge on other devices), missedPulses and leftUnshown (how often an app did not look at what was merged in time, and left the foreground \
            without having shown it). Ages are those at the end of the logs. \
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
            clockSuspect is taken as it is told, and auto, which follows from resolution, is not read. What the hub's order decided is not \
            decided again where a \
            log says that the hub was put back or replaced. A conflict can only be held against writes that are in the \
            files: the output says of how many lines that is true. Without signatures nobody can know of lines cut off at either end of a log, of logs \
            that are missing as a whole, of an ancestor left out that was written before its record was last deleted, or of forgeries that agree with each \
            other everywhere.
            """,
        ],
        operands: "[FILES…|-]",
        options: [
            .value("fail-on", "LIMIT", .limit, isRepeatable: true, help: "Ends with 1 also where this holds, such as 'lossy>0'."),
            .value(
                "ignore", "KIND", .choice(CheckFinding.Kind.allCases.map(\.rawValue)), isRepeatable: true,
                help: "Findings that are counted and do not let the check fail, by their kind as JSON has it, such as clock."),
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
                "format", "FORMAT", short: "f", .choice(AnswerFormat.allCases.map(\.rawValue)), help: "What is written: text unless given."),
            .color, .name,
            .config,
            .output,
        ],
        examples: [
            .init("syncaudit check logs/", "All logs of a directory, held against each other."),
            .init(
                "syncaudit check --fail-on 'lossyPerThousandWrites>1' logs/", "A gate for continuous integration."
            ),
            .init(
                "syncaudit check --fail-on 'hoursWithoutSync>24' logs/", "Also that each device syncs."),
            .init("syncaudit check --policy-for Card.visits=counter logs/", "Also that every decision was made by the policies declared."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let hasRules = ["policy", "policy-for", "deletes"].contains { arguments.isSet($0) }
        let rules = try arguments.mergeRules()
        let limits = arguments.texts("fail-on").compactMap(CheckLimit.init)
        let ignored = Set(try arguments.choices("ignore", as: CheckFinding.Kind.self))
        let format = try arguments.choice("format", as: AnswerFormat.self) ?? .text
        let style = try arguments.style(context)
        let output = arguments.text("output")
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)

        let lookedFor = try arguments.constraintsAndWindow()
        let saysWhatIsLookedFor = ["window", "tolerance", "unique", "reference", "whole-records", "whole-records-of"]
            .contains { arguments.isSet($0) }
        var checker = LogChecker(
            declared: hasRules ? rules : nil, auditRules: saysWhatIsLookedFor ? lookedFor : nil, otherwise: lookedFor,
            massShare: try arguments.probability("mass"))
        var names = NameSearch(
            try arguments.names(in: ["policy-for", "unique", "reference", "whole-records-of", "bookkeeping"], rules: rules))
        var decoder = LineDecoder()
        var recordNames = try arguments.recordNames()
        for input in inputs {
            try read(input, &decoder, context, checker: &checker) { event in
                names.observe(event)
                recordNames.observe(event)
            }
        }
        let (findings, totals) = checker.finish()
        if checker.counts.lines == 0, let file = inputs.first {
            throw CommandError(nothingIn: file)
        }
        let answer = CheckAnswer(findings, totals: totals, ignored: ignored, counts: checker.counts, whatIf: checker.whatIf.answer)
        try context.withOutput(path: output) { sink in
            try sink.write(answer.written(as: format, PageLayout(style: style, width: context.width, names: recordNames)))
        }
        names.tell(context)
        let counted = totals.filter { !ignored.contains($0.key) }
        let total = counted.reduce(0) { $0 + ($1.key.isWarning ? 0 : $1.value) }
        let exceeded = limits.compactMap { limit in
            limit.exceeded(by: checker.counts, totals: counted).map { (limit, $0) }
        }
        for (limit, value) in exceeded { context.note("\(limit.name) is \(value.shortened), and --fail-on '\(limit)' holds") }
        if total > 0 { throw CommandError(.limitExceeded, HumanNumber.count(total, "finding")) }
        if !exceeded.isEmpty { throw CommandError(.limitExceeded, HumanNumber.count(exceeded.count, "limit") + " exceeded") }
    }

    private static func read(
        _ input: CommandInput, _ decoder: inout LineDecoder, _ context: CommandContext, checker: inout LogChecker,
        _ onEvent: (AuditEvent) -> Void
    ) throws {
        checker.begin(file: input.name)
        // Of a file of another sort each line is one that cannot be understood; they are told together.
        var foreign: (sentence: String, lines: Int)?
        func tellForeign() {
            guard let (sentence, lines) = foreign else { return }
            foreign = nil
            let others = lines == 1 ? "" : "; none of the first \(HumanNumber.count(lines, "line")) was understood"
            checker.observe(problem: sentence + others, line: 1, isTorn: false)
        }
        try input.readLines(context) { line in
            let number = line.number ?? 1
            do throws(LineProblem) {
                guard case .line(let event) = try decoder.outcome(of: line) else { return checker.passOver() }
                tellForeign()
                onEvent(event.event)
                checker.observe(event, at: number)
            } catch {
                if case .foreign(let format) = error.kind, format != .text {
                    foreign = (error.sentence, 1)
                } else if let (sentence, lines) = foreign {
                    foreign = (sentence, lines + 1)
                    checker.passOver()
                } else {
                    checker.observe(problem: error.sentence.escaped(for: .terminal), line: number, isTorn: error.kind == .torn)
                }
            }
        }
        tellForeign()
    }
}

extension Double {
    /// The number with three decimals at most.
    fileprivate var shortened: String {
        if self == rounded(), magnitude < 1e15 { return String(Int(self)) }
        return String((self * 1000).rounded() / 1000)
    }
}
