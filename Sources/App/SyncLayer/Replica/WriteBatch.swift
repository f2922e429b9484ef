public import ConflictAudit
import SyncBytes
import SyncMerge
public import SyncModel

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
    /// Whether the transaction still runs; shared by all copies.
    private let life = Life()

    private final class Life {
        var isOver = false
    }

    init(core: ReplicaCore, writer: any ReplicaStoreWriter) {
        self.core = core
        self.writer = writer
    }

    /// Ends the batch with its closure: whoever has kept it can do nothing more with it.
    func end() { life.isOver = true }

    private func requireTransaction() throws(SyncLayerError) {
        guard life.isOver else { return }
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
    ///   write more than 128 MB. The identity of a record and the name of a field may be empty.
    @discardableResult
    public func put(_ fields: FieldMap, to key: RecordKey) throws -> Dot {
        try requireTransaction()
        return try core.write(.put(fields), to: key, writer)
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
        let total = try core.record(key, writer)?.state.runningTotal(of: field, by: core.metadata.writer) ?? 0
        let (sum, isTooLarge) = total.addingReportingOverflow(amount)
        if isTooLarge {
            throw SyncLayerError(
                .invalidValue,
                "adding \(amount) to the \(total) that this device has counted in \(field.rawValue.quoted) of \(key) does not fit "
                    + "64 bits: count in larger units")
        }
        return try put([field: CounterWrite(total: sum).value], to: key)
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
