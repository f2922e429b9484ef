public import ConflictAudit
import SyncMerge
public import SyncModel

/// Writes to the replica of an app that is somewhere else: what a command does to a store.
///
/// Nothing is taken from the app: what its store holds for the audit stays there, and what is written here joins it, so that the app's own log tells of
/// it when the app next opens the store. The app may be running.
///
/// Thread-safe, as ``Replica`` is.
public final class ReplicaVisitor: Sendable {
    /// The device whose replica it is.
    public let device: DeviceID
    private let core: Exclusive<ReplicaCore>
    private let rules: MergeRules

    /// Opens the replica that a store holds.
    ///
    /// - Parameters:
    ///   - store: The app's store.
    ///   - configuration: How the app merges; its sink is not used, and the write is always reported.
    /// - Throws: ``SyncLayerError`` where the store cannot be read or holds no replica.
    public init(store: some ReplicaStore, configuration: ReplicaConfiguration = ReplicaConfiguration()) throws {
        guard let content = try store.read({ try $0.metadata() }) else {
            throw SyncLayerError(.notFound, "the store holds no replica: no device has written to it")
        }
        device = try ReplicaMetadata(content).device
        var configuration = configuration
        // Events go to the journal only where there is a sink.
        configuration.sink = BroadcastingAuditSink([])
        configuration.reportsWrites = true
        rules = configuration.mergeRules
        core = Exclusive(ReplicaCore(device: device, store: store, configuration: configuration, isVisitor: true))
    }

    /// Gives back what a conflict discarded, as a write of the app's device that has seen everything it has merged.
    ///
    /// The write, its entry in the outbox and the account of it are one transaction, and so is the look at what is there now.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - force: Whether to replace also what was written since.
    /// - Returns: The write as it waits in the outbox.
    /// - Throws: ``SyncLayerError`` where the rules are not those of the store or of the conflict, where this replica has not merged both sides, where
    ///   the field has moved on since, or where there is nothing to give back. Then nothing has changed.
    public func restore(_ conflict: Conflict, force: Bool = false) throws -> TaggedWrite {
        guard let operation = conflict.restoringOperation else {
            throw SyncLayerError(.invalidValue, "the conflict \(conflict.id) discarded no value that one write can give back")
        }
        try checkRules(conflict)
        return try core.use { core in
            try core.transact { writer in
                guard try [conflict.winner.dot, conflict.loser.dot].allSatisfy({ try core.hasMerged($0, writer) }) else {
                    throw SyncLayerError(
                        .notFound, "the replica of \(device) has not merged both sides of the conflict \(conflict.id): let it sync first")
                }
                // A record that is not there was deleted so long ago that every device has forgotten it.
                let record = try core.record(conflict.key, writer)
                if let record { try checkState(of: record) }
                let shown = record?.state.winner(of: conflict.field, rules: rules)?.dot
                if shown != conflict.winner.dot, !force {
                    let now = shown.map { "write \($0.sequence) of \($0.device) is shown now" } ?? "it was deleted"
                    throw SyncLayerError(.superseded, "\(conflict.key) has moved on since the conflict \(conflict.id): \(now)")
                }
                let dot = try write(operation, to: conflict.key, WriteBatch(core: core, writer: writer))
                guard let entry = try writer.entries(in: .outbox, after: dot.sequence - 1, limit: 1, bytes: .max).first else {
                    throw SyncLayerError(.damaged, "the write \(dot) is not in the outbox of its own transaction")
                }
                return try TaggedWrite(encoded: entry.content, from: "the outbox")
            }
        }
    }

    private func write(_ operation: TaggedWrite.Operation, to key: RecordKey, _ batch: WriteBatch) throws -> Dot {
        guard case .put(var fields) = operation else {
            guard let dot = try batch.delete(key) else { throw SyncLayerError(.notFound, "\(key) is deleted already") }
            return dot
        }
        // What another device had counted is counted again on top of what this one has.
        for field in fields {
            guard let lost = CounterWrite(field.value) else { continue }
            let mine = try batch.core.record(key, batch.writer)?.state.runningTotal(of: field.name, by: batch.core.metadata.writer) ?? 0
            let (sum, isTooLarge) = mine.addingReportingOverflow(lost.total)
            if isTooLarge { throw SyncLayerError(.invalidValue, "\(lost.total) more in \(field.name) of \(key) does not fit 64 bits") }
            fields[field.name] = CounterWrite(total: sum).value
        }
        return try batch.put(fields, to: key)
    }

    /// The rules must be those by which the conflict was decided.
    private func checkRules(_ conflict: Conflict) throws(SyncLayerError) {
        let isMixed = conflict.winner.operation != conflict.loser.operation
        let names = [rules.policyName(for: conflict.key.type, field: conflict.field)] + (isMixed ? [rules.deletes.name] : [])
        guard names.contains(conflict.policy) else {
            throw SyncLayerError(
                .wrongPolicy,
                "the conflict \(conflict.id) was decided by the policy \(conflict.policy), and the rules given say \(names.joined(separator: ", ")): "
                    + "give the app's own")
        }
    }

    /// The rules must be those by which the store was merged, or its counts and digests would no longer be true.
    private func checkState(of record: ReplicaRecord) throws(SyncLayerError) {
        let shown = record.shown(rules: rules)
        let digest = shown.map { StateDigest(of: record.key, fields: $0) } ?? StateDigest()
        guard digest == record.digest, record.isLive == (shown != nil) else {
            throw SyncLayerError(
                .wrongPolicy, "\(record.key) in the store was merged by other rules than those given: give the app's own")
        }
    }
}
