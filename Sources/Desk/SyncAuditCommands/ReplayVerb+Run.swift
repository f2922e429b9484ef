import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

extension ReplayVerb {
    static func run(_ given: ParsedArguments, _ context: CommandContext) throws {
        if !given.isSet("outcome"), let tables = try given.onlyTables(context) {
            try given.refuseRecord("of a table it is said how all of it was kept")
            return try runSavedRows(tables, given, context)
        }
        let arguments = try given.withStatedRules(context)
        if arguments.isSet("outcome") {
            try arguments.refuseRecord("--outcome compares all records")
            return try compareWithOutcome(arguments, context)
        }
        for option in ["type-column", "id-column"] where arguments.isSet(option) {
            throw UsageError("--\(option) says how a file is read that --outcome names; name one", verb: definition.name)
        }
        let (recorded, candidates) = try arguments.replayRules()
        let format = try arguments.choice("format", as: Format.self) ?? .table
        let top = try arguments.positiveInteger("top") ?? 10
        let style = try arguments.style(context, isPaged: format == .table)
        let output = arguments.text("output")
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)

        var replay = PolicyReplay(recorded: recorded, candidates: candidates, wholeRecords: arguments.wholeRecords)
        replay.onlyRecords = Set(try arguments.records())
        var names = NameSearch(
            try arguments.names(in: ["policy", "recorded-for", "whole-records-of", "bookkeeping"], rules: recorded.rules)
                + arguments.recordsInFilter())
        let isRecordedGiven = ["recorded", "recorded-for", "recorded-deletes"].contains { arguments.isSet($0) }
        var contradiction = RulesContradiction(
            recorded.rules, hasPolicies: arguments.configuration.hasPolicies, isGiven: isRecordedGiven)
        let counts = try context.source(inputs, isLenient: arguments.isSet("lenient")).read(into: &replay, &contradiction, &names)
        guard replay.writes > 0 else {
            if !replay.onlyRecords.isEmpty { throw CommandError(.noInput, "no line tells of a write to what --record names") }
            throw CommandError(
                .badData,
                "\(inputs.first?.name ?? "standard input"):1: there is no write in it, and only writes and merges can be decided again")
        }
        try context.withOutput(path: output, isPaged: format == .table) { sink in
            switch format {
            case .table:
                try sink.write(ReplayAnswer(replay.result()).text(PageLayout(top: top, style: style, width: context.width)))
            case .json: try sink.write(ReplayAnswer(replay.result()).json)
            }
        }
        if let sentence = contradiction.sentence { context.note(sentence) }
        names.tell(context)
        counts.note(context)
    }
}

extension ParsedArguments {
    /// Refuses a choice of records where all are looked at.
    fileprivate func refuseRecord(_ reason: String) throws(UsageError) {
        if isSet("record") { throw UsageError("--record: \(reason); leave it out", verb: verb.name) }
    }
}

/// What the first line says that speaks against the rules that are taken as recorded.
private struct RulesContradiction: EventObserver {
    private(set) var sentence: String?
    private let rules: MergeRules
    private let hasPolicies: Bool
    private let isGiven: Bool

    /// - Parameters:
    ///   - hasPolicies: Whether the rules have policies by a configuration.
    ///   - isGiven: Whether options state the rules.
    init(_ rules: MergeRules, hasPolicies: Bool, isGiven: Bool) {
        (self.rules, self.hasPolicies, self.isGiven) = (rules, hasPolicies, isGiven)
    }

    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        guard sentence == nil else { return }
        switch line.event.content {
        case .conflict(let conflict): sentence = rules.contradiction(of: conflict).map { "\(location): \($0)" }
        case .rules(let value) where !isGiven:
            guard let stated = try? AuditConfiguration(rules: value) else { return }
            guard stated.mergeRules.deletes != rules.deletes || stated.hasPolicies && !hasPolicies else { return }
            sentence =
                "\(location): the log states by which rules it was audited, and others are taken as recorded; name the file instead of a "
                + "stream, or state them with --recorded, --recorded-for and --recorded-deletes"
        default: break
        }
    }
}

