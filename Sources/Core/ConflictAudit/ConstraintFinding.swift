import SyncMerge
package import SyncModel

/// Two writes to different records that together break a declared constraint.
package struct ConstraintFinding: Hashable, Sendable {
    /// Which constraint.
    package enum Kind: UInt8, Hashable, Sendable {
        /// Both give a field that is declared unique the same value; the winner's write is the earlier one.
        case sharedValue
        /// The winner deletes the record that the loser refers to.
        case danglingReference
    }

    package let kind: Kind
    /// The unique field, or the field that refers.
    package let field: FieldName
    package let winner: TaggedWrite
    package let loser: TaggedWrite

    package init(kind: Kind, field: FieldName, winner: TaggedWrite, loser: TaggedWrite) {
        self.kind = kind
        self.field = field
        self.winner = winner
        self.loser = loser
    }

    /// The record whose conflict it is: of a dangling reference the one that refers, of a shared value the one that keeps it.
    package var key: RecordKey { kind == .danglingReference ? loser.key : winner.key }

    /// The name of the conflict that this is.
    package var id: ConflictID {
        ConflictID(key: min(winner.key, loser.key), field: field, dots: (winner.dot, loser.dot))
    }
}

extension ConflictClassifier {
    /// Describes a broken constraint.
    ///
    /// It stands until the app does something about it.
    package func conflict(_ finding: ConstraintFinding) -> Conflict {
        let (winner, loser) = (finding.winner, finding.loser)
        let gap = gap(winner, loser)
        let isReference = finding.kind == .danglingReference
        return Conflict(
            id: finding.id, kind: isReference ? .danglingReference : .uniqueKey, severity: isReference ? .lossy : .merged,
            basis: winner.evidence(against: loser, rules.intervals),
            key: finding.key, field: finding.field, related: isReference ? winner.key : loser.key,
            winner: Conflict.Side(winner, field: finding.field), loser: Conflict.Side(loser, field: finding.field), writtenAncestor: nil,
            result: nil, gapMilliseconds: gap, windowMilliseconds: rules.windowMilliseconds, policy: isReference ? "reference" : "unique",
            resolution: .manualPending, reason: isReference ? .deleteWins : .policy, flags: flags(of: gap))
    }
}
