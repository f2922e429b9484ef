import SyncModel

/// The state of one field of a record.
struct Register {
    let field: FieldName
    var maximal: SharedMaximalSet
    /// The sum, under the policies by which no write loses.
    var tally: Tally?

    /// Merges a write, and returns the decisions if the write met concurrent ones.
    ///
    /// Only under `counter` there may be two decisions: a plain value displaces another one and meets a running total.
    mutating func merge(_ write: TaggedWrite, rules: MergeRules, key: RecordKey, _ memory: inout RecordMemory) -> [MergeDecision] {
        let field = field
        let decisions = maximal.modify { $0.merge(write, rules: rules, key: key, field: field, &memory) }
        guard tally != nil else { return decisions }
        let register = RegisterRules(rules, key: key, field: field)
        // What others had been decided is of what nobody loses.
        let decision = decisions.first { [$0.winner.dot, $0.loser.dot].contains(write.dot) }
        let isKnown = tally?.counts(write, field: field) == true
        var start: TaggedWrite?
        var told: [MergeDecision]
        if case .counter = register.policy {
            if !write.isRunningTotal(of: field) { start = tally?.start(field: field, rules: register)?.winner }
            told = count(write, decision, isKnown: isKnown, from: start, rules: rules, register: register, &memory)
        } else {
            tally?.collect(write, field: field, intervals: rules.intervals)
            if decision != nil { tally?.elements.keepOrder() }
            told = decision.map { [$0.isBetweenPuts ? $0.with(result: tallied(register)) : $0] } ?? []
        }
        guard write.isDelete else {
            let isLost = told.contains { $0.winner.isDelete && $0.loser.dot == write.dot }
            if !isKnown, !isLost, tally?.counts(write, field: field) == true { tally?.remember(write) }
            return told
        }
        if isKnown { return told }
        return told + losses(to: write, besides: told, countedFrom: start, rules: rules, register: register, &memory)
    }

    /// What a delete that wins takes from the sum or the set, unknown to its writer and not told before.
    private mutating func losses(
        to delete: TaggedWrite, besides told: [MergeDecision], countedFrom start: TaggedWrite?, rules: MergeRules, register: RegisterRules,
        _ memory: inout RecordMemory
    ) -> [MergeDecision] {
        guard tally?.hasUntold == true, let verdict = maximal.value.choice(register), verdict.winner.dot == delete.dot else {
            return []
        }
        var gone = tally?.forgetUntold(countedFrom: start, field: field) ?? []
        gone.removeAll { loser in
            delete.hasSeen(loser, intervals: rules.intervals) || told.contains { $0.loser.dot == loser.dot }
        }
        if case .set = register.policy {
            // Of several that set the same elements one is told, as of equal values elsewhere; counts are as many as they are.
            var values: Set<FieldValue> = []
            gone = gone.filter { values.insert($0.value(of: field) ?? .null).inserted }
        }
        return gone.map { loser in
            // One that is later than the delete would have won by its time.
            let own = loser.precedes(delete) ? verdict : Verdict(winner: delete, measure: .policy)
            return maximal.value.decision(own, over: loser, didArrivingWin: true, rules: rules, register: register, &memory)
        }
    }

    /// Counts a write, and corrects what was decided among the maximal writes by what became of the plain values: the count starts from one
    /// of them alone, and the others are lost.
    private mutating func count(
        _ write: TaggedWrite, _ decision: MergeDecision?, isKnown: Bool, from before: TaggedWrite?, rules: MergeRules,
        register: RegisterRules, _ memory: inout RecordMemory
    ) -> [MergeDecision] {
        tally?.count(write, field: field, rules: rules, register: register)
        let setsValue = !write.isDelete && !write.isRunningTotal(of: field)
        guard decision?.isBetweenPuts ?? setsValue else { return decision.map { [$0] } ?? [] }
        let counted = decision.map { decision in
            let isKept = tally?.keeps(decision.loser, against: decision.winner, field: field, rules: register) == true
            return (isKept: isKept, decision: isKept ? decision.with(result: tallied(register)) : decision)
        }
        let told = counted.map { [$0.decision] } ?? []
        // What came before, and comes again, decides nothing.
        guard setsValue, decision != nil || !isKnown, let start = tally?.start(field: field, rules: register) else { return told }
        func decide(over loser: TaggedWrite) -> MergeDecision {
            maximal.value.decision(
                start, over: loser, didArrivingWin: loser.dot != write.dot, rules: rules, register: register, &memory)
        }
        if start.winner.dot != write.dot { return decision == nil ? [] : [decide(over: write)] }
        guard let before, !before.isDelete, before.dot != write.dot, !write.hasSeen(before, intervals: rules.intervals) else { return told }
        let isSamePair = decision.map { [$0.winner.dot, $0.loser.dot].contains(before.dot) } ?? true
        return isSamePair || counted?.isKept == false ? [decide(over: before)] : [decide(over: before)] + told
    }

