package import SyncMerge
package import SyncModel

/// The records of a trace by their names.
///
/// A hash table made for a look-up with every write of a trace: a look-up hashes a few words and compares one name. Of a record that was
/// written once, which many a trace is full of, only the write is kept: its state follows from the write, and takes memory of its own.
package struct RecordTable: Sendable {
    /// For each slot the upper half of the hash of its record, and in the lower the index of its first write or of its state plus 1; 0 where
    /// there is none.
    ///
    /// A record is in the first slot that was free from its hash on.
    private var slots = [UInt64](repeating: 0, count: 1024)
    /// The records in the order in which they were first named: of each its only write, or nil where its state is kept.
    private var firstWrites: [TaggedWrite?] = []
    private var states: [RecordState] = []
    private let hashKey: HashKey
    private let rules: MergeRules

    /// A table without records.
    ///
    /// - Parameters:
    ///   - rules: The rules by which the records are merged.
    ///   - hashKey: The key of the hashes that ``merge(_:hash:sharing:)`` is given.
    package init(rules: MergeRules, hashKey: HashKey = HashKey()) {
        self.rules = rules
        self.hashKey = hashKey
    }

    /// The records, those that were written once first.
    package var keys: [RecordKey] { firstWrites.compactMap(\.?.key) + states.map(\.key) }

    /// The state of a record, nil where nothing ever named it.
    package subscript(key: RecordKey) -> RecordState? {
        let hash = key.quickHash(hashKey)
        var slot = first(hash)
        while slots[slot] != 0 {
            let entry = slots[slot]
            if isLike(entry, hash) {
                if entry & Self.stateBit != 0 {
                    if states[index(entry)].key == key { return states[index(entry)] }
                } else if let write = firstWrites[index(entry)], write.isTo(key) {
                    return RecordState(key: write.key, writes: [write], rules: rules)
                }
            }
            slot = next(slot)
        }
        return nil
    }

    /// Merges a write into its record, and says whether it contradicts one that had arrived.
    package mutating func merge(
        _ write: TaggedWrite, sharing nameLists: inout NameLists
    ) -> (decisions: [MergeDecision], isMisnamed: Bool) {
        merge(write, hash: write.recordHash(hashKey), sharing: &nameLists)
    }

    /// The same, of a write whose record's hash is known.
    package mutating func merge(
        _ write: TaggedWrite, hash: UInt64, sharing nameLists: inout NameLists
    ) -> (decisions: [MergeDecision], isMisnamed: Bool) {
        var slot = first(hash)
        while slots[slot] != 0 {
            let entry = slots[slot]
            if isLike(entry, hash) {
                let index = index(entry)
                if entry & Self.stateBit != 0 {
                    if write.isTo(states.span[index].key) { return states[index].mergeChecked(write, rules: rules, sharing: &nameLists) }
                } else if let only = firstWrites[index], write.isToRecord(of: only) {
                    firstWrites[index] = nil
                    states.append(RecordState(key: only.key, writes: [only], rules: rules))
                    slots[slot] = hash & ~Self.indexMask | Self.stateBit | UInt64(states.count)
                    return states[states.count - 1].mergeChecked(write, rules: rules, sharing: &nameLists)
                }
            }
            slot = next(slot)
        }
        firstWrites.append(write)
        slots[slot] = hash & ~Self.indexMask | UInt64(firstWrites.count)
        if firstWrites.count * 4 > slots.count * 3 { grow() }
        // There is nothing yet that the first write could contradict or lose to.
        return ([], false)
    }

    private func isLike(_ entry: UInt64, _ hash: UInt64) -> Bool { entry ^ hash < 1 << 32 }
    private func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1) }
    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        for entry in slots where entry != 0 {
            var slot = Int(entry >> 32) & (larger.count - 1)
            while larger[slot] != 0 { slot = (slot + 1) & (larger.count - 1) }
            larger[slot] = entry
        }
        slots = larger
    }

    private func index(_ entry: UInt64) -> Int { Int(entry & (Self.stateBit - 1)) - 1 }

    private static let indexMask: UInt64 = 0xffff_ffff
    /// Set where the index is that of a state.
    private static let stateBit: UInt64 = 0x8000_0000
}
