import SyncModel

/// The state of one field of a record.
struct Register: Sendable {
    var maximal: SharedMaximalSet
    /// Nil or an array of one, so that registers without a tally, which nearly all are, pay for a pointer.
    private var tallies: [Tally]?
    var tally: Tally? { tallies?.first }

    init(maximal: SharedMaximalSet, tally: Tally?) {
        self.maximal = maximal
        tallies = tally.map { [$0] }
    }

    /// A register that only the record's deletes have written to so far.
    init(deletes: SharedMaximalSet, policy: MergePolicy) {
        maximal = deletes
        tallies = policy.addsUp ? [Tally(resets: deletes.value)] : nil
    }

    /// Takes a write in where there is nothing to decide and nothing to add up.
    ///
    /// - Parameter step: What the write did to the register before this one.
    /// - Returns: False, and nothing is changed, where there may be.
    mutating func advance(by write: TaggedWrite, proximity: Int64, like step: inout SharedMaximalSet.Step) -> Bool {
        tallies == nil && maximal.advance(by: write, proximity: proximity, like: &step)
    }

    /// Takes a write in and says what was decided, if the write met a concurrent one.
    mutating func merge(_ write: TaggedWrite, rules: MergeRules, register: () -> RegisterRules) -> MergeDecision? {
        let decision = maximal.modify { $0.merge(write, rules: rules, register: register) }
        guard tallies != nil else { return decision }
        let register = register()
        guard let field = register.field else { return decision }
        switch register.policy {
        case .counter: tallies?[0].count(write, field: field, proximity: rules.proximity)
        case .set: tallies?[0].collect(write, field: field, proximity: rules.proximity)
        default: break
        }
        guard let decision, !decision.winner.isDelete, !decision.loser.isDelete else { return decision }
        // Of two numbers set at once, only one is counted from; the other is lost like any value.
        if case .counter = register.policy, tally?.counts(decision.loser, field: field, rules: register) == false { return decision }
        return decision.with(result: tallied(register))
    }

    /// The value shown; nil where the field is absent.
    ///
    /// - Parameter register: Gives the rules of the register; asked only where there is something to choose.
    func shown(_ field: FieldName, _ register: () -> RegisterRules) -> FieldValue? {
        // One maximal write and nothing added up: nearly every register, so it skips the policy.
        if tallies == nil, let only = maximal.only {
            guard !only.isDelete, let value = only.value(of: field), value != .null else { return nil }
            return value
        }
        let register = register()
        guard let verdict = register.verdict(among: maximal.contenders), !verdict.winner.isDelete else { return nil }
        let value = tallied(register) ?? verdict.made ?? verdict.winner.value(of: field) ?? .null
        return value == .null ? nil : .some(value)
    }

    private func tallied(_ register: RegisterRules) -> FieldValue? {
        guard let tally, let field = register.field else { return nil }
        switch register.policy {
        case .counter: return tally.sum(field: field, rules: register)
        case .set: return tally.members()
        default: return nil
        }
    }
}

extension MaximalSet {
    /// Takes a write in and says what was decided, if the write met a concurrent one: it lost to the winner, or it displaced a winner that
    /// it had not seen.
    ///
    /// - Parameter register: Gives the rules of the register; asked only where several writes contend.
    mutating func merge(_ write: TaggedWrite, rules: MergeRules, register: () -> RegisterRules) -> MergeDecision? {
        // Nearly every write has seen all that came before: whatever the policy, there is nothing to decide.
        if hasNoRival(to: write, proximity: rules.proximity) {
            insert(write, proximity: rules.proximity)
            return nil
        }
        let register = register()
        let before = only ?? leader ?? register.verdict(among: writes)?.winner
        let count = count
        guard insert(write, proximity: rules.proximity), only == nil else { return nil }
        // Where nothing was displaced, the choice is between the one chosen before and the one that is new.
        let rivals = if let before, self.count > count, register.choosesPairwise { [before, write] } else { writes }
        guard let after = register.verdict(among: rivals) else { return nil }
        leader = after.winner
        if after.winner.dot != write.dot {
            return decision(after, over: write, didArrivingWin: false, rules: rules, register: register)
        }
        guard let loser = before, !write.hasSeen(loser, proximity: rules.proximity) else { return nil }
        return decision(after, over: loser, didArrivingWin: true, rules: rules, register: register)
    }

    private func decision(
        _ verdict: Verdict, over loser: TaggedWrite, didArrivingWin: Bool, rules: MergeRules, register: RegisterRules
    ) -> MergeDecision {
        MergeDecision(
            contention: .sameRegister, field: register.field, winner: verdict.winner, loser: loser, didArrivingWin: didArrivingWin,
            reason: verdict.reason(over: loser, deletes: register.deletes), policy: register.policyName(verdict.winner, loser, in: rules),
            ancestor: ancestor(of: verdict.winner, loser, proximity: rules.proximity), result: verdict.made,
            isPending: verdict.isPending && !loser.isDelete)
    }

    /// The write last displaced, where both sides had seen it.
    func ancestor(of one: TaggedWrite, _ other: TaggedWrite, proximity: Int64) -> TaggedWrite? {
        guard let displaced, one.hasSeen(displaced, proximity: proximity), other.hasSeen(displaced, proximity: proximity) else {
            return nil
        }
        return displaced
    }
}

extension MergeDecision {
    fileprivate func with(result: FieldValue?) -> MergeDecision {
        MergeDecision(
            contention: contention, field: field, winner: winner, loser: loser, didArrivingWin: didArrivingWin, reason: reason,
            policy: policy, ancestor: ancestor, result: result, isPending: isPending)
    }
}
