import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncMerge
import SyncModel
import SyncSystem

extension AuditVerb {
    /// Cuts the fewest lines out of traces that still give one conflict.
    ///
    /// - Parameter name: The identifier of the conflict, or its beginning.
    static func runMinimalTrace(of name: String, _ arguments: ParsedArguments, _ context: CommandContext) throws {
        try checkMinimalTraceOptions(arguments)
        let prefix = try ConflictIDPrefix(naming: name, verb: definition.name)
        let (mergeRules, auditRules) = (try arguments.mergeRules(), try arguments.auditRules())
        if arguments.isSet("keep-values"), !(try arguments.valuePrivacy().hidesNothing) {
            throw UsageError("--keep-values: the configuration keeps values back; --config none leaves it out", verb: definition.name)
        }
        let names = Locked(
            NameSearch(
                try arguments.names(in: ["policy-for", "unique", "reference", "whole-records-of", "bookkeeping"], rules: mergeRules)))
        let files = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: files, context)
        let memory = try arguments.retention(auditRules, context)
        context.expectMuchMemory()
        let (reading, isLenient) = (arguments.lineReading(), arguments.isSet("lenient"))
        var source = try context.source(files, isLenient: isLenient, isRepeated: true)
        source.reading = reading
        var audit = TraceAudit(
            mergeRules: mergeRules, auditRules: auditRules, privacy: .omitted, names: names, reading: reading, isLenient: isLenient,
            memory: memory, threads: min(context.processors, 4))
        var found = AuditedConflicts(prefix: prefix)
        try source.audit(&audit) { found.append($0) }
        try audit.finish { found.append($0) }
        names.withLock(\.self).tell(context)
        var finder = ConflictFinder(prefix: prefix)
        for conflict in found.conflicts { finder.observe(AuditEvent(at: conflict.milliseconds, .conflict(conflict))) }
        let conflict = try finder.only(verb: definition.name, context, noConflict: noConflict(prefix, audit)).conflict
        var candidates = TraceCandidates(of: conflict)
        let counts = try source.read(into: &candidates)
        let judge = TraceJudge(mergeRules: mergeRules, auditRules: auditRules, reading: reading)
        let trace: MinimalTrace
        do {
            trace = try MinimalTrace(candidates, judge: judge, keepsValues: arguments.isSet("keep-values"))
        } catch let failure as MinimalTrace.Failure {
            throw CommandError(.badData, sentence(failure, candidates))
        }
        try context.withOutput(path: arguments.text("output")) { try $0.write(trace.bytes) }
        note(trace, of: candidates, keepsValues: arguments.isSet("keep-values"), context)
        counts.note(context)
    }

    /// Makes sure that nothing is asked for beside the lines.
    private static func checkMinimalTraceOptions(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.readsRows {
            throw UsageError(
                "--minimal-trace cuts lines, and rows are none: write them as a trace first, with --trace-out, and cut that",
                verb: definition.name)
        }
        try arguments.checkRowOptions()
        if arguments.isSet("joined") {
            throw UsageError(
                "--minimal-trace: what the logs of observers prove together takes all of them; leave --joined or it out",
                verb: definition.name)
        }
        if arguments.isSet("privacy") {
            throw UsageError(
                "--privacy: --minimal-trace puts letters instead of all values, unless --keep-values is given; leave it out",
                verb: definition.name)
        }
        for option in ["state", "edited", "statistics"] where arguments.isSet(option) {
            throw UsageError(
                "--\(option): with --minimal-trace nothing is written but lines of the trace; leave it out", verb: definition.name)
        }
    }

    private static func noConflict(_ prefix: ConflictIDPrefix, _ audit: TraceAudit) -> CommandError {
        let statistics = audit.statistics
        let hint =
            switch (statistics.writesObserved, statistics.totalConflicts) {
            case (0, _): "what was read holds no write, and only those can be audited"
            case (_, 0): "by these options there is no conflict in \(HumanNumber.count(statistics.writesObserved, "write"))"
            case (_, let count):
                "by these options none of \(HumanNumber.count(count, "conflict")) has it; give the options with which it was found"
            }
        return CommandError(.noInput, "there is no conflict \(prefix): \(hint)")
    }

    private static func sentence(_ failure: MinimalTrace.Failure, _ candidates: TraceCandidates) -> String {
        switch failure {
        case .changedByMasking:
            "with letters instead of values \(candidates.conflict.id) would be another conflict; --keep-values writes the values as they "
                + "are"
        case .notFound where candidates.droppedLines > 0:
            "the \(HumanNumber.count(candidates.lineCount - candidates.droppedLines, "line")) nearest to \(candidates.conflict.id), of "
                + "\(HumanNumber.count(candidates.lineCount)) of its record, do not give it by themselves, and more are not tried"
        case .notFound:
            "the lines of its record do not give \(candidates.conflict.id) by themselves: writes without \"n\" have their numbers and "
                + "their order from the lines around them; give the writes their \"n\", and cut then"
        }
    }

    /// Says what was cut out of what, and what is still in it.
    private static func note(_ trace: MinimalTrace, of candidates: TraceCandidates, keepsValues: Bool, _ context: CommandContext) {
        let verdict = trace.verdict
        let records = candidates.conflict.related == nil ? "its record" : "its two records"
        context.note(
            "\(HumanNumber.count(trace.lineCount, "line")) of \(HumanNumber.count(candidates.lineCount)) of \(records) give \(verdict.id): "
                + "\(verdict.severity.rawValue), \(verdict.kind.rawValue), basis \(verdict.basis.rawValue)")
        if !trace.isFewest {
            let budget = HumanNumber.count(MinimalTrace.budget, "line")
            context.note("fewer may do: no more than about \(budget) are audited to look for them")
        }
        context.note(
            keepsValues
                ? "values, and the names of records, fields and devices, are as they were: read the lines before you show them to anybody"
                : "letters and digits stand for the values; the names of records, fields and devices are as they were")
    }
}
