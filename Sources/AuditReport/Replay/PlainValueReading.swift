import ConflictAudit
import SyncMerge
import SyncModel

/// Reads the plain values of a recorded trace as the increments and the additions that an app would have written under the policies `counter`
/// and `set`.
///
/// A trace recorded under another policy holds `visits: 6`, not "one more". What its writer did follows from the value that it had seen: the winner,
/// under the recorded rules, among the writes that its version vector covers. A whole number is read as the difference to the whole number seen,
/// and where nothing was seen to 0; a list as the elements that are new in it and those that are gone. Everything else stays the plain
/// value that it is: text, a removal, a write without `seen`, and a number or list that took the place of something of
/// another kind.
///
/// The values seen are found exactly where every write comes after those that it had seen, as in the order of a hub. Where one comes earlier, it is
/// read against what had come by then.
///
/// - Complexity: a write costs O(*d* log *w*) for each number or list in it, for *d* devices and *w* writes of one of them. Memory grows with the
///   writes to fields that hold numbers or lists, and with deletes: what a later write had seen may be any earlier state.
struct PlainValueReading {
    /// How a write is read.
    struct Change {
        /// The value seen; nil where there was none.
        let base: FieldValue?
        /// The value as it would have been written under `counter` or `set`; nil where it stays as it is.
        let counted: FieldValue?
        let edited: FieldValue?
    }

    private let rules: MergeRules
    private var records: [RecordKey: WriterHistory] = [:]
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
        guard let fields = write.fields else {
            records[write.key, default: WriterHistory()].deletes.insert(Entry(write: write, counted: write, change: nil))
            return [:]
        }
        var changes: [FieldName: Change] = [:]
        var isWithoutContext = false
        for element in fields {
            let field = ConflictStatistics.FieldKey(type: write.key.type, field: element.name)
            guard !isRecordedAsChanges(element.name, of: write.key.type) else { continue }
            let isMeasured = element.value.integer != nil || element.value.array != nil
            if !isMeasured, element.value != .null, !readable.contains(field) {
                records[write.key, default: WriterHistory()].unreadable.insert(element.name)
                continue
            }
            if isMeasured { readable.insert(field) }
            if isMeasured, write.seen == nil { isWithoutContext = true }
            changes[element.name] = read(element, of: write)
        }
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

    private mutating func read(_ element: FieldMap.Element, of write: TaggedWrite) -> Change? {
        let (name, key) = (element.name, write.key)
        // The same write once more says what it said the first time.
        if let known = records[key]?.fields[name]?.all[write.dot] { return known.change }
        let change = change(element, of: write)
        let entry = Entry(
            write: write.with(element.value, for: name), counted: write.with(change?.counted ?? element.value, for: name), change: change)
        records[key, default: WriterHistory()].fields[name, default: FieldHistory()].insert(entry)
        return change
    }

    /// Apart from the insertion, which would have to copy what is still looked at here.
    private func change(_ element: FieldMap.Element, of write: TaggedWrite) -> Change? {
        let record = records[write.key] ?? WriterHistory()
        guard write.seen != nil, !record.unreadable.contains(element.name) else { return nil }
        let history = record.fields[element.name] ?? FieldHistory()
        let base = seenValue(by: write, of: element.name, history, record.deletes)
        let number = increment(element.value, from: base, write, element.name, history, record.deletes)
        return Change(base: base, counted: number, edited: Self.edit(element.value, from: base))
    }

    /// The value that was shown to a writer: the merge's own choice among the writes that it had seen.
    private func seenValue(
        by write: TaggedWrite, of field: FieldName, _ history: FieldHistory, _ deletes: WritesByDevice
    ) -> FieldValue? {
        // Under a record-level policy, too, the field is looked at alone: what else the record held does not matter for the difference.
        let rules = MergeRules(
            standard: .fields(rules.policy(for: write.key.type, field: field)), deletes: rules.deletes, proximity: rules.proximity)
        var state = RecordState(key: write.key)
        for entry in deletes.latest(seenBy: write) + history.all.latest(seenBy: write) { _ = state.merge(entry.write, rules: rules) }
        let value = state.winner(of: field, rules: rules)?.value(of: field)
        return value == .null ? nil : value
    }

