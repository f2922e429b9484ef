public import ConflictAudit
import SyncBytes
package import SyncMerge
public import SyncModel
import SyncSystem

/// Writes of one transaction, for the length of a closure.
///
/// Kept beyond that, it throws ``SyncLayerError/Code/batchEnded``.
///
/// ```swift
/// try replica.write { batch in
///     try batch.put(["name": "John Smith"], to: key)
///     try batch.put(["owner": "John Smith"], to: RecordKey(type: "Folder", id: "7"))
/// }
/// ```
public struct WriteBatch {
    let core: ReplicaCore
    let writer: any ReplicaStoreWriter
    /// Shared by all copies.
    package let transaction: BatchTransaction

    init(core: ReplicaCore, writer: any ReplicaStoreWriter, _ transaction: BatchTransaction = BatchTransaction()) {
        self.core = core
        self.writer = writer
        self.transaction = transaction
    }

    private func requireTransaction() throws(SyncLayerError) {
        guard !transaction.isRunning else { return }
        throw SyncLayerError(
            .batchEnded, "the batch was used after the closure that it was given to had ended: nothing was written; call write again")
    }

    /// The fields of a record as they are after the batch's writes so far, nil where it does not exist.
    public func get(_ key: RecordKey) throws -> FieldMap? {
        try requireTransaction()
        return try core.record(key, writer)?.shown(rules: core.rules)
    }

    /// Sets fields of a record and creates it where it does not exist.
    ///
    /// A null removes its field.
    ///
    /// - Returns: The write's name.
    /// - Throws: ``SyncLayerError`` where a value is nested deeper than 252 levels, a name is empty or has more than 4096 bytes, or the
    ///   write more than 128 MB; with ``SyncLayerError/Code/wrongPolicy`` where a counter is given no whole number or a set no array. The
    ///   identity of a record and the name of a field may be empty.
    @discardableResult
    public func put(_ fields: FieldMap, to key: RecordKey) throws -> Dot {
        try requireTransaction()
        try requireTypes(of: fields, in: key)
        return try core.write(.put(fields), to: key, writer)
    }

    /// A record as it is shown after the batch's writes so far, nil where it does not exist.
    public func record(_ key: RecordKey) throws -> Record? {
        try requireTransaction()
        guard let record = try core.record(key, writer), record.shown(rules: core.rules) != nil else { return nil }
        return Record(record, readBy: core.metadata.writer, from: core.origin, rules: core.rules)
    }

    /// Writes what was changed of a record, as by one who has seen what was read and no more.
    ///
    /// What other devices wrote since stays: to fields that were not changed without a word, and to those that were as the rules say, with
    /// a conflict, for it was not seen. Of a counter the difference is added, of a set what is new is added and what is gone removed. A
    /// device is one writer: where it has written the record since, what that had seen counts as seen.
    ///
    /// - Parameters:
    ///   - fields: All fields as they are now: one that is left out, or null, is removed.
    ///   - record: What was read.
    /// - Returns: The write's name; nil where nothing is written, because nothing is changed, or because this device has deleted the record
    ///   since.
    /// - Throws: ``SyncLayerError`` as ``put(_:to:)``, with ``SyncLayerError/Code/wrongPolicy`` where a counter is no whole number or a set
    ///   no array, and with ``SyncLayerError/Code/superseded`` where the record was read through another replica, or the store was found
    ///   to have been put back or copied since.
    @discardableResult
    public func put(_ fields: FieldMap, changedFrom record: Record) throws -> Dot? {
        try change(fields.changes(from: record.fields), of: record)
    }

    /// The rules by which the replica merges.
    package var mergeRules: MergeRules { core.rules }

    /// Writes all fields of a record that does not exist: of counters and sets what is added to nothing.
    @discardableResult
    package func insert(_ fields: FieldMap, as key: RecordKey) throws -> Dot {
        try requireTransaction()
        return try core.write(.put(summed(fields, of: key, from: [:])), to: key, writer)
    }

