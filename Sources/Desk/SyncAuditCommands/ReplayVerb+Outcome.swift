import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncMerge
import SyncModel

extension ReplayVerb {
    /// Finds the policy that explains the final rows of a system.
    static func compareWithOutcome(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let (recorded, candidates) = try arguments.outcomeRules()
        let format = try arguments.choice("format", as: Format.self) ?? .table
        let top = try arguments.positiveInteger("top") ?? 10
        let style = try arguments.style(context)
        let output = arguments.text("output")
        let inputs = try arguments.inputs(context)
        let outcomes = try arguments.outcomes(besides: inputs)
        try arguments.checkOutputs(["output"], against: inputs + outcomes, context)

        var comparison = OutcomeComparison(recorded: recorded, candidates: candidates, wholeRecords: arguments.wholeRecords)
        var names = NameSearch(try arguments.names(in: ["policy", "recorded-for", "whole-records-of", "bookkeeping"], rules: recorded))
        let counts = try context.source(inputs, isLenient: arguments.isSet("lenient")).read(into: &comparison, &names)
        guard comparison.writes > 0 else {
            throw CommandError(
                .badData, "\(inputs.first?.name ?? "standard input"):1: there is no write in it, and only writes can be decided again")
        }
        var outcome = OutcomeReader(
            columns: OutcomeReader.Columns(type: arguments.text("type-column"), id: arguments.text("id-column")), fields: comparison.fields)
        for input in outcomes {
            switch input {
            case .standardInput: try outcome.read(descriptor: context.standardInput, name: input.name)
            case .file(let path): try outcome.read(path: path)
            }
        }
        let result = comparison.result(outcome.rows, listing: top)
        try context.withOutput(path: output) { sink in
            switch format {
            case .table:
                try sink.write(OutcomeAnswer(result).text(PageLayout(top: top, style: style, width: context.width)))
            case .json: try sink.write(OutcomeAnswer(result).json)
            }
        }
        if let location = outcome.rows.firstRepeat {
            let count = HumanNumber.count(outcome.rows.repeats, "row")
            context.note("\(count) passed over whose record had a row before (first at \(location))")
        }
        names.tell(context)
        counts.note(context)
    }
}

extension ParsedArguments {
    /// The recorded rules, and the policies that the system may have.
    fileprivate func outcomeRules() throws(UsageError) -> (recorded: MergeRules, candidates: [PolicyReplay.Candidate]) {
        if isSet("deletes") {
            throw UsageError("--deletes: with --outcome every rule for deletes is compared anyway; leave it out", verb: verb.name)
        }
        let rules = try mergeRules(policy: "recorded", policyFor: "recorded-for", deletes: "recorded-deletes").with(try intervals())
        var candidates: [PolicyReplay.Candidate] = []
        for text in ReplayVerb.systemPolicies + texts("policy") where !candidates.contains(where: { $0.name == text }) {
            candidates.append(try candidate(text, rules))
        }
        let own = recordedCandidate(rules)
        let isNamed = isSet("recorded") || isSet("recorded-for")
        if isNamed, !candidates.contains(where: { $0.name == text("recorded") && !isSet("recorded-for") }) { candidates.append(own) }
        let most = OutcomeComparison.mostPolicies
        guard candidates.count <= most else {
            throw UsageError(
                "--policy: \(candidates.count) policies are to be compared, and \(most) can be at once; name fewer", verb: verb.name)
        }
        return (rules, candidates)
    }

    /// The files that `--outcome` names.
    fileprivate func outcomes(besides inputs: [CommandInput]) throws -> [CommandInput] {
        var outcomes: [CommandInput] = []
        for path in texts("outcome") {
            if path == "-" {
                guard !(inputs + outcomes).contains(.standardInput) else {
                    throw UsageError("--outcome: '-' is standard input, which is read already; name a file", verb: verb.name)
                }
                outcomes.append(.standardInput)
            } else {
                outcomes += try Operands.files(path).map(CommandInput.file)
            }
        }
        return outcomes
    }
}
