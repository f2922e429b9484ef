package import SyncModel

extension RecordState {
    /// Whether a write has arrived with another position in the hub's order than the one that is known, or carrying other fields, where
    /// that order decides.
    ///
    /// - Complexity: O(*f*) for the *f* fields that it names where the hub's order decides, else O(1).
    package func mustSetPosition(of write: TaggedWrite, rules: MergeRules) -> Bool {
        guard let position = write.hubSequence, rules.decidesByArrival(in: key.type) else { return false }
        // A delete that is maximal in a field is so among the deletes.
        let named = (0..<write.fieldCount).compactMap { index(ofField: $0, of: write).map { fields[$0] } }
        let known = ([record, deletes] + named).lazy.compactMap { $0.maximalWrite(sameAs: write) }.first
        guard let known = known ?? history.first(where: { $0.dot == write.dot }) else { return false }
        return known.hubSequence != position || known.carried != write.carried
    }

    /// Sets the position of a write that has arrived in the hub's order, where it is not known.
    ///
    /// A replica learns it of its own writes last, and of all anew where the hub was put back or replaced. What a writer had seen was shown
    /// by the hub's order of that time: it is taken as the hub has it, the same for all devices.
    ///
    /// - Returns: The decisions that come out otherwise than before; nil where the position is known, so that the write is to be merged
    ///   like any other.
    mutating func setPosition(of write: TaggedWrite, rules: MergeRules) -> [MergeDecision]? {
        guard let receipt = write.receipt, mustSetPosition(of: write, rules: rules) else { return nil }
        let carried = write.carried
        func placed(_ other: TaggedWrite) -> TaggedWrite { other.dot == write.dot ? other.received(receipt).carrying(carried) : other }
        let before = contested(rules)
        changeSets { $0.replace(writes: placed, seen: { $0 }) }
        history = history.map(placed)
        view = []
        return zip(before, contested(rules)).compactMap { old, new in
            let loser = placed(old.verdict.winner)
            guard new.verdict.winner.dot != loser.dot else { return nil }
            var memory = RecordMemory.ofReplica
            return new.maximal.value.decision(
                new.verdict, over: loser, didArrivingWin: new.verdict.winner.dot == write.dot, rules: rules, register: new.register,
                &memory)
        }
    }

    private typealias Contested = (register: RegisterRules, maximal: SharedMaximalSet, verdict: Verdict)

    /// The registers with several maximal writes.
    private func contested(_ rules: MergeRules) -> [Contested] {
        var registers: [(field: FieldName?, maximal: SharedMaximalSet)] = [(nil, record)]
        if case .fields = rules.scope(for: key.type) { registers = zip(names, fields).map { ($0, $1) } }
        return registers.compactMap { field, maximal in
            let register = RegisterRules(rules, key: key, field: field)
            guard maximal.only == nil, let verdict = register.verdict(among: maximal.writes) else { return nil }
            return (register, maximal, verdict)
        }
    }
}

extension MergeRules {
    /// Whether the hub's order decides about records of a type or any of their fields.
    package func decidesByArrival(in type: RecordType) -> Bool {
        switch scope(for: type) {
        case .record(let policy): policy.isLastArrival
        case .fields(let policy): policy.isLastArrival || fields[type]?.values.contains(where: \.isLastArrival) ?? false
        }
    }
}

extension MergePolicy {
    fileprivate var isLastArrival: Bool { if case .lastArrivalWins = self { true } else { false } }
}
