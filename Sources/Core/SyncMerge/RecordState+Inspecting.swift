package import SyncModel

extension RecordState {
    /// The maximal writes to a register: a field, or the whole record where the field is nil.
    package func maximalWrites(of field: FieldName?, rules: MergeRules) -> [TaggedWrite] {
        guard let field, case .fields = rules.scope(for: key.type) else { return record.writes }
        return register(of: field)?.maximal.writes ?? []
    }

    /// What the register of a field shows, whether its record is shown or not; nil where it shows nothing.
    ///
    /// Of a record that is kept or dropped as a whole it is what the winner wrote, and nothing that shows through.
    ///
    /// - Parameter rules: Those by which the writes were merged: what was chosen then is not chosen again.
    /// - Complexity: O(log *f*) for *f* fields where the policy chooses between two writes at a time; with an app's own rule O(*m*) for *m*
    ///   concurrent writes besides.
    package func value(of field: FieldName, rules: MergeRules) -> FieldValue? {
        guard case .fields = rules.scope(for: key.type) else {
            return record.choice(RegisterRules(rules, key: key, field: nil))?.winner.value(of: field)
        }
        guard let register = register(of: field) else { return nil }
        if register.tally != nil { return register.shown(rules: rules, key: key) }
        let choice = register.maximal.choice(RegisterRules(rules, key: key, field: field))
        return choice?.made ?? choice?.winner.value(of: field)
    }

    /// The write that a field shows, whether its record is shown or not; nil where nothing was written to it.
    ///
    /// - Parameter field: Nil for the record: where its fields have registers of their own, a put where it exists.
    /// - Complexity: as that of ``value(of:rules:)``.
    package func shownWrite(of field: FieldName?, rules: MergeRules) -> TaggedWrite? {
        if field == nil, case .fields = rules.scope(for: key.type) { return record.choice(existence(rules))?.winner }
        guard let field, case .fields = rules.scope(for: key.type) else {
            return record.choice(RegisterRules(rules, key: key, field: nil))?.winner
        }
        return register(of: field)?.maximal.choice(RegisterRules(rules, key: key, field: field))?.winner
    }

    /// Whether the record is shown, as `isShown(rules:)` says.
    ///
    /// - Parameter rules: Those by which the writes were merged.
    /// - Complexity: O(*f*) for *f* fields, and O(1) where a put is chosen among the writes to the record.
    package func isShown(asMergedBy rules: MergeRules) -> Bool {
        guard case .fields = rules.scope(for: key.type) else { return shownWrite(of: nil, rules: rules)?.isDelete == false }
        if shownWrite(of: nil, rules: rules)?.isDelete == false { return true }
        return names.contains { shownWrite(of: $0, rules: rules)?.isDelete == false }
    }

    /// The delete that wins, where the record is not shown for it.
    ///
    /// - Parameter rules: Those by which the writes were merged.
    /// - Complexity: as that of ``isShown(asMergedBy:)``.
    package func deletion(rules: MergeRules) -> TaggedWrite? {
        guard let winner = shownWrite(of: nil, rules: rules), winner.isDelete, !isShown(asMergedBy: rules) else { return nil }
        return winner
    }

    /// The last in the total order of the puts that fields show; nil where none shows one, as in a record that is deleted.
    ///
    /// - Complexity: O(*f*) for *f* fields, each as ``value(of:rules:)``.
    package func latestShownPut(rules: MergeRules) -> TaggedWrite? {
        if let only = record.only { return only.isDelete ? nil : only }
        return names.lazy.compactMap { shownWrite(of: $0, rules: rules) }.filter { !$0.isDelete }.latest
    }

    /// Whether two writes still contend for a register: neither has been replaced.
    package func areMaximal(_ one: Dot, _ other: Dot, in field: FieldName?, rules: MergeRules) -> Bool {
        let maximal = maximalWrites(of: field, rules: rules)
        return maximal.contains { $0.dot == one } && maximal.contains { $0.dot == other }
    }

    /// The write that a decision between two maximal writes to a register names as seen by both, nil where none is known.
    package func ancestor(of one: TaggedWrite, _ other: TaggedWrite, in field: FieldName?, rules: MergeRules) -> TaggedWrite? {
        guard let field, case .fields = rules.scope(for: key.type) else {
            return record.value.ancestor(of: one, other, RegisterRules(rules, key: key, field: nil), rules.intervals)
        }
        return register(of: field)?.maximal.value.ancestor(
            of: one, other, RegisterRules(rules, key: key, field: field), rules.intervals)
    }

    /// A record into which one insert was merged and nothing else.
    ///
    /// - Parameter insert: A put whose writer had seen nothing, of which ``MergeRules/keepWhole(_:)`` is true.
    package init(insert: TaggedWrite) {
        self.init(key: insert.key)
        begin(with: insert)
    }

    /// Merges an insert into a record that nothing was ever merged into.
    mutating func begin(with insert: TaggedWrite) {
        let set = SharedMaximalSet(MaximalSet(only: insert))
        record = set
        names = insert.fieldNames ?? []
        fields = names.map { _ in set }
    }

    /// The insert, where the record is as ``init(insert:)`` makes it; nil where more has happened.
    package var onlyInsert: TaggedWrite? {
        guard let write = record.only, write.isInsert, write.hasSeenVector, record.value.hasNothingBehind, deletes.value.isEmpty,
            history.isEmpty,
            write.fieldNames?.count == names.count, hasOnlyWhatTheRecordHas
        else { return nil }
        return write
    }

    /// Whether a maximal write to the record has the same name and says something else, so that one of the two is misnamed.
    func contradicts(_ write: TaggedWrite) -> Bool {
        // Asked of every write; the answer that it mostly gets takes no copy of the one that is there.
        guard record.mayHoldWrite(sameAs: write), let known = record.maximalWrite(sameAs: write) else { return false }
        return known.timestamp != write.timestamp || known.operation != write.operation
    }

    /// Merges a write to this record as ``merge(_:rules:)`` does, and returns whether it contradicts one that had arrived.
    ///
    /// - Parameters:
    ///   - memory: What is remembered of the record besides.
    ///   - nameLists: The lists of names of this record and others.
    package mutating func mergeChecked(
        _ write: TaggedWrite, rules: MergeRules, _ memory: inout RecordMemory, sharing nameLists: inout NameLists
    ) -> (decisions: [MergeDecision], isDotCollision: Bool) {
        // Who had seen all that arrived is none of those who did.
        let dominates = record.isDominated(by: write)
        let isDotCollision = !dominates && contradicts(write)
        return (merge(write, dominates: dominates, rules: rules, &memory, sharing: &nameLists), isDotCollision)
    }

    /// What the writers of the writes merged had seen, as far as they said, and the writes merged that are maximal no more.
    package var seen: VersionVector { record.value.seen }

    /// Whether nothing of the record shows again when somebody who has seen all of it writes it again.
    ///
    /// What was counted or added beside a delete that had not seen it still counts once the record is back, whoever writes it.
    package var leavesNothing: Bool { tallies.allSatisfy { $0?.leavesNothing ?? true } }

    /// The latest running total that a device has counted in a field under the `counter` policy and that no reset took away; 0 without one.
    package func runningTotal(of field: FieldName, by device: DeviceID) -> Int64 {
        latestTotal(of: field, by: device)?.value(of: field).flatMap(CounterWrite.init)?.total ?? 0
    }

    /// The write that carries that running total, nil without one.
    package func latestTotal(of field: FieldName, by device: DeviceID) -> TaggedWrite? {
        register(of: field)?.tally?.totals[device]
    }
}
