package import SyncModel

/// Other names for writes that nobody but their device, or another copy of its store, has ever had, and what follows for everything that
/// names them.
///
/// A store that was put back or copied goes on as a writer of its own: what it wrote under numbers that the hub has for other writes gets
/// new names, and so do the vectors that say it was seen. Timestamps stay.
package struct Renaming: Sendable {
    /// Who they were written as.
    package let old: DeviceID
    /// Who they are written as now.
    package let new: DeviceID
    /// The last number of the old name that stays.
    package let acknowledged: UInt64
    /// The numbers that are given up, rising.
    package let numbers: [UInt64]
    /// The writes by the numbers they had.
    private var writes: [UInt64: TaggedWrite] = [:]
    /// For each write and each field in which it counts, the last running total that stays under the old name.
    private let bases: [UInt64: [FieldName: TaggedWrite]]

    /// Gives writes the numbers from 1 on.
    ///
    /// - Parameters:
    ///   - unsent: The writes, numbers rising, each later than `acknowledged`.
    ///   - new: A name that nobody writes under, or another copy of the store that has the same writes unsent.
    ///   - acknowledged: The last number of their device that stays.
    ///   - bases: For each write that carries running totals, the totals that they go on from, as far as they stay.
    /// - Complexity: O(*n* log *n*).
    package init(
        _ unsent: [TaggedWrite], from old: DeviceID, to new: DeviceID, acknowledged: UInt64, bases: [UInt64: [FieldName: TaggedWrite]]
    ) {
        self.old = old
        self.new = new
        self.acknowledged = acknowledged
        self.bases = bases
        numbers = unsent.map(\.dot.sequence)
        for (index, write) in unsent.enumerated() {
            writes[write.dot.sequence] = write.with(
                dot: Dot(device: new, sequence: UInt64(index + 1)), operation: operation(of: write), seen: write.seen.map(vector))
        }
    }

    /// The renamed writes, in order.
    package var renamed: [TaggedWrite] { numbers.compactMap { writes[$0] } }

    /// A running total counts on from what stays under the old name, which is a total of its own.
    private func operation(of write: TaggedWrite) -> TaggedWrite.Operation {
        guard case .put(var fields) = write.operation, let bases = bases[write.dot.sequence] else { return write.operation }
        for (field, base) in bases {
            guard let total = fields[field].flatMap(CounterWrite.init)?.total,
                let counted = base.value(of: field).flatMap(CounterWrite.init)?.total
            else { continue }
            fields[field] = CounterWrite(total: total.subtractingReportingOverflow(counted).partialValue).value
        }
        return .put(fields)
    }

    /// A write under its new name; any other as it is.
    package func write(_ write: TaggedWrite) -> TaggedWrite {
        guard write.isOfDevice(old), let renamed = writes[write.number] else { return write }
        return renamed
    }

    /// The name of a write under its new name; any other as it is.
    package func dot(_ dot: Dot) -> Dot {
        guard dot.device == old, let renamed = writes[dot.sequence] else { return dot }
        return renamed.dot
    }

    /// What was seen, under the new names.
    package func vector(_ vector: VersionVector) -> VersionVector {
        let number = vector[old]
        // How many of the renamed are among those seen.
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return vector }
        var pairs = vector.entries.filter { $0.device != old && $0.device != new }.map { (device: $0.device, sequence: $0.sequence) }
        pairs.append((old, acknowledged))
        pairs.append((new, UInt64(low)))
        return VersionVector(unordered: pairs) ?? vector
    }

    fileprivate func total(of field: FieldName, before write: TaggedWrite) -> TaggedWrite? {
        write.isOfDevice(old) ? bases[write.number]?[field] : nil
    }
}

extension RecordState {
    /// Gives the writes that the record holds their new names: it then is what it would be had they been made under them.
    ///
    /// - Complexity: O(*n* log *n*) in the number of writes that it holds and the length of their vectors.
    package mutating func rename(_ renaming: Renaming) {
        changeSets { $0.replace(writes: renaming.write, seen: renaming.vector) }
        for index in tallies.indices { tallies[index]?.rename(names[index], renaming) }
        history = history.map(renaming.write)
        view = []
    }

    /// What a delete took beside a running total that has a new name: the total that stays under the old one, which counts by itself now.
    ///
    /// - Parameter decision: What was decided under the old names.
    /// - Returns: The decision, which every other replica makes by itself; nil where there is none, or it was told, or so much was counted
    ///   since that nothing is remembered of it.
    package mutating func decisionOnBase(_ decision: MergeDecision, _ renaming: Renaming, rules: MergeRules) -> MergeDecision? {
        guard decision.winner.isDelete, let field = decision.field, let base = renaming.total(of: field, before: decision.loser),
            !decision.winner.hasSeen(base, intervals: rules.intervals), !tallies.isEmpty, let index = names.firstIndex(of: field),
            tallies[index]?.forgetUntold(base) == true
        else { return nil }
        let verdict = Verdict(winner: decision.winner, measure: base.precedes(decision.winner) ? .time : .policy)
        return MergeDecision(
            contention: decision.contention, field: field, winner: decision.winner, loser: base, didArrivingWin: decision.didArrivingWin,
            reason: verdict.reason(over: base, deletes: rules.deletes), policy: decision.policy, ancestor: nil, result: nil,
            isPending: false, edits: decision.edits)
    }

    /// Changes every set of maximal writes, one that is shared once.
    mutating func changeSets(_ change: (inout MaximalSet) -> Void) {
        // A set that was changed is kept as long, so that no other gets its identity.
        var known: [ObjectIdentifier: (before: SharedMaximalSet, after: SharedMaximalSet)] = [:]
        func changed(_ set: SharedMaximalSet) -> SharedMaximalSet {
            guard let identity = set.identity else { return set }
            if let other = known[identity] { return other.after }
            var value = set.value
            change(&value)
            let after = SharedMaximalSet(value)
            known[identity] = (set, after)
            return after
        }
        record = changed(record)
        deletes = changed(deletes)
        for index in fields.indices { fields[index] = changed(fields[index]) }
    }
}

extension Tally {
    fileprivate mutating func rename(_ field: FieldName, _ renaming: Renaming) {
        resets.rename(renaming)
        renameUntold(renaming)
        if let total = totals[renaming.old], case let renamed = renaming.write(total), !renamed.isOfDevice(renaming.old) {
            totals[renaming.new] = renamed
            // What stays under the old name counts again by itself, unless it was taken away meanwhile.
            totals[renaming.old] = renaming.total(of: field, before: total).flatMap {
                resets.covers($0, intervals: .withoutWindow) ? nil : $0
            }
        }
        elements.updateAll(
            where: { !$0.removals.isEmpty || $0.additions[renaming.old] != nil },
            { element in
                element.removals.rename(renaming)
                guard let addition = element.additions[renaming.old], case let renamed = renaming.write(addition.write),
                    !renamed.isOfDevice(renaming.old)
                else { return }
                element.remove(addition)
                element.insert(SetElements.Addition(write: renamed, spelling: addition.spelling))
            })
    }
}

extension MaximalSet {
    fileprivate mutating func rename(_ renaming: Renaming) {
        replace(writes: renaming.write, seen: renaming.vector)
    }
}

extension MergeDecision {
    /// The decision under the writes' new names.
    package func renamed(_ renaming: Renaming) -> MergeDecision {
        MergeDecision(
            contention: contention, field: field, winner: renaming.write(winner), loser: renaming.write(loser),
            didArrivingWin: didArrivingWin,
            reason: reason, policy: policy, ancestor: ancestor.map(renaming.write), result: result, isPending: isPending, edits: edits)
    }
}