    /// Writes new values of some fields of a record, as by one who has seen what was read and no more.
    ///
    /// - Returns: Nil where nothing is written: there are no changes, or the record was deleted by this device, or by one whose delete this
    ///   one has written after; a part of it would come back.
    @discardableResult
    package func change(_ changes: FieldMap, of record: Record) throws -> Dot? {
        try requireTransaction()
        let (key, rules) = (record.key, core.rules)
        let reading = try core.reading(record.context, of: key, writer)
        if changes.isEmpty { return nil }
        let fields: FieldMap
        var seen = reading.isCurrent ? nil : reading.seen
        if let deletion = reading.state.deletion(rules: rules) {
            if reading.seen.covers(deletion.dot) { return nil }
            // An edit that the delete may lose to brings the whole record back, its sets with all that they showed.
            var (back, base) = (changes, record.fields)
            if rules.deletes != .deleteWins {
                back = changes.filled(from: record.fields)
                for name in record.fields.names { if case .set = rules.policy(for: key.type, field: name) { base[name] = nil } }
            }
            fields = try summed(back, of: key, from: base)
        } else if case .record = rules.scope(for: key.type) {
            // One version is kept as a whole: it has what its author was shown.
            let shown = reading.laterOwn.map { reading.state.shown(to: reading.seen, whoMade: $0, rules: rules) } ?? record.fields
            fields = reading.isCurrent ? changes : changes.filled(from: shown ?? [:])
            if shown == nil { seen = nil }
        } else {
            fields = try summed(changes, of: key, from: record.fields)
        }
        return try fields.isEmpty ? nil : core.write(.put(fields), to: key, having: seen, writer)
    }

    /// New values as writes carry them: of counters and sets what they add to what was read.
    private func summed(_ changes: FieldMap, of key: RecordKey, from fields: FieldMap) throws -> FieldMap {
        guard case .fields = core.rules.scope(for: key.type) else { return changes }
        var written = changes
        for (name, value) in changes.map({ ($0.name, $0.value) }) where value != .null {
            let old = fields[name]
            switch core.rules.policy(for: key.type, field: name) {
            case .counter:
                guard let new = value.integer, let old = (old ?? 0).integer else {
                    throw wrongType(value, old, of: name, in: key, "a counter", "a whole number of 64 bits")
                }
                written[name] = try total(of: name, in: key, adding: new, subtracting: old)
            case .set:
                guard let new = value.array, let old = (old ?? []).array else {
                    throw wrongType(value, old, of: name, in: key, "a set", "an array")
                }
                let (before, after) = (Set(old), Set(new))
                let change = SetWrite(added: new.filter { !before.contains($0) }, removed: old.filter { !after.contains($0) })
                // Those of a new record are the set, empty or not.
                written[name] = change.added.isEmpty && change.removed.isEmpty && !fields.isEmpty ? nil : change.value
            default: break
            }
        }
        return written
    }

    /// Sees to it that what is added up can be: another value would be shown by nobody who counts.
    private func requireTypes(of fields: FieldMap, in key: RecordKey) throws {
        guard core.rules.mayAddUp(in: key.type) else { return }
        for field in fields where field.value != .null {
            switch core.rules.policy(for: key.type, field: field.name) {
            case .counter where !CounterWrite.canCount(field.value):
                throw wrongType(field.value, nil, of: field.name, in: key, "a counter", "a whole number of 64 bits")
            case .set where field.value.array == nil && SetWrite(field.value) == nil:
                throw wrongType(field.value, nil, of: field.name, in: key, "a set", "an array")
            default: break
            }
        }
    }

    private func wrongType(
        _ value: FieldValue, _ old: FieldValue?, of field: FieldName, in key: RecordKey, _ kind: String, _ wanted: String
    ) -> SyncLayerError {
        SyncLayerError(
            .wrongPolicy,
            "the field \(field.rawValue.quoted) of \(key.type) is \(kind), and cannot be \(value.description.shortened)"
                + "\(old.map { ", nor go on from \($0.description.shortened)" } ?? ""): give it \(wanted), or another policy in the merge rules of every device"
        )
    }

    /// Removes a record.
    ///
    /// - Returns: The write's name; nil where there is no such record, and then nothing is written.
    @discardableResult
    public func delete(_ key: RecordKey) throws -> Dot? {
        try get(key) == nil ? nil : core.write(.delete, to: key, writer)
    }

    /// Adds to a field under the `counter` policy; what other devices add is added too.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - key: The record.
    ///   - amount: What to add; may be negative.
    /// - Throws: ``SyncLayerError`` where the field has another policy, or this device's total does not fit 64 bits.
    @discardableResult
    public func increment(_ field: FieldName, of key: RecordKey, by amount: Int64 = 1) throws -> Dot {
        try require(.counter, for: field, of: key)
        return try put([field: total(of: field, in: key, adding: amount)], to: key)
    }

