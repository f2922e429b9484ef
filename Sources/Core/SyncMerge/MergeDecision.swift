public import SyncModel

/// Two concurrent writes met, and one of them is shown.
///
/// ```swift
/// for decision in state.merge(write, rules: rules) {
///     print(decision.winner.dot, "won over", decision.loser.dot, "because:", decision.reason)
/// }
/// ```
public struct MergeDecision: Sendable {
    /// What the two writes contend for.
    package enum Contention: Hashable, Sendable {
        /// Both wrote the register.
        case sameRegister
        /// Both deleted the record.
        case bothDeleted
        /// Both put the record but share no field; the winner is the later in the total order and both are kept. An arriving write is
        /// decided against one such write, the latest.
        case differentFields
    }

    /// Why the winner won.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Its timestamp is later.
        case newer
        /// The timestamps are equal and its device sorts last.
        case tieBreak = "tie_break"
        /// A delete wins over edits.
        case deleteWins = "delete_wins"
        /// An edit wins over deletes.
        case editWins = "edit_wins"
        /// The policy of the field says so, by another measure than time.
        case policy
        /// The app's own policy says so.
        case custom
        /// Only one side had changed since the common ancestor.
        case causal

        /// What the two timestamps say of why a write won.
        package static func byTime(_ winner: HybridTimestamp, _ loser: HybridTimestamp) -> Reason {
            winner == loser ? .tieBreak : .newer
        }
    }

    /// What the two writes contend for.
    package let contention: Contention
    /// The field, nil where the register is the whole record.
    public let field: FieldName?
    /// The write that is shown.
    public let winner: TaggedWrite
    /// The write that is not.
    public let loser: TaggedWrite
    /// Whether the arriving write won.
    package let didArrivingWin: Bool
    /// Why the winner won.
    public let reason: Reason
    /// The name of the policy that decided.
    public let policy: String
    /// The policy's choice among the maximal writes that both sides had seen; nil where there is none or that is not known.
    ///
    /// A replica knows the write that was last displaced.
    public let ancestor: TaggedWrite?
    /// The value shown, where it was made of both sides.
    public let result: FieldValue?
    /// Whether the app has yet to decide.
    public let isPending: Bool
    /// What became of the edits that the two sides carry.
    package let edits: CarriedEdits

    /// Notes what was decided, here or by somebody else.
    package init(
        contention: Contention, field: FieldName?, winner: TaggedWrite, loser: TaggedWrite, didArrivingWin: Bool, reason: Reason,
        policy: String, ancestor: TaggedWrite?, result: FieldValue?, isPending: Bool, edits: CarriedEdits = CarriedEdits()
    ) {
        self.contention = contention
        self.field = field
        self.winner = winner
        self.loser = loser
        self.didArrivingWin = didArrivingWin
        self.reason = reason
        self.policy = policy
        self.ancestor = ancestor
        self.result = result
        self.isPending = isPending
        self.edits = edits
    }

    /// The same decision with more known of the winner, or as seen from the other side.
    package func with(winner: TaggedWrite? = nil, didArrivingWin: Bool? = nil) -> MergeDecision {
        MergeDecision(
            contention: contention, field: field, winner: winner ?? self.winner, loser: loser,
            didArrivingWin: didArrivingWin ?? self.didArrivingWin, reason: reason, policy: policy, ancestor: ancestor,
            result: result, isPending: isPending, edits: edits)
    }
}