    /// The value shown; nil where the field is absent.
    func shown(rules: MergeRules, key: RecordKey) -> FieldValue? {
        // One maximal write and nothing added up: nearly every register, so it skips the policy.
        if tally == nil, let only = maximal.only {
            guard !only.isDelete, let value = only.value(of: field), value != .null else { return nil }
            return value
        }
        let register = RegisterRules(rules, key: key, field: field)
        guard let verdict = register.verdict(among: maximal.contenders), !verdict.winner.isDelete else { return nil }
        let value = tallied(register) ?? verdict.made ?? verdict.winner.value(of: field) ?? .null
        return value == .null ? nil : .some(value)
    }

    private func tallied(_ register: RegisterRules) -> FieldValue? {
        guard let tally else { return nil }
        switch register.policy {
        case .counter: return tally.sum(field: field, rules: register)
        case .set: return tally.members()
        default: return nil
        }
    }
}

extension MaximalSet {
    /// Merges a write, and returns the decisions if the write met concurrent ones: it lost to the winner, it displaced a winner that it had
    /// not seen, or as the winner it hides for good what another had lost to an equal value.
    mutating func merge(
        _ write: TaggedWrite, rules: MergeRules, key: RecordKey, field: FieldName?, _ memory: inout RecordMemory
    ) -> [MergeDecision] {
        // Nearly every write has seen all that came before: whatever the policy, there is nothing to decide.
        if hasNoRival(to: write, intervals: rules.intervals) {
            insert(write, intervals: rules.intervals)
            return []
        }
        let register = RegisterRules(rules, key: key, field: field)
        guard let (before, after) = choose(with: write, rules: rules, register: register) else { return [] }
        let didArrivingWin = after.winner.dot == write.dot
        var losers = didArrivingWin ? hiddenLosers(to: after, register, rules.intervals, &memory) : [write]
        if didArrivingWin, let before, !write.hasSeen(before, intervals: rules.intervals) {
            losers.removeAll { $0.dot == before.dot }
            losers.insert(before, at: 0)
        }
        let decisions = losers.map { loser in
            // Of another than the one chosen before it is yet to be said why it lost.
            let own = loser.dot == before?.dot || !register.choosesPairwise ? nil : register.verdict(among: [after.winner, loser])
            let (decision, isHarmless) = judgedDecision(
                own ?? after, over: loser, didArrivingWin: didArrivingWin, rules: rules, register: register, &memory)
            if isHarmless { keepUntold(loser, register) }
            return decision
        }
        guard didArrivingWin, field == nil else { return decisions }
        return decisions + losers.flatMap { seriesDecisions(after, over: $0, rules: rules, register, &memory) }
    }

    /// Where records are kept or dropped as a whole, what goes with a put that loses to an arriving write: the earlier puts that its record
    /// showed, as far as it showed them and the winner's writer had seen none of them.
    private mutating func seriesDecisions(
        _ verdict: Verdict, over loser: TaggedWrite, rules: MergeRules, _ register: RegisterRules, _ memory: inout RecordMemory
    ) -> [MergeDecision] {
        let series = memory.ask(about: nil, displaced: displaced) {
            $0.series(behind: loser, lostTo: verdict.winner, register, rules.intervals)
        }
        return series.compactMap { write in
            if register.keeps(write, in: verdict.winner) { return nil }
            // Of itself it might have won.
            var own = register.verdict(among: [verdict.winner, write]) ?? verdict
            if own.winner.dot != verdict.winner.dot {
                own = Verdict(winner: verdict.winner, isPending: verdict.isPending, measure: .policy)
            }
            let decision = decision(own, over: write, didArrivingWin: true, rules: rules, register: register, &memory)
            return decision.edits.isLoserKnown ? nil : decision
        }
    }

    /// The maximal writes whose loss was harmless until a write became the winner that shows something else and whose writer had not seen
    /// what they carry; of several with one value the latest.
    private mutating func hiddenLosers(
        to verdict: Verdict, _ register: RegisterRules, _ intervals: IntervalRule, _ memory: inout RecordMemory
    ) -> [TaggedWrite] {
        if untold.isEmpty || register.policy.addsUp { return [] }
        let (winner, candidates) = (verdict.winner, untold)
        let hidden = memory.ask(about: register.field, displaced: displaced) { memory in
            candidates.filter { !$0.hasSameDot(as: winner) && memory.isLost($0, to: winner, register, intervals) }
        }
        if hidden.isEmpty { return [] }
        untold.removeAll { write in hidden.contains { $0.dot == write.dot } }
        var told: [TaggedWrite] = []
        for write in hidden.sorted(by: { $1.precedes($0) }) where !told.contains(where: { register.keeps(write, in: $0) }) {
            told.append(write)
        }
        return told
    }