    /// The running total of this device with something added and something subtracted.
    private func total(of field: FieldName, in key: RecordKey, adding amount: Int64, subtracting other: Int64 = 0) throws -> FieldValue {
        let total = try core.record(key, writer)?.state.runningTotal(of: field, by: core.metadata.writer) ?? 0
        let (difference, isDifferenceTooLarge) = amount.subtractingReportingOverflow(other)
        let (sum, isTooLarge) = total.addingReportingOverflow(difference)
        if isTooLarge || isDifferenceTooLarge {
            throw SyncLayerError(
                .invalidValue,
                "adding \(amount)\(other == 0 ? "" : " less \(other)") to the \(total) that this device has counted in "
                    + "\(field.rawValue.quoted) of \(key) does not fit 64 bits: count in larger units")
        }
        return CounterWrite(total: sum).value
    }

    /// Adds elements to a field under the `set` policy; what other devices add is kept too.
    ///
    /// - Throws: ``SyncLayerError`` where the field has another policy.
    @discardableResult
    public func add(_ elements: [FieldValue], to field: FieldName, of key: RecordKey) throws -> Dot {
        try require(.set, for: field, of: key)
        return try put([field: SetWrite(added: elements).value], to: key)
    }

    /// Removes elements from a field under the `set` policy, as far as this replica has seen them added.
    ///
    /// - Throws: ``SyncLayerError`` where the field has another policy.
    @discardableResult
    public func remove(_ elements: [FieldValue], from field: FieldName, of key: RecordKey) throws -> Dot {
        try require(.set, for: field, of: key)
        return try put([field: SetWrite(removed: elements).value], to: key)
    }

    /// Decides a conflict that waits for the app: writes a value that has seen both sides, so that it holds on every device.
    ///
    /// - Throws: ``SyncLayerError`` where no such conflict waits, or the value does not fit it: a conflict over a whole record takes an
    ///   object of fields, and one about two records is decided by writing to either of them.
    @discardableResult
    public func resolve(_ id: ConflictID, with value: FieldValue) throws -> Dot {
        try requireTransaction()
        guard let finding = core.active.finding(id) else {
            throw SyncLayerError(.notFound, "no conflict \(id) waits for a decision: it was decided already, perhaps on another device")
        }
        guard case .decision(let decision) = finding else {
            throw SyncLayerError(
                .invalidValue,
                "the conflict \(id) is between \(finding.winner.key) and \(finding.loser.key): put a value to one of them, or "
                    + "delete it")
        }
        if let field = decision.field { return try put([field: value], to: decision.winner.key) }
        guard let fields = value.object else {
            throw SyncLayerError(
                .invalidValue,
                "the conflict \(id) is over the whole record \(decision.winner.key): give an object of fields")
        }
        return try put(fields, to: decision.winner.key)
    }

    /// Gives back what a conflict discarded: writes the value anew, as a write that has seen both sides, so that it holds on every device.
    ///
    /// The log tells of the write whether or not writes are reported, so that a report knows of the restoration.
    ///
    /// - Parameters:
    ///   - conflict: A conflict that ``Replica`` lists as lost, or another that was found here or by another device; one that comes from a
    ///     log without values only where it is on the list.
    ///   - force: Whether to replace also what was written since.
    /// - Returns: The write's name.
    /// - Throws: ``SyncLayerError``: with ``SyncLayerError/Code/superseded`` and what is shown now where the field has moved on since,
    ///   with ``SyncLayerError/Code/notFound`` where this replica has not merged both sides or the record is deleted already, and with
    ///   ``SyncLayerError/Code/invalidValue`` where there is nothing to give back.
    @discardableResult
    public func restore(_ conflict: Conflict, force: Bool = false) throws -> Dot {
        try requireTransaction()
        return try core.restore(conflict, force: force, self)
    }

    private func require(_ wanted: MergePolicy, for field: FieldName, of key: RecordKey) throws {
        try requireTransaction()
        if case .fields = core.rules.scope(for: key.type), core.rules.policy(for: key.type, field: field).name == wanted.name { return }
        let name = core.rules.policyName(for: key.type, field: field)
        throw SyncLayerError(
            .wrongPolicy,
            "the field \(field.rawValue.quoted) of \(key.type) has the policy \(name), and this needs \(wanted.name): give the "
                + "field that policy in the merge rules of every device")
    }
}

/// What becomes of a batch's transaction.
package final class BatchTransaction: Sendable {
    private enum State {
        case running, ended, committed
    }

    private let state = Locked(State.running)

    init() {}

    package var isRunning: Bool { state.withLock { $0 == .running } }

    /// Whether nothing of the batch is there.
    package var hasFailed: Bool { state.withLock { $0 == .ended } }

    func end() { state.withLock { $0 = .ended } }

    func commit() { state.withLock { $0 = .committed } }
}
