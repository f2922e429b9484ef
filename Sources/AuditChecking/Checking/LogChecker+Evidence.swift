package import AuditAnalysis

extension LogChecker.Counts {
    /// How far the lines can tell of conflicts.
    package var evidence: AuditEvidence {
        var evidence = AuditEvidence(auditedWrites: writes, withContext: writesWithContext)
        evidence.hasAudit = !isUnaudited
        return evidence
    }
}
