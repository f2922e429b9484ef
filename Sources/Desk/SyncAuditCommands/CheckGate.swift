import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import FileFormats
import SyncBytes
import SyncModel

/// On what `check` fails, and what it passes over: by its options and by the configuration.
struct CheckGate {
    /// The limits; empty where every finding counts.
    private let limits: [CheckLimit]
    /// What is passed over.
    let filter: FindingFilter
    /// The file to compare with, as it was named.
    private let baseline: String?
    /// The file to be written.
    private let written: String?

    /// How many entries of what is ignored are told one by one.
    private static let toldEntries = 20
    private static let keys = ["kind", "about"]
    private static let conflicts = "conflicts"

    /// - Throws: `UsageError` and ``CommandError`` where the configuration names what there is not, or the baseline is none.
    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let settings = arguments.configuration.check
        let file = arguments.text(OptionDefinition.config.name) ?? context.configurationFile() ?? AuditConfiguration.fileName
        func read<Value>(_ origin: String, _ parse: () throws(ValueProblem) -> Value) throws(CommandError) -> Value {
            do throws(ValueProblem) {
                return try parse()
            } catch {
                throw CommandError(.badData, "\(file): \(origin.quoted): \(error.sentence)")
            }
        }
        let given = try arguments.parsed("fail-on", ValueParser.limits).flatMap(\.self)
        let kept = try settings.failOn.flatMap { text in
            try read("check.failOn") { () throws(ValueProblem) in try ValueParser.limits(text) }
        }
        limits = arguments.isSet("fail-on") ? given : kept
        let now = context.now()
        let ignores = try settings.ignores.map { ignore in
            let kind = try read("\(ignore.origin).kind") { () throws(ValueProblem) in try ValueParser.findingKind(ignore.kind) }
            return FindingFilter.Ignore(
                kind, subject: ignore.about, reason: ignore.reason, until: ignore.until?.text,
                isExpired: ignore.until.map { $0.end <= now } ?? false)
        }
        baseline = arguments.text("baseline")
        written = arguments.text("write-baseline")
        filter = FindingFilter(
            try arguments.parsed("ignore", ValueParser.ignoredFindings) + ignores, baseline: try baseline.map(Self.read),
            isRecorded: written != nil, records: Set(try arguments.records()))
    }

    /// What becomes of the gate once everything was read.
    func outcome(_ checker: LogChecker, _ totals: [CheckFinding.Kind: Int]) -> GateOutcome {
        GateOutcome(limits.map { $0.outcome(checker.counts, totals) }, checker.filter)
    }

    /// Tells what holds, what cannot be known, and what of the ignored and the known there is no more.
    func tell(_ outcome: GateOutcome, _ counts: LogChecker.Counts, source: String, _ context: CommandContext) {
        // A limit that holds for want of an audit is no good news.
        let unknown = limits.filter(\.isOfConflicts).map(\.description)
        if let sentence = counts.evidence.unauditedSentence, !unknown.isEmpty {
            context.note("--fail-on '\(unknown.joined(separator: ","))' proves nothing: \(sentence)")
        }
        let filter = outcome.filter
        let sentences = zip(filter.ignores, filter.ignored).compactMap { ignore, count -> String? in
            if ignore.isExpired, let until = ignore.until {
                let again =
                    count == 0
                    ? "there is none now" : "\(HumanNumber.count(count, "finding")) \(count == 1 ? "counts" : "count") again"
                return "\(ignore.label) was ignored until \(until), and \(again): \(EventText.label(ignore.reason))"
            }
            // Of one record alone there may be none.
            if !filter.records.isEmpty { return nil }
            return count == 0 ? "nothing is found of \(ignore.label), which is ignored: \(EventText.label(ignore.reason))" : nil
        }
        for sentence in sentences.prefix(Self.toldEntries) { context.note(sentence) }
        if sentences.count > Self.toldEntries {
            let more = HumanNumber.count(sentences.count - Self.toldEntries, "entry", "entries")
            context.note("\(more) more of what is ignored \(sentences.count == Self.toldEntries + 1 ? "is" : "are") over or about nothing")
        }
        if let baseline, filter.hasBaseline, filter.gone > 0, filter.known.isEmpty {
            context.note("nothing of the baseline \(baseline.quoted) is found any more: is it one of these logs?")
        }
        for limit in outcome.exceeded { context.note(limit.sentence(source: source)) }
    }

    /// Ends the command as the gate asks for.
    ///
    /// - Throws: ``CommandError`` where the check has failed, or nothing that was read could be understood, so that no limit says anything.
    func end(
        _ outcome: GateOutcome, _ totals: [CheckFinding.Kind: Int], _ counts: LogChecker.Counts, _ inputs: [CommandInput]
    ) throws(CommandError) {
        // Who writes down what there is does not ask whether it is there.
        if limits.isEmpty, written == nil {
            let total = totals.reduce(0) { $0 + ($1.key.isWarning ? 0 : $1.value) }
            let new = outcome.filter.hasBaseline ? "new " : ""
            if total > 0 { throw CommandError(.limitExceeded, HumanNumber.count(total, new + "finding")) }
        }
        let exceeded = outcome.exceeded.count
        if !limits.isEmpty || written != nil, counts.understood == 0, counts.problems > 0 { throw CommandError(noneUnderstoodOf: inputs) }
        if exceeded > 0 { throw CommandError(.limitExceeded, HumanNumber.count(exceeded, "limit") + " exceeded") }
    }

    /// Writes what was found, where that was asked for.
    func writeBaseline(_ outcome: GateOutcome, _ context: CommandContext) throws {
        guard let written, let recorded = outcome.filter.recorded else { return }
        let file = FindingsFile(
            keys: Self.keys,
            entries: recorded.findings.map { FindingsFile.Entry([$0.key.kind.rawValue, $0.key.subject], count: $0.value) },
            others: [(Self.conflicts, recorded.conflicts.sorted().map { ConflictID(rawValue: $0).description })])
        try context.withOutput(path: written) { try $0.write(file.text) }
        let count = recorded.findings.values.reduce(0, +)
        context.note(
            "\(written.quoted) has \(HumanNumber.count(count, "finding")) and \(HumanNumber.count(recorded.conflicts.count, "conflict"))")
    }

    private static func read(_ path: String) throws(CommandError) -> FindingFilter.Baseline {
        let value = try BaselineFile.value(path)
        guard let entries = FindingsFile.entries(of: value, keys: keys), let ids = FindingsFile.strings(conflicts, of: value) else {
            throw BaselineFile.isNone(path)
        }
        var baseline = FindingFilter.Baseline()
        for entry in entries {
            // A kind of a later version is none that this one finds.
            guard let kind = CheckFinding.Kind(rawValue: entry.values[0]) else { continue }
            let count = entry.count ?? 1
            let identity = CheckFinding.Identity(kind, entry.values[1])
            baseline.findings[identity] = baseline.findings[identity, default: 0].addingCount(count)
        }
        for id in ids {
            guard let id = ConflictID(id) else { throw BaselineFile.isNone(path) }
            baseline.conflicts.insert(id.rawValue)
        }
        return baseline
    }
}
