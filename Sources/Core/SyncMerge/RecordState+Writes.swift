package import SyncModel

extension RecordState {
    /// Every write that the state holds, in the total order, each once: merged into an empty state by the same rules, in any order, they
    /// show what this state shows and decide alike on whatever arrives later.
    ///
    /// Writes that only serve as a common ancestor are left out. What deletes have been told to take from counters and sets is no write,
    /// and is kept beside them: `Tally.told`.
    ///
    /// - Complexity: O(*n* log *n*) in the number of writes held.
    package var heldWrites: [TaggedWrite] {
        var held = Set(history)
        // The history's form of a write is the one with all that it includes.
        let folded = Set(history.map(\.dot))
        func hold(_ set: MaximalSet) {
            held.formUnion(set.writes.lazy.filter { !folded.contains($0.dot) })
            if let latest = set.latest, !folded.contains(latest.dot) { held.insert(latest) }
        }
        hold(record.value)
        hold(deletes.value)
        for field in fields { hold(field.value) }
        for tally in tallies.lazy.compactMap(\.self) {
            hold(tally.resets)
            held.formUnion(tally.totals.values)
            for element in tally.elements.values {
                held.formUnion(element.additions.values.map(\.write))
                hold(element.removals)
            }
        }
        return held.sorted { $0.precedes($1) }
    }

    /// The writes that only serve as a common ancestor: by them is judged which of a late write's values are edits.
    ///
    /// - Complexity: O(*f*) for *f* fields.
    package var ancestors: [TaggedWrite] {
        ([record.value.displaced, deletes.value.displaced] + fields.map(\.value.displaced)).compactMap(\.self)
    }

    /// The held writes without which a deleted record that ``leavesNothing`` would decide otherwise: its deletes, and what was put beside
    /// them.
    ///
    /// Of a record that is one register that is all: what a late winner had seen may be any earlier state.
    package func trace(rules: MergeRules) -> [TaggedWrite] {
        guard case .fields = rules.scope(for: key.type) else { return heldWrites }
        return heldWrites.filter { write in write.isDelete || !deletes.writes.contains { $0.hasSeen(write, intervals: rules.intervals) } }
    }

    /// The state that some writes to a record lead to, in whatever order they come.
    package init(key: RecordKey, writes: [TaggedWrite], rules: MergeRules) {
        self.init(key: key)
        for write in writes { _ = merge(write, rules: rules) }
    }
}
