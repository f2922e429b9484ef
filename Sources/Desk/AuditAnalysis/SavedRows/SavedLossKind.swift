package import ConflictAudit

/// How a save took an edit away.
package enum SavedLossKind: String, CaseIterable, Sendable {
    /// It edited the same field.
    case replaced
    /// It only sent an old value along, as a stale form does.
    case putBack = "put back"
    /// It removed the record.
    case deleted

    /// The kind of a loss.
    package init(_ conflict: Conflict) {
        self = conflict.winner.operation == .delete ? .deleted : conflict.isStale ? .putBack : .replaced
    }

    /// How many losses there are of each kind, such as `replaced 135, put back 172, deleted 2`.
    package static func sentence(_ conflicts: some Sequence<Conflict>) -> String {
        var counts: [SavedLossKind: Int] = [:]
        for conflict in conflicts { counts[SavedLossKind(conflict), default: 0] += 1 }
        return allCases.compactMap { kind in counts[kind].map { "\(kind.rawValue) \(HumanNumber.count($0))" } }.joined(separator: ", ")
    }
}
