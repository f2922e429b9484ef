import ConflictAudit
import SyncMerge
import SyncModel

extension ReplicaCore {
    /// A decision for a write of this device, with what tells of its timestamp that it lay ahead of the hub's clock: other devices have its
    /// receipt.
    ///
    /// One that is still to be sent is judged by the hub's clock as it is now.
    func withReceipt(_ decision: MergeDecision, _ reader: any ReplicaStoreReader) throws -> MergeDecision {
        let winner = decision.winner
        guard winner.dot.device == metadata.writer, winner.receipt == nil else { return decision }
        if let receipt = try AheadWrites.receipt(of: winner, reader) { return decision.with(winner: winner.received(receipt)) }
        guard let hubOffset, try reader.entry(winner.dot.sequence, in: .outbox) != nil else { return decision }
        return decision.with(winner: winner.received(TaggedWrite.Receipt(milliseconds: configuration.wall.distance(after: hubOffset))))
    }

    /// What a record is called.
    func name(
        of key: RecordKey, besides writes: [TaggedWrite], earlier: RecordName? = nil, in record: @autoclosure () throws -> ReplicaRecord?
    ) rethrows -> RecordName? {
        guard configuration.auditRules.namesRecords else { return nil }
        let state = try record()?.state
        return configuration.auditRules.name(of: key, besides: writes, earlier: earlier) { state?.value(of: $0, rules: rules) }
    }
}
