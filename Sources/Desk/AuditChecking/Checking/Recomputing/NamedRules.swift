import AuditLog
package import ConflictAudit
import SyncLines
package import SyncMerge
package import SyncModel

/// The rules by which replicas merged, as their logs state them or the conflicts name them.
///
/// - Complexity: memory grows with the registers whose conflicts were looked at. A value type; its owner guards it.
package struct NamedRules: Sendable {
    private var recorded = RecordedRules()
    private var types: Set<RecordType> = []

    /// Nothing looked at.
    package init() {}

    /// Looks at an event.
    package mutating func observe(_ event: AuditEvent) {
        // What means nothing here is for 'check' to tell.
        try? recorded.stated.observe(event)
        guard case .conflict(let conflict) = event.content else { return }
        types.insert(conflict.key.type)
        recorded.observe(conflict, at: LineLocation(file: 0, line: 0))
    }

    /// Whether a log states rules, or a conflict names those of a type.
    package func tell(of type: RecordType) -> Bool { recorded.stated.configuration != nil || types.contains(type) }

    /// The rules that the logs tell; where nothing is told, those of `MergeRules`.
    package var mergeRules: MergeRules {
        let intervals = recorded.stated.mergeRules?.intervals ?? MergeRules().intervals
        return recorded.mergeRules(declared: nil, intervals: intervals, logged: LoggedWinners(intervals: intervals))
    }
}

extension MergeRules {
    /// The name of a policy of a type that only the log tells how it decides, so that what it shows now is not known; nil where there is
    /// none.
    package func unknownPolicy(of type: RecordType) -> String? {
        let policies: [MergePolicy] =
            switch scope(for: type) {
            case .record(let policy): [policy]
            case .fields(let policy): [policy] + (fields[type].map { Array($0.values) } ?? [])
            }
        for case .custom(let policy) in policies { return policy.name }
        return nil
    }
}