    /// Remembers a maximal write whose loss took nothing away, for when another winner shows something else.
    private mutating func keepUntold(_ write: TaggedWrite, _ register: RegisterRules) {
        if !register.policy.addsUp { keepUntold(write, limit: Self.maximumUntold) }
    }

    /// The most that are remembered: of many with equal values one is enough.
    private static let maximumUntold = 64

    /// Inserts a write, and returns the policy's choice before and now; nil where the write is not one of several maximal ones.
    mutating func choose(with write: TaggedWrite, rules: MergeRules, register: RegisterRules) -> (before: TaggedWrite?, after: Verdict)? {
        // A write that is gone may have made another the winner, unless the policy chooses between two at a time.
        let before = only ?? (register.choosesPairwise ? leader : nil) ?? register.verdict(among: writes)?.winner
        guard insert(write, intervals: rules.intervals), only == nil, let after = verdict(register, before: before, write, rules) else {
            return nil
        }
        leader = after.winner
        return (before, after)
    }

    /// Inserts a write to a record whose fields have registers of their own, and keeps at hand whether the record exists.
    ///
    /// - Returns: Whether the write is one of the maximal ones.
    mutating func insert(_ write: TaggedWrite, intervals: IntervalRule, leadBy register: RegisterRules) -> Bool {
        let before = only ?? leader
        let (isMaximal, displaced) = insertDisplacing(write, intervals: intervals)
        guard isMaximal else { return false }
        if only == nil {
            let isGone = before.map { before in displaced.contains { $0.hasSameDot(as: before) } } ?? true
            leader = register.verdict(among: isGone ? writes : [before, write].compactMap(\.self))?.winner
        }
        return true
    }

    /// What the policy chooses among the contenders.
    ///
    /// - Complexity: O(1) where the policy chooses between two at a time and has chosen before.
    func choice(_ register: RegisterRules) -> Verdict? {
        guard register.choosesPairwise, let leader else { return register.verdict(among: contenders) }
        return Verdict(winner: leader, measure: leader.isDelete ? .time : .policy)
    }

    /// What the policy says now that a write has come: a choice between the one chosen before and the new one, where that one is there
    /// still or loses.
    private func verdict(_ register: RegisterRules, before: TaggedWrite?, _ write: TaggedWrite, _ rules: MergeRules) -> Verdict? {
        if let before, register.choosesPairwise, let choice = register.verdict(among: [before, write]),
            choice.winner.dot == write.dot || !write.hasSeen(before, intervals: rules.intervals)
        {
            return choice
        }
        return register.verdict(among: writes)
    }

    func decision(
        _ verdict: Verdict, over loser: TaggedWrite, didArrivingWin: Bool, rules: MergeRules, register: RegisterRules,
        _ memory: inout RecordMemory
    ) -> MergeDecision {
        judgedDecision(verdict, over: loser, didArrivingWin: didArrivingWin, rules: rules, register: register, &memory).decision
    }

    /// A decision, and whether the loser loses nothing by it: its edits were known to the winner's writer, or the winner shows what it
    /// wanted.
    private func judgedDecision(
        _ verdict: Verdict, over loser: TaggedWrite, didArrivingWin: Bool, rules: MergeRules, register: RegisterRules,
        _ memory: inout RecordMemory
    ) -> (decision: MergeDecision, isHarmless: Bool) {
        let (ancestor, edits, isKept) = memory.ask(about: register.field, displaced: displaced) {
            $0.judge(verdict.winner, over: loser, register, rules.intervals)
        }
        let decision = MergeDecision(
            contention: .sameRegister, field: register.field, winner: verdict.winner, loser: loser, didArrivingWin: didArrivingWin,
            reason: verdict.reason(over: loser, deletes: register.deletes), policy: register.policyName(verdict.winner, loser, in: rules),
            ancestor: ancestor, result: verdict.made, isPending: verdict.isPending && !loser.isDelete, edits: edits)
        return (decision, isKept || edits.isBookkeeping || edits.isLoserKnown)
    }

    /// The write last displaced, where it alone was maximal and both sides had seen it.
    func ancestor(of one: TaggedWrite, _ other: TaggedWrite, _ register: RegisterRules, _ intervals: IntervalRule) -> TaggedWrite? {
        RegisterMemory(displaced: displaced).ancestor(of: one, other, register, intervals)
    }
}

extension MergeDecision {
    fileprivate var isBetweenPuts: Bool { !winner.isDelete && !loser.isDelete }

    fileprivate func with(result: FieldValue?) -> MergeDecision {
        MergeDecision(
            contention: contention, field: field, winner: winner, loser: loser, didArrivingWin: didArrivingWin, reason: reason,
            policy: policy, ancestor: ancestor, result: result, isPending: isPending, edits: edits)
    }
}
