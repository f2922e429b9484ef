import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncSystem

extension AuditVerb {
    /// Audits the logs of several devices' observers together.
    static func runJoined(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        for option in ["state", "edited"] where arguments.isSet(option) {
            throw UsageError("--\(option): logs of observers tell of edits, not of all that their records hold", verb: definition.name)
        }
        for option in ["csv", "sqlite", "times", "integer-ids"] where arguments.isSet(option) {
            throw UsageError("--\(option): logs of observers are read as they are; leave it out", verb: definition.name)
        }
        for option in ["memory", "grouped"] where arguments.isSet(option) {
            throw UsageError("--\(option): what the logs of observers tell is held in memory whole; leave it out", verb: definition.name)
        }
        try arguments.checkRowOptions()
        var mergeRules = try arguments.mergeRules()
        // What the server took last is what is shown, unless the app merges by rules of its own.
        if !arguments.isSet("policy") { mergeRules.standard = .fields(.lastArrivalWins) }
        let (auditRules, privacy) = (try arguments.auditRules(), try arguments.valuePrivacy())
        var names = NameSearch(
            try arguments.names(in: ["policy-for", "unique", "reference", "privacy", "whole-records-of", "bookkeeping"], rules: mergeRules)
                + arguments.namesOfRecords())
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)
        context.expectMuchMemory()
        var audit = JoinedAudit(mergeRules: mergeRules, auditRules: auditRules)
        let counts = try context.source(inputs, isLenient: arguments.isSet("lenient")).read(into: &audit, &names)
        guard audit.acknowledgedWrites > 0 else {
            throw CommandError(
                .badData,
                "\(inputs.first?.name ?? "standard input"): no log tells of a write that a server took with a number, and --joined has nothing else to "
                    + "go by; the observers' engine must give the server's numbers")
        }
        guard !names.lacks(option: "privacy") else {
            names.tell(context)
            throw CommandError(.badData, "nothing was written: --privacy names a field that the logs do not hold")
        }
        let (conflicts, statistics) = audit.finish()
        try context.withOutput(path: arguments.text("output")) { output in
            var sequence: UInt64 = 0
            var buffer = LineBuffer()
            func write(_ event: AuditEvent) throws {
                sequence += 1
                buffer.truncate(to: 0)
                LineEncoder.append(event, sequence: sequence, source: .auditOfTrace, to: &buffer)
                try output.write(buffer.array)
            }
            let rules = AuditConfiguration(mergeRules, auditRules, privacy).rules(of: .joined)
            try write(AuditEvent(at: audit.firstMilliseconds ?? 0, .rules(rules)))
            for conflict in conflicts { try write(AuditEvent(at: conflict.milliseconds, .conflict(privacy.applied(to: conflict)))) }
            if arguments.isSet("statistics") || auditRules.outsideWindow == .count {
                try write(AuditEvent(at: conflicts.map(\.milliseconds).max() ?? 0, .statistics(statistics)))
            }
            try output.flush()
        }
        note(statistics, audit, context)
        names.tell(context)
        counts.note(context)
    }

    /// Says what was found, and of which writes nothing can be said.
    private static func note(_ statistics: ConflictStatistics, _ audit: JoinedAudit, _ context: CommandContext) {
        let suspected = statistics.byBasis.reduce(0) { $0 + ($1.key.isProof ? 0 : $1.value) }
        let (total, lost) = (statistics.totalConflicts, statistics.dataLost)
        var sentence =
            "\(HumanNumber.count(audit.acknowledgedWrites, "write")) that the server took, of \(HumanNumber.count(audit.logs, "log")), "
        sentence += total == 0 ? "no conflict is proven" : HumanNumber.count(total, "conflict")
        if suspected > 0 { sentence += ", \(HumanNumber.count(suspected)) of them suspected" }
        if total > 0 { sentence += lost == 0 ? "; no edit known to be lost" : "; \(HumanNumber.count(lost, "edit")) lost" }
        let rest = audit.unacknowledgedWrites
        if rest > 0 { sentence += ". Of \(HumanNumber.count(rest, "write")) that no server is known to have taken nothing is said" }
        let crowded = audit.crowdedWrites
        if crowded > 0 {
            sentence += ". Of \(HumanNumber.count(crowded, "write")) to records of very many devices conflicts are suspected at most"
        }
        context.note(sentence)
        if let sentence = audit.exportEvidence.sentence { context.note(sentence) }
    }
}

extension ExportEvidence {
    /// What an export replaces on the server, as far as the logs tell; nil where they don't.
    fileprivate var sentence: String? {
        let (kept, gone) = (HumanNumber.count(outlived, "edit"), HumanNumber.count(replaced, "edit"))
        if replaced > 0, outlived > 0 {
            return "what an export replaces is not clear: \(gone) went with exports of other fields, and \(kept) outlived such exports"
        }
        if replaced > 0 { return "an export replaces the whole record: \(gone) went with exports of other fields" }
        guard outlived > 0 else { return nil }
        return
            "an export replaces the fields that were edited, not the whole record: \(kept) outlived exports of "
            + "other fields by devices that had not seen them"
    }
}
