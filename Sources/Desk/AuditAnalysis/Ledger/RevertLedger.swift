package import AuditLog
import ConflictAudit
package import SyncMerge
import SyncModel

/// The edits of a trace that writers who had seen them put back, in the order of the trace.
///
/// - Complexity: as an audit of the writes; memory grows with those found, too. A value type; its owner guards it.
package struct RevertLedger: EventObserver {
    /// Those that pass the filter.
    package private(set) var reverts: [Revert] = []
    /// The writes looked at, and those of them that carried a causal context; of the others nothing is known.
    package private(set) var evidence = AuditEvidence()
    private let filter: ReportFilter
    private var auditor: TraceAuditor

    /// A ledger of a trace that was merged by some rules.
    package init(filter: ReportFilter = ReportFilter(), rules: MergeRules = MergeRules()) {
        self.filter = filter
        auditor = TraceAuditor(mergeRules: rules)
    }

    /// Looks at a line; a write is to come after those that its writer had seen.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        guard case .write(let write) = line.event.content else { return }
        evidence.observe(line.event)
        auditor.observe(write)
        reverts += auditor.reverts.filter(isWanted)
    }

    private func isWanted(_ revert: Revert) -> Bool {
        let (write, edit) = (revert.write, revert.edit)
        return (filter.matches(write) || filter.matches(edit))
            && (filter.fields.isEmpty || filter.isWanted(revert.field, of: write.key.type))
    }
}
