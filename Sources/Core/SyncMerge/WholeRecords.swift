package import SyncModel

/// Reads puts of whole records as the edits that they are: the fields whose values differ from what their writers had seen.
///
/// What a writer had seen of a field is what the policy shows among the writes that it had seen. A field that a put does not name counts as
/// not edited. A write is to come after those that its writer had seen; what comes later than that counts as not seen. A value type; its
/// owner guards it.
///
/// - Complexity: O(*f* *d* log *w*) a put, for *f* fields, *d* devices whose writes its writer may have seen and *w* writes of each; where
///   records are kept or dropped as a whole, O(*w*) for one that had not seen all. Memory grows with the edits: a writer who was away for
///   long may have seen any of them last.
package struct WholeRecords: Sendable {
    private let rules: MergeRules
    private var records: [RecordKey: [FieldName?: Edits]] = [:]
    private var states: [RecordKey: RecordState] = [:]

    /// Nothing has been read.
    package init(rules: MergeRules) { self.rules = rules }

    /// The write without the fields that only repeat what its writer had seen.
    ///
    /// - Returns: Nil for a put that repeats everything, where records are not kept or dropped as a whole.
    package mutating func edits(of write: TaggedWrite) -> TaggedWrite? {
        switch rules.scope(for: write.key.type) {
        case .record:
            var state = states.removeValue(forKey: write.key) ?? RecordState(key: write.key)
            let seen = state.fieldsSeen(by: write, rules: rules)
            let edit = write.with(operation: write.fields.map { .put(Self.changes(in: $0) { seen[$0] ?? .null }) })
            _ = state.merge(edit, rules: rules)
            states[write.key] = state
            return edit
        case .fields:
            guard let fields = write.fields else {
                records[write.key, default: [:]][nil, default: Edits()].insert(write)
                return write
            }
            let deletes = records[write.key]?[nil]?.seen(by: write, rules.intervals) ?? []
            let edited = Self.changes(in: fields) { field in
                let seen = records[write.key]?[field]?.seen(by: write, rules.intervals) ?? []
                return shown(field, among: seen + deletes, write.key)
            }
            if edited.isEmpty { return nil }
            let edit = edited.count == fields.count ? write : write.with(operation: .put(edited))
            for name in edited.names { records[write.key, default: [:]][name, default: Edits()].insert(edit) }
            return edit
        }
    }

    private static func changes(in fields: FieldMap, since seen: (FieldName) -> FieldValue) -> FieldMap {
        var changes = FieldMap()
        for field in fields where seen(field.name) != field.value { changes[field.name] = field.value }
        return changes
    }

    private func shown(_ field: FieldName, among writes: [TaggedWrite], _ key: RecordKey) -> FieldValue {
        let maximal = writes.filter { write in !writes.contains { $0.hasSeen(write, intervals: rules.intervals) } }
        let register = RegisterRules(rules, key: key, field: field)
        guard let winner = register.verdict(among: maximal.isEmpty ? writes : maximal)?.winner, !winner.isDelete else { return .null }
        return winner.value(of: field) ?? .null
    }

    /// The edits of a field, or the deletes of the record, of each device in the order in which it made them.
    private struct Edits: Sendable {
        private var byDevice: [DeviceID: [TaggedWrite]] = [:]

        mutating func insert(_ write: TaggedWrite) {
            let intervals = IntervalRule.withoutWindow
            var index = byDevice[write.dot.device]?.count ?? 0
            while index > 0, byDevice[write.dot.device]?[index - 1].hasSeen(write, intervals: intervals) == true { index -= 1 }
            if index > 0, byDevice[write.dot.device]?[index - 1].hasSameDot(as: write) == true { return }
            byDevice[write.dot.device, default: []].insert(write, at: index)
        }

        /// The latest of each device that a writer had seen.
        func seen(by write: TaggedWrite, _ intervals: IntervalRule) -> [TaggedWrite] {
            if let vector = write.seen, vector.entries.count < byDevice.count {
                let own = vector[write.dot.device] == 0 ? [write.dot.device] : []
                return (vector.entries.map(\.device) + own).compactMap { latest(byDevice[$0] ?? [], seenBy: write, intervals) }
            }
            return byDevice.values.compactMap { latest($0, seenBy: write, intervals) }
        }

        /// Whoever had seen a write of a device had seen its earlier ones.
        private func latest(_ writes: [TaggedWrite], seenBy write: TaggedWrite, _ intervals: IntervalRule) -> TaggedWrite? {
            var (low, high) = (0, writes.count)
            while low < high {
                let middle = (low + high) / 2
                if write.hasSeen(writes[middle], intervals: intervals) { low = middle + 1 } else { high = middle }
            }
            return low > 0 ? writes[low - 1] : nil
        }
    }
}

extension RecordState {
    /// What the writer of a record that is kept or dropped as a whole had seen of it.
    fileprivate func fieldsSeen(by write: TaggedWrite, rules: MergeRules) -> FieldMap {
        if record.isDominated(by: write) { return shown(rules: rules) ?? FieldMap() }
        return view(among: history.filter { write.hasSeen($0, intervals: rules.intervals) }, rules: rules) ?? FieldMap()
    }
}
