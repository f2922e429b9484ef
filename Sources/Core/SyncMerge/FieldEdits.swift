package import SyncModel

/// The edits of a record's fields that nobody replaced who had seen them, found in all the writes to the record.
///
/// An edit is a put that differs from what its writer was shown; a put that names what its writer was shown carries others' edits and
/// replaces none. Where a put of a whole form does not say what its writer had seen, or names what is not known, and repeats a value that
/// was shown since its writer's last write, it may be no edit of that field: then it is not taken to replace anything.
///
/// - Complexity: what `RegisterMemory` and `MaximalSet` need for each write to a field.
package struct FieldEdits: ~Copyable {
    /// An edit that nobody replaced who is known to have seen it.
    package struct Edit: Sendable {
        /// The put that made it.
        package let write: TaggedWrite
        /// Whether it is certain that the put is an edit and that no writer who had seen it has edited the field.
        package let isProven: Bool
    }

    /// What is known of a field.
    package struct Field: Sendable {
        /// The edits that nobody replaced.
        package fileprivate(set) var edits: [Edit] = []
        /// The puts that repeat an older value, in the order of arrival.
        package fileprivate(set) var repeats: [TaggedWrite] = []
    }

    private let history: RecordMemory
    private let writes: [TaggedWrite]
    /// The indices of those that name others as seen that are not known.
    private let open: Set<Int>
    private let key: RecordKey
    private let rules: MergeRules
    private let isInOrder: Bool
    /// The puts that name every field that any put to the record had named: forms that are saved whole.
    private var forms: Set<Int> = []
    /// The puts that name a field, and the deletes, which every field has, by their indices.
    private var puts: [FieldName: [Int]] = [:]
    private var deletes: [Int] = []
    /// What is remembered of the record where it is one register.
    private var record: RegisterMemory?

    /// Takes all writes to a record.
    ///
    /// - Parameters:
    ///   - history: The writes in the order of arrival.
    ///   - rules: The rules by which the writers merged.
    ///   - isOpen: Whether a write names others as seen that are not known.
    package init(_ history: RecordMemory, key: RecordKey, rules: MergeRules, isOpen: (TaggedWrite) -> Bool) {
        (self.history, writes) = (history, history.writes)
        open = Set(history.writes.indices.filter { isOpen(history.writes[$0]) })
        (self.key, self.rules, isInOrder) = (key, rules, !history.hasLateWrite)
        for (index, write) in writes.enumerated() {
            guard let names = write.fieldNames else {
                deletes.append(index)
                continue
            }
            for name in names { puts[name, default: []].append(index) }
            if names.count == puts.count { forms.insert(index) }
        }
        if rules.scope(for: key.type).isRecord {
            var memory = RegisterMemory(history, open: open)
            memory.observeWrites(to: nil)
            record = consume memory
        }
    }

    /// How many writes name others as seen that are not known.
    package var openWrites: Int { open.count }

    /// The fields that any put names.
    package var names: some Sequence<FieldName> { puts.keys }

    /// The puts that name a field.
    package func puts(to field: FieldName) -> some Sequence<TaggedWrite> {
        let writes = writes
        return (puts[field] ?? []).lazy.map { writes[$0] }
    }

    /// What became of the edits of a field.
    package mutating func field(_ name: FieldName) -> Field {
        let indices = ((puts[name] ?? []) + deletes).sorted()
        let register = RegisterRules(rules, key: key, field: record == nil ? name : nil)
        // Taken out and put back.
        var memory = record.take() ?? RegisterMemory(history, open: open)
        memory.observeWrites(to: register.field)
        var search = Search(name: name, intervals: rules.intervals, isInOrder: isInOrder)
        for index in indices {
            let isEdit = memory.isEdit(writes[index], at: index, to: name, register, rules.intervals)
            search.observe(writes[index], isEdit: isEdit, isForm: forms.contains(index))
        }
        if register.field == nil { record = consume memory }
        return search.result
    }

    /// The edits of one field among the writes that came so far.
    private struct Search {
        let name: FieldName
        let intervals: IntervalRule
        let isInOrder: Bool
        /// The edits and deletes alone, of which those are maximal that no other had seen.
        private var edits = MaximalSet()
        private var certain: Set<Dot> = []
        private var repeats: [TaggedWrite] = []
        /// The last write that gave the field a value, for each value, and the last of each device.
        private var latest: [FieldValue: TaggedWrite] = [:]
        private var own: [DeviceID: TaggedWrite] = [:]
        /// The writes that do not say what their writers had seen.
        private var untold = VersionVector()
        private var hasCursor = false
        private var hasUnplaced = false
        private var hasDoubtfulRepeat = false

        init(name: FieldName, intervals: IntervalRule, isInOrder: Bool) {
            (self.name, self.intervals, self.isInOrder) = (name, intervals, isInOrder)
        }

        mutating func observe(_ write: TaggedWrite, isEdit: Bool?, isForm: Bool) {
            let value = write.value(of: name) ?? .null
            // In what order writes were shown that say nothing is not certain, so that any of their values may have been the one.
            let isTold = write.hasCausalContext && isEdit != nil && (untold.isEmpty || latest[value] == nil)
            if !write.hasCausalContext { untold.insert(write.dot) }
            if write.cursor != nil { hasCursor = true }
            if write.hubSequence == nil { hasUnplaced = true }
            if isEdit == false || !isTold && isForm && mayRepeat(write, value) {
                repeats.append(write)
                if write.hasCausalContext, !isTold { hasDoubtfulRepeat = true }
            } else {
                edits.insert(write, intervals: intervals)
                if isTold { certain.insert(write.dot) }
            }
            (latest[value], own[write.dot.device]) = (write, write)
        }

        /// Whether a put gives the field a value that was shown since its writer's last write, that write included.
        private func mayRepeat(_ write: TaggedWrite, _ value: FieldValue) -> Bool {
            guard let older = latest[value] else { return false }
            guard let last = own[write.dot.device] else { return true }
            return older.hasSameDot(as: last) || !last.hasSeen(older, intervals: intervals)
        }

        var result: Field {
            var field = Field(repeats: repeats)
            for write in edits.writes where !write.isDelete { field.edits.append(Edit(write: write, isProven: isProven(write))) }
            return field
        }

        private func isProven(_ edit: TaggedWrite) -> Bool {
            guard isInOrder, certain.contains(edit.dot), !hasDoubtfulRepeat, !(hasCursor && hasUnplaced) else { return false }
            // Of the writes that say nothing those alone are known not to have replaced the edit that its writer had seen.
            var known = edit.seen ?? VersionVector()
            known.insert(edit.dot)
            return known.covers(untold)
        }
    }
}
