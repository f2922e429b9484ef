import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import SyncModel

extension ReportVerb {
    /// The most lines in which a report looks for what only `check` finds, since that needs the writes in their order.
    static let alarmLimit = 200_000

    /// What a second look tells: of mass effects and alternating winners what `check` says, the gravest first, and how many of the lost
    /// edits came back.
    ///
    /// It is taken at logs that can be read again and are no longer than ``alarmLimit``, so that a report takes no more memory than
    /// it did: a summary has no order of writes, and nothing but a second definition could be made of it.
    ///
    /// - Parameters:
    ///   - lines: How many lines were counted.
    ///   - summary: What was counted: without a write and a conflict there is nothing to look for.
    ///   - filter: What was counted; alarms are of all lines alone.
    static func alarms(
        in inputs: [CommandInput], lines: Int, _ summary: Summary, filter: ReportFilter, _ context: CommandContext
    ) throws -> ReportAlarms {
        if lines == 0 { return .none }
        guard inputs.canBeReadAgain else { return ReportAlarms(unlooked: .stream) }
        guard lines <= alarmLimit else { return ReportAlarms(unlooked: .length(limit: alarmLimit)) }
        guard summary.hasWriteLines || summary.hasConflicts else { return ReportAlarms(unlooked: .noWrites) }
        // What cannot be understood the summary has told.
        let source = try context.source(inputs, isLenient: true)
        var ledger = LossLedger(filter: filter)
        let tellsRestored = summary.hasWriteLines && summary.hasLosses
        guard filter.isUnrestricted else {
            if tellsRestored { try source.read(into: &ledger) }
            return ReportAlarms(restored: tellsRestored ? ledger.restored : nil)
        }
        var check = EffectsCheck()
        if tellsRestored { try source.read(into: &check, &ledger) } else { try source.read(into: &check) }
        let (findings, totals) = check.finish()
        let alarms: [(kind: CheckFinding.Kind, noun: String)] = [(.massEffect, "mass effect"), (.alternation, "alternation")]
        let sentences = alarms.flatMap { kind, noun in
            let found = findings.filter { $0.kind == kind }.prefix(shownAlarms).map(\.statement)
            let more = (totals[kind] ?? 0) - found.count
            return found
                + (more > 0 ? ["and \(HumanNumber.count(more)) more \(noun)\(more == 1 ? "" : "s"): 'syncaudit check' lists all"] : [])
        }
        return ReportAlarms(found: sentences, unlooked: check.hasWrites ? nil : .noWrites, restored: tellsRestored ? ledger.restored : nil)
    }

    /// How many of a kind a report names.
    private static let shownAlarms = 2
}
