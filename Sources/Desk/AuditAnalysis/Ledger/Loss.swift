import AuditLog
package import ConflictAudit
import SyncModel

/// One value that a conflict discarded.
package struct Loss: Hashable, Sendable {
    /// What has become of it.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// It is gone.
        case lost
        /// The app has yet to decide; until then the other side is shown.
        case waiting
        /// Somebody has decided.
        case decided
        /// It was written again later.
        case restored
    }

    /// The conflict, without the values of the winner and the ancestor.
    package let conflict: Conflict
    /// Whether the log can give it back.
    package let recoverability: Recoverability
    /// The characters of text in it that the winner does not have: of two texts what is left without their common beginning and end.
    ///
    /// Of a value that was cut those that are there; 0 where it was left out.
    package let characters: Int
    /// The value in a line's length, with what the winner does not have between guillemets.
    package let excerpt: String
    /// What has become of it.
    package internal(set) var status: Status
    /// The further conflicts that the same edit lost: on other devices it may have lost to other writes.
    package internal(set) var otherConflicts: [ConflictID] = []

    /// When it was written, in milliseconds since 1970.
    package var milliseconds: Int64 { conflict.loser.timestamp.milliseconds }

    /// What a conflict discarded; nil where nothing was.
    package init?(_ conflict: Conflict) {
        guard conflict.losesEdit else { return nil }
        recoverability = Recoverability(of: conflict)
        characters = Self.characters(lostIn: conflict)
        status =
            switch conflict.resolution {
            case .keepLocal, .applyRemote, .merged: .lost
            case .manualPending: .waiting
            // The person may have chosen the side that had lost.
            case .manualResolved: conflict.result != nil && conflict.result == conflict.loser.value ? .restored : .decided
            case .restored: .restored
            }
        switch (conflict.loser.operation, conflict.loser.value) {
        case (.delete, _): excerpt = "(a delete)"
        case (.put, nil): excerpt = "(left out)"
        case (.put, let value?): excerpt = ValueDifference.marked(value, against: conflict.winner.value)
        }
        var kept = conflict
        kept.winner.value = nil
        kept.ancestor = nil
        kept.result = nil
        self.conflict = kept
    }

    static func characters(lostIn conflict: Conflict) -> Int {
        guard conflict.severity.isLoss, Recoverability(of: conflict) != .omitted, let lost = conflict.loser.value else { return 0 }
        let shown = TruncatedValue(lost)?.start
        return (shown.map { .string($0) } ?? lost).charactersMissing(in: conflict.winner.value)
    }
}
