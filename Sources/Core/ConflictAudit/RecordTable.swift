package import SyncBytes
package import SyncMerge
package import SyncModel

/// The records of a trace by their names.
///
/// A hash table made for a look-up with every write of a trace: a look-up hashes a few words and compares one name. Of a record that was
/// written once, which many a trace is full of, only the write is kept: its state follows from the write, and takes memory of its own.
package struct RecordTable: Sendable {
    /// A record that was written to more than once, and what is remembered of it; kept side by side, since both are asked for.
    private struct Entry: Sendable {
        var state: RecordState
        var memory: RecordMemory

        mutating func merge(
            _ write: TaggedWrite, _ rules: MergeRules, _ nameLists: inout NameLists
        ) -> (decisions: [MergeDecision], isDotCollision: Bool) {
            state.mergeChecked(write, rules: rules, &memory, sharing: &nameLists)
        }
    }

    /// Of each record the index of its first write, or of its state with ``stateBit``.
    private var index = HashIndex()
    /// The records in the order in which they were first named: of each its only write, or nil where its state is kept.
    private var firstWrites: [TaggedWrite?] = []
    /// Those of them that name writes as seen that had not come.
    private var openWrites: Set<Int> = []
    private var states: [Entry] = []
    private let hashKey: HashKey
    private let rules: MergeRules
    private let keepsHistory: Bool

    /// Whether any record has been written to more than once, those that were forgotten included.
    package private(set) var hasRepeatedRecord = false

    /// Whether a write has come after one whose writer had seen it, as far as the history is kept.
    package private(set) var isDisordered = false

    /// The edits that writers who had seen them have undone.
    package private(set) var revertCount = 0
    /// Those of the last write merged.
    package private(set) var reverts: [Revert] = []

    /// A table without records.
    ///
    /// - Parameters:
    ///   - rules: The rules by which the records are merged.
    ///   - hashKey: The key of the hashes that ``merge(_:hash:sharing:)`` is given.
    ///   - keepsHistory: Whether all writes are kept, so that what is said of a conflict follows from all of them; a replica keeps few.
    package init(rules: MergeRules, hashKey: HashKey = HashKey(), keepsHistory: Bool = true) {
        self.rules = rules
        self.hashKey = hashKey
        self.keepsHistory = keepsHistory
    }

    /// The records, those that were written once first.
    package var keys: [RecordKey] { firstWrites.compactMap(\.?.key) + states.map(\.state.key) }

    /// The state of a record, nil where nothing ever named it.
    package subscript(key: RecordKey) -> RecordState? {
        let entry = index.find(key.quickHash(hashKey)) { entry in
            entry & Self.stateBit != 0 ? states.span[entry ^ Self.stateBit].state.key == key : firstWrites[entry]?.isTo(key) == true
        }
        guard let entry else { return nil }
        if entry & Self.stateBit != 0 { return states[entry ^ Self.stateBit].state }
        return firstWrites[entry].map { RecordState(key: $0.key, writes: [$0], rules: rules) }
    }

    /// All writes to a record, where the history is kept.
    package func history(of key: RecordKey) -> RecordMemory? {
        let entry = index.find(key.quickHash(hashKey)) { $0 & Self.stateBit != 0 && states.span[$0 ^ Self.stateBit].state.key == key }
        return entry.map { states[$0 ^ Self.stateBit].memory }
    }

    /// Whether a write to the record has been merged.
    package func holds(recordOf write: TaggedWrite, hash: UInt64) -> Bool { entry(of: write, hash) != nil }

    /// Forgets all records.
    package mutating func removeAll() {
        let (isDisordered, hasRepeatedRecord, revertCount) = (isDisordered, hasRepeatedRecord, revertCount)
        self = RecordTable(rules: rules, hashKey: hashKey, keepsHistory: keepsHistory)
        (self.isDisordered, self.hasRepeatedRecord, self.revertCount) = (isDisordered, hasRepeatedRecord, revertCount)
    }

    @inline(__always)
    private func entry(of write: TaggedWrite, _ hash: UInt64) -> Int? {
        index.find(hash) { entry in
            if entry & Self.stateBit != 0 { return write.isTo(states.span[entry ^ Self.stateBit].state.key) }
            guard let only = firstWrites[entry] else { return false }
            return write.isToRecord(of: only)
        }
    }

    /// The hash of a write's record.
    package func hash(of write: TaggedWrite) -> UInt64 { write.recordHash(hashKey) }

    /// Merges a write into its record, and says whether it contradicts one that had arrived.
    ///
    /// - Parameter isOpen: Whether it names writes as seen that have not come.
    package mutating func merge(
        _ write: TaggedWrite, isOpen: Bool = false, sharing nameLists: inout NameLists
    ) -> (decisions: [MergeDecision], isDotCollision: Bool) {
        merge(write, hash: hash(of: write), isOpen: isOpen, sharing: &nameLists)
    }

    /// The same, of a write whose record's hash is known.
    package mutating func merge(
        _ write: TaggedWrite, hash: UInt64, isOpen: Bool = false, sharing nameLists: inout NameLists
    ) -> (decisions: [MergeDecision], isDotCollision: Bool) {
        if let entry = entry(of: write, hash) {
            hasRepeatedRecord = true
            var slot = entry ^ Self.stateBit
            if let only = entry & Self.stateBit == 0 ? firstWrites[entry].take() : nil {
                slot = states.count
                index.replace(entry, hash: hash, with: slot | Self.stateBit)
                states.append(Entry(state: RecordState(key: only.key), memory: keepsHistory ? RecordMemory() : .ofReplica))
                if !openWrites.isEmpty { states[slot].memory.isNextOpen = openWrites.remove(entry) != nil }
                _ = states[slot].merge(only, rules, &nameLists)
            }
            states[slot].memory.isNextOpen = isOpen
            let merged = states[slot].merge(write, rules, &nameLists)
            if states[slot].memory.hasLateWrite { isDisordered = true }
            reverts = states[slot].memory.takeReverts()
            revertCount += reverts.count
            return merged
        }
        if !reverts.isEmpty { reverts = [] }
        if isOpen { openWrites.insert(firstWrites.count) }
        firstWrites.append(write)
        index.insert(firstWrites.count - 1, hash: hash)
        // There is nothing yet that the first write could contradict or lose to.
        return ([], false)
    }

    /// Set where an index is that of a state; the highest bit of a positive number of 32 bits.
    private static let stateBit = 1 << 30
}