    /// The running total that the writer's replica would have written: what it had counted before and the step from the value seen.
    private func increment(
        _ value: FieldValue, from base: FieldValue?, _ write: TaggedWrite, _ field: FieldName, _ history: FieldHistory,
        _ deletes: WritesByDevice
    ) -> FieldValue? {
        guard let number = value.integer, let start = base.map(\.integer) ?? 0 else { return nil }
        let rules = MergeRules(standard: .fields(.counter), proximity: rules.proximity)
        var state = RecordState(key: write.key)
        let seen = deletes.latest(seenBy: write) + history.resets.latest(seenBy: write) + history.all.latest(seenBy: write)
        for entry in seen { _ = state.merge(entry.counted, rules: rules) }
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

/// A write to one field.
private struct Entry {
    /// As it was recorded, without its other fields.
    let write: TaggedWrite
    /// As it would have been written under `counter`.
    let counted: TaggedWrite
    let change: PlainValueReading.Change?
}

/// What was written to one record.
private struct WriterHistory {
    var deletes = WritesByDevice()
    var fields: [FieldName: FieldHistory] = [:]
    /// The fields in which something else than a number or a list was written before their history began, so that it is not known whole.
    var unreadable: Set<FieldName> = []
}

private struct FieldHistory {
    var all = WritesByDevice()
    /// Those that set the value under `counter` instead of adding to it.
    var resets = WritesByDevice()

    mutating func insert(_ entry: Entry) {
        all.insert(entry)
        if entry.change?.counted == nil { resets.insert(entry) }
    }
}

/// Writes, each device's in the order of their numbers.
private struct WritesByDevice {
    private var devices: [DeviceID: [Entry]] = [:]

    subscript(dot: Dot) -> Entry? {
        guard let entries = devices[dot.device] else { return nil }
        let index = Self.count(of: entries, through: dot.sequence) - 1
        return index >= 0 && entries[index].write.dot == dot ? entries[index] : nil
    }

    mutating func insert(_ entry: Entry) {
        let dot = entry.write.dot
        let index = Self.count(of: devices[dot.device] ?? [], through: dot.sequence)
        devices[dot.device, default: []].insert(entry, at: index)
    }

    /// The latest write of each device that a write had seen: all that it had seen follows from these.
    func latest(seenBy write: TaggedWrite) -> [Entry] {
        guard !devices.isEmpty, let seen = write.seen else { return [] }
        var entries = seen.entries.compactMap { $0.device == write.dot.device ? nil : latest(of: $0.device, through: $0.sequence) }
        // Its own earlier writes a device has always seen.
        if let own = latest(of: write.dot.device, through: write.dot.sequence - 1) { entries.append(own) }
        return entries
    }

    private func latest(of device: DeviceID, through sequence: UInt64) -> Entry? {
        guard let entries = devices[device] else { return nil }
        let count = Self.count(of: entries, through: sequence)
        return count > 0 ? entries[count - 1] : nil
    }

    /// How many entries have this number or a smaller one.
    private static func count(of entries: [Entry], through sequence: UInt64) -> Int {
        if let last = entries.last, last.write.dot.sequence <= sequence { return entries.count }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].write.dot.sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension TaggedWrite {
    /// The write with one field alone.
    fileprivate func with(_ value: FieldValue, for field: FieldName) -> TaggedWrite {
        TaggedWrite(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: .put([field: value]), seen: seen, receipt: receipt)
    }

    /// The write with some of its fields' values replaced.
    func replacing(_ values: [FieldName: FieldValue]) -> TaggedWrite {
        guard !values.isEmpty, var fields else { return self }
        for (name, value) in values { fields[name] = value }
        return TaggedWrite(
            dot: dot, isNumbered: isNumbered, timestamp: timestamp, key: key, operation: .put(fields), seen: seen, receipt: receipt)
    }
}
