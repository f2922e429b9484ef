package import ConflictAudit
import SyncModel

/// The part of a conflict that a cut trace must still give: which conflict, of what kind and severity, on what evidence, and who won.
package struct ConflictVerdict: Hashable, Sendable {
    /// The identifier of the conflict.
    package let id: ConflictID
    /// The kind of the conflict.
    package let kind: Conflict.Kind
    /// The cost of the conflict.
    package let severity: Conflict.Severity
    /// The evidence of the conflict.
    package let basis: Conflict.Basis
    private let winner: Dot
    private let isStale: Bool
    private let isCleared: Bool

    /// The verdict on a conflict.
    package init(_ conflict: Conflict) {
        id = conflict.id
        kind = conflict.kind
        severity = conflict.severity
        basis = conflict.basis
        winner = conflict.winner.dot
        isStale = conflict.isStale
        isCleared = conflict.isCleared
    }
}
