import ConflictAudit
import SyncMerge
import SyncModel

extension ReplicaCore {
    /// Gives back what a conflict discarded, as a write that has seen everything that was merged.
    ///
    /// - Parameters:
    ///   - conflict: The conflict; where it does not hold the value, that of the list of lost edits is taken.
    ///   - force: Whether to replace also what was written since.
    /// - Throws: ``SyncLayerError`` where this replica has not merged both sides, where the field has moved on since, or where there is
    ///   nothing to give back.
    func restore(_ conflict: Conflict, force: Bool, _ batch: WriteBatch) throws -> Dot {
        let writer = batch.writer
        let kept = try lostEdits { try $0.edit(discardedBy: conflict, StoredLostEdits(writer)) }
        guard let operation = conflict.restoringOperation ?? kept?.conflict.restoringOperation else {
            throw SyncLayerError(.invalidValue, "the conflict \(conflict.id) discarded no value that one write can give back")
        }
        let record = try record(conflict.key, writer)
        try requireBothSides(of: conflict, in: record, writer)
        let shown = record?.state.winner(of: conflict.field, rules: rules)?.dot
        let winners = (kept?.winners ?? []) + [conflict.winner.dot]
        if !(shown.map(winners.contains) ?? false), !force {
            let now = shown.map { "write \($0.sequence) of \($0.device) is shown now" } ?? "it was deleted"
            throw SyncLayerError(.superseded, "\(conflict.key) has moved on since the conflict \(conflict.id): \(now)")
        }
        let dot = try write(operation, to: conflict.key, batch)
        // A counter that goes on from another total is not the same value.
        lost.remove(conflict)
        if !configuration.reportsWrites, let write = try writer.entry(dot.sequence, in: .outbox)?.waitingWrite() { log(.write(write)) }
        return dot
    }

    private func requireBothSides(of conflict: Conflict, in record: ReplicaRecord?, _ writer: any ReplicaStoreWriter) throws {
        let device = metadata.device
        // Of a record that every device has forgotten, the store knows which writes it had merged.
        let trace = record == nil ? try trace(of: conflict.key, writer) : nil
        // A hub may have let go of one that the other side had seen.
        var merged = record?.merged ?? trace?.merged ?? VersionVector()
        if let seen = record?.state.seen { merged.formUnion(seen) }
        let held = record?.state.heldWrites ?? trace?.writes ?? []
        for side in [conflict.winner, conflict.loser] {
            guard try hasMerged(side.dot, writer) else {
                throw SyncLayerError(
                    .notFound, "the replica of \(device) has not merged both sides of the conflict \(conflict.id): let it sync first")
            }
            // The value that is given back is whole.
            let value = side.dot == conflict.loser.dot ? side.value : nil
            let known = held.first { $0.dot == side.dot }
            guard merged.covers(side.dot), known.map({ side.describes($0, field: conflict.field, value: value) }) ?? true else {
                throw SyncLayerError(
                    .notFound,
                    "write \(side.dot.sequence) of \(side.dot.device) in the replica of \(device) is another one than in the conflict "
                        + "\(conflict.id), so the log is not that of its fleet: name the store of an app that wrote the log")
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
            let mine = try record(key, batch.writer)?.state.runningTotal(of: field.name, by: metadata.writer) ?? 0
            let (sum, isTooLarge) = mine.addingReportingOverflow(lost.total)
            if isTooLarge { throw SyncLayerError(.invalidValue, "\(lost.total) more in \(field.name) of \(key) does not fit 64 bits") }
            fields[field.name] = CounterWrite(total: sum).value
        }
        return try batch.put(fields, to: key)
    }
}

extension Conflict.Side {
    /// Whether a write of the same name is the one described.
    ///
    /// - Parameter value: What it wrote to the register; nil where a log may have left it out or cut it.
    fileprivate func describes(_ write: TaggedWrite, field: FieldName?, value: FieldValue?) -> Bool {
        guard timestamp == write.timestamp, (operation == .delete) == write.isDelete else { return false }
        guard let value, let fields = write.fields else { return true }
        guard let field else { return value.object?.allSatisfy { fields[$0.name] == $0.value } ?? false }
        return fields[field] == value
    }
}