extension MergeRules {
    /// What a logged conflict says of the recorded rules, where it is not what was stated.
    fileprivate func contradiction(of conflict: Conflict) -> String? {
        let stated = policyName(for: conflict.key.type, field: conflict.field)
        // What was decided between a delete and an edit, or about the record as a whole, tells of other rules.
        guard conflict.kind == .updateUpdate || conflict.kind == .insertInsert, conflict.policy != stated,
            conflict.policy != ThreeWayMerge.handlerPolicy
        else { return nil }
        let register = conflict.field.map { "\(conflict.key.type).\($0)" } ?? conflict.key.type.rawValue
        return "the log says that \(register.quoted) was merged by \(conflict.policy.quoted), but \(stated.quoted) is taken as recorded; "
            + "state it with --recorded or --recorded-for"
    }
}

extension ParsedArguments {
    /// The arguments with the rules that the inputs state in their first lines instead of the configuration's.
    ///
    /// What is read from a stream states nothing before it is read.
    fileprivate func withStatedRules(_ context: CommandContext) throws -> ParsedArguments {
        var stated = StatedRules()
        for input in try inputs(context.muted) where [input].canBeReadAgain {
            var first = FirstLine(stated)
            _ = try? context.source([input], isLenient: true).read(into: &first)
            stated = first.observer
        }
        guard var rules = stated.configuration else { return self }
        rules.origin = "the log's rules"
        var arguments = self
        arguments.configuration = rules
        return arguments
    }

    /// The recorded rules, and those to compare with them.
    fileprivate func replayRules() throws(UsageError) -> (recorded: PolicyReplay.Candidate, others: [PolicyReplay.Candidate]) {
        let rules = try mergeRules(policy: "recorded", policyFor: "recorded-for", deletes: "recorded-deletes").with(try intervals())
        var others: [PolicyReplay.Candidate] = []
        for text in texts("policy") { others.append(try candidate(text, rules)) }
        for rule in try choices("deletes", as: DeletePolicy.self) { others.append(rule.candidate(rules)) }
        if others.isEmpty {
            let names = [
                "last-writer-wins", "record-last-writer-wins", "last-arrival-wins", "first-writer-wins", "maximum", "minimum", "counter",
                "set",
            ]
            let isRecordedAlone = !isSet("recorded-for") && !configuration.hasPolicies
            for name in names where !(isRecordedAlone && name == text("recorded") ?? "last-writer-wins") {
                others.append(try candidate(name, rules))
            }
            if rules.deletes != .editWins { others.append(DeletePolicy.editWins.candidate(rules)) }
        }
        return (recordedCandidate(rules), others)
    }

    /// The recorded rules by the names that options give them.
    func recordedCandidate(_ rules: MergeRules) -> PolicyReplay.Candidate {
        let own =
            [text("recorded") ?? (isSet("recorded-for") || configuration.hasPolicies ? nil : "last-writer-wins")]
            + [configuration.hasPolicies ? configuration.origin : nil] + texts("recorded-for") + [
                rules.deletes == (configuration.hasPolicies ? configuration.mergeRules.deletes : .deleteWins)
                    ? nil : "deletes=\(rules.deletes.rawValue)"
            ]
        return PolicyReplay.Candidate(name: own.compactMap { $0 }.joined(separator: ", "), rules: rules)
    }

    /// The rules that a value of `--policy` states, with all else as recorded.
    func candidate(_ text: String, _ recorded: MergeRules) throws(UsageError) -> PolicyReplay.Candidate {
        let form = AssignmentForm(allowsEverything: true, allowsType: true, value: .policy)
        let assignment: Assignment
        do throws(ValueProblem) {
            assignment = try ValueParser.assignment(text, form)
        } catch {
            throw UsageError("--policy: \(error.sentence)", verb: verb.name)
        }
        var rules = recorded
        if case .named(_, let type?, _, _) = assignment.target { rules.fields[type] = nil }
        try assign(assignment, to: &rules, option: "policy")
        try check(assignment, against: rules, option: "policy")
        return PolicyReplay.Candidate(name: text, rules: rules)
    }
}

extension DeletePolicy {
    fileprivate func candidate(_ recorded: MergeRules) -> PolicyReplay.Candidate {
        var rules = recorded
        rules.deletes = self
        return PolicyReplay.Candidate(name: "deletes=\(rawValue)", rules: rules)
    }
}

/// An observer that learns from the first line alone.
private struct FirstLine<Observer: EventObserver>: EventObserver {
    private(set) var observer: Observer
    private(set) var isDone = false

    init(_ observer: Observer) { self.observer = observer }

    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        observer.observe(line, at: location)
        isDone = true
    }
}
