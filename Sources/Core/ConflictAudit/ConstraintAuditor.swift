package import SyncMerge
package import SyncModel

/// Finds what no single record's merge can see: values that must be unique and are not, and references to records deleted meanwhile.
///
/// Both are decided by what is shown after each arrival, so a conflict is found whichever write comes second.
package struct ConstraintAuditor: Sendable {
    private let unique: UniqueAuditor?
    private var values = UniqueTable()
    private var references: ReferenceAuditor?

    /// An auditor of the declared constraints; nil where none is declared.
    package init?(_ auditRules: AuditRules, mergeRules: MergeRules) {
        unique = UniqueAuditor(auditRules, mergeRules: mergeRules)
        references = ReferenceAuditor(auditRules, mergeRules: mergeRules)
        if unique == nil && references == nil { return nil }
    }

    /// The types of records that a constraint says something about.
    package var types: Set<RecordType> { (references?.types ?? []).union(unique.map { Array($0.types) } ?? []) }

    /// Looks at a record after a write to it was merged.
    ///
    /// - Parameter other: Looks up another record.
    /// - Returns: What was not found before.
    package mutating func observe(
        _ state: RecordState, other: (RecordKey) throws -> RecordState?
    ) rethrows -> [ConstraintFinding] {
        let shared = unique?.observe(state, in: &values) ?? []
        return shared + (try references?.observe(state, other: other) ?? [])
    }
}

extension TaggedWrite {
    /// Whether neither writer is known to have seen the other's write, which is to a different record.
    func isUnaware(of other: TaggedWrite, intervals: IntervalRule) -> Bool {
        dot.device != other.dot.device && !hasSeen(other, intervals: intervals) && !other.hasSeen(self, intervals: intervals)
    }
}
