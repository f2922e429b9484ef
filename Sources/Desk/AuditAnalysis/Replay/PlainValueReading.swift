import ConflictAudit
import SyncMerge
import SyncModel

/// Reads the plain values of a recorded trace as the increments and the additions that an app would have written under the policies
/// `counter` and `set`.
///
/// A trace recorded under another policy holds `visits: 6`, not "one more". What its writer did follows from the value that it had seen:
/// the winner, under the recorded rules, among the writes that its version vector covers. A whole number is read as the difference to the
/// whole number seen, and where nothing was seen to 0; a list as the elements that are new in it and those that are gone. Everything else
/// stays the plain value that it is: text, a removal, a write without `seen`, and a number or list that took the place of something of
/// another kind.
///
/// The values seen are found exactly where every write comes after those that it had seen, as in the order of a hub. Where one comes
/// earlier, it is read against what had come by then.
///
/// - Complexity: a write costs O(*d* log *w*) for each number or list in it, for *d* devices and *w* writes of one of them, and a merge for
///   each of the concurrent writes that its writer had seen. Where writes do not follow what they had seen, as replicas' do, it is a merge
///   for each device. Memory grows with the writes to fields that hold numbers or lists, and with deletes: what a later write had seen may
///   be any earlier state.
struct PlainValueReading {
    /// How a write is read.
    struct Change: Sendable {
        /// The value seen; nil where there was none.
        let base: FieldValue?
        /// The value as it would have been written under `counter` or `set`; nil where it stays as it is.
        let counted: FieldValue?
        let edited: FieldValue?
    }

    private let rules: MergeRules
    private var records: [RecordKey: RecordWrites] = [:]
    /// The fields that have a history, which begins with the first number or list in any record.
    private var readable: Set<ConflictStatistics.FieldKey> = []
    /// Writes of numbers or lists that do not say what they had seen.
    private(set) var writesWithoutContext = 0

    /// - Parameter rules: The rules by which the trace was recorded.
    init(rules: MergeRules) {
        self.rules = rules
    }

    /// Reads a write, after all that it had seen.
    ///
    /// - Returns: How to read the fields that can be read as increments or additions.
    mutating func read(_ write: TaggedWrite) -> [FieldName: Change] {
        // Taken out and put back, so that it is changed in place instead of copied.
        var record = records.removeValue(forKey: write.key) ?? RecordWrites()
        defer { records[write.key] = record }
        guard let fields = write.fields else {
            record.delete(write)
            return [:]
        }
        var changes: [FieldName: Change] = [:]
        var isWithoutContext = false
        for element in fields {
            let field = ConflictStatistics.FieldKey(type: write.key.type, field: element.name)
            guard !isRecordedAsChanges(element.name, of: write.key.type) else { continue }
            let isMeasured = element.value.integer != nil || element.value.array != nil
            if !isMeasured, element.value != .null, !readable.contains(field) {
                record.unreadable.insert(element.name)
                continue
            }
            if isMeasured { readable.insert(field) }
            if isMeasured, !write.hasCausalContext { isWithoutContext = true }
            changes[element.name] = read(element, of: write, in: &record)
        }
        record.record(write)
        if isWithoutContext { writesWithoutContext += 1 }
        return changes
    }

    /// Whether the values of a field are increments or additions already.
    private func isRecordedAsChanges(_ field: FieldName, of type: RecordType) -> Bool {
        guard case .fields = rules.scope(for: type) else { return false }
        return switch rules.policy(for: type, field: field) {
        case .counter, .set: true
        default: false
        }
    }

    private func read(_ element: FieldMap.Element, of write: TaggedWrite, in record: inout RecordWrites) -> Change? {
        // The same write once more says what it said the first time.
        if let known = record.entry(named: write.dot, in: element.name) { return known.change }
        let seen = record.seen(by: write, in: element.name)
        var change: Change?
        if write.seen != nil, !record.unreadable.contains(element.name) {
            let base = value(of: element.name, in: seen, write)
            change = Change(
                base: base, counted: increment(element.value, from: base, write, element.name, record),
                edited: Self.edit(element.value, from: base))
        }
        let entry = RecordWrites.Entry(
            write: write.with(element.value, for: element.name), change: change, isClosed: record.isClosed(write, over: seen))
        record.insert(entry, in: element.name)
        return change
    }

    /// The value that was shown to a writer: the merge's own choice among the writes that it had seen.
    private func value(of field: FieldName, in seen: [RecordWrites.Entry], _ write: TaggedWrite) -> FieldValue? {
        // Under a record-level policy, too, the field is looked at alone: what else the record held does not matter for the difference.
        let rules = MergeRules(
            standard: .fields(rules.policy(for: write.key.type, field: field)), deletes: rules.deletes, intervals: rules.intervals)
        var state = RecordState(key: write.key)
        for entry in seen { _ = state.merge(entry.write, rules: rules) }
        let value = state.winner(of: field, rules: rules)?.value(of: field)
        return value == .null ? nil : value
    }

    /// The running total that the writer's replica would have written: what it had counted before and the step from the value seen.
    private func increment(
        _ value: FieldValue, from base: FieldValue?, _ write: TaggedWrite, _ field: FieldName, _ record: RecordWrites
    ) -> FieldValue? {
        guard let number = value.integer, let start = base.map(\.integer) ?? 0 else { return nil }
        let rules = MergeRules(standard: .fields(.counter), intervals: rules.intervals)
        var state = RecordState(key: write.key)
        // What others counted says nothing of what the writer had.
        for counted in record.countedBefore(write, in: field) { _ = state.merge(counted, rules: rules) }
        let (step, isStepTooLarge) = number.subtractingReportingOverflow(start)
        let (total, isTotalTooLarge) = state.runningTotal(of: field, by: write.dot.device).addingReportingOverflow(step)
        return isStepTooLarge || isTotalTooLarge ? nil : CounterWrite(total: total).value
    }

    private static func edit(_ value: FieldValue, from base: FieldValue?) -> FieldValue? {
        guard let list = value.array, let seen = base.map(\.array) ?? [] else { return nil }
        let (before, after) = (Set(seen), Set(list))
        return SetWrite(added: list.filter { !before.contains($0) }, removed: seen.filter { !after.contains($0) }).value
    }
}

extension TaggedWrite {
    /// The write with one field alone.
    func with(_ value: FieldValue, for field: FieldName) -> TaggedWrite {
        with(operation: .put([field: value]))
    }

    /// The write with its plain values read as the policies of its fields take them.
    func read(_ changes: [FieldName: PlainValueReading.Change], under rules: MergeRules) -> TaggedWrite {
        guard !changes.isEmpty, case .fields = rules.scope(for: key.type) else { return self }
        var values: [FieldName: FieldValue] = [:]
        for (name, change) in changes {
            switch rules.policy(for: key.type, field: name) {
            case .counter: if let counted = change.counted { values[name] = counted }
            case .set: if let edited = change.edited { values[name] = edited }
            default: break
            }
        }
        return replacing(values)
    }

    /// The write with some of its fields' values replaced.
    private func replacing(_ values: [FieldName: FieldValue]) -> TaggedWrite {
        guard !values.isEmpty, var fields else { return self }
        for (name, value) in values { fields[name] = value }
        return with(operation: .put(fields))
    }
}
