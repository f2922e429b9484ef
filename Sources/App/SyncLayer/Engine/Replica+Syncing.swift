public import ConflictAudit
import SyncMerge
import SyncModel
import SyncSystem

extension Replica {
    /// A digest of what the replica holds: equal writes seen mean an equal digest, on every device.
    ///
    /// Nil while writes are set aside, for they are in effect here and nowhere else; and from when the hub is found to have forgotten
    /// writes to when all devices that noticed have given them back, for they come back in parts.
    ///
    /// - Complexity: O(*n*) in the number of devices that ever wrote, for each is named; the digest is kept up to date write by write.
    public func checkpoint() throws -> Checkpoint? {
        try store.read { reader in
            let metadata = try currentMetadata(reader)
            guard metadata.setAsideWrites == 0, !metadata.mustGiveBack, !metadata.isPartial else { return nil }
            return Checkpoint(seen: try seen(metadata, reader), records: metadata.liveRecords, digest: metadata.digest.text)
        }
    }

    /// The writes merged.
    private func seen(_ metadata: ReplicaMetadata, _ reader: any ReplicaStoreReader) throws -> VersionVector {
        var seen = try SeenDevices.vector(reader)
        seen.formUnion(metadata.seen)
        return seen
    }

    /// Merges a page of the hub's writes and moves the cursor, in one transaction.
    ///
    /// Writes that another process has merged in the meantime are passed over.
    ///
    /// - Returns: How many writes had timestamps too far ahead to move the clock, the writes that were passed over since others have their
    ///   names, and how old those of other devices were that were merged for the first time.
    func merge(_ page: PullPage) throws -> (tooFarAhead: Int, misnamed: [SkippedWrite], delays: GapHistogram) {
        try transact(origin: .remote) { core, writer in
            var (tooFarAhead, misnamed, delays) = (0, [SkippedWrite](), GapHistogram())
            var merged = 0
            let now = configuration.wall
            var own = page.compacted.own[...]
            for write in page.writes where (write.receipt?.hubSequence ?? 0) > core.metadata.cursor {
                // In the hub's order: what has seen them may come next.
                while let next = own.first, next.receipt.hubSequence ?? 0 < write.hubSequence ?? 0 {
                    try core.receiveOwn(own.removeFirst(), writer)
                }
                // One of its own that comes back only says where it stands.
                if write.dot.device != core.metadata.writer || write.dot.sequence > core.metadata.acknowledged { merged += 1 }
                let before = core.writes
                switch try core.applyRemote(write, writer) {
                case .merged: break
                case .tooFarAhead: tooFarAhead += 1
                case .misnamed: misnamed.append(SkippedWrite(misnamed: write))
                }
                if core.writes > before, write.dot.device != core.metadata.writer {
                    delays.record(milliseconds: now.distance(after: write.timestamp.milliseconds))
                }
            }
            for write in own { try core.receiveOwn(write, writer) }
            if page.cursor >= core.metadata.cursor { core.passOver(page.compacted.latest) }
            core.updateMetadata { metadata in
                if page.cursor >= metadata.cursor {
                    metadata.cursor = page.cursor
                    metadata.position = page.position
                }
                if !page.hasMore { metadata.isPartial = !page.isWhole }
            }
            if !page.hasMore { try core.haveCaughtUp(writer) }
            guard merged > 0 else { return (0, misnamed, delays) }
            core.updateMetadata { $0.refreshVersion += 1 }
            let change = RemoteChange(changes: merged, refreshVersion: core.metadata.refreshVersion)
            core.log(.remoteChange(change, at: configuration.wall))
            return (tooFarAhead, misnamed, delays)
        }
    }

    /// Up to which number the device needs none of its own writes back; where the hub's order decides, it needs all, to learn where they
    /// stand.
    func ownSequence(_ metadata: ReplicaMetadata) -> UInt64 {
        KeptRules(configuration.mergeRules).decidesByArrival ? 0 : metadata.acknowledged
    }

    /// What the replica asks a hub for next.
    func nextPull(_ metadata: ReplicaMetadata, limit: Int) -> PullRequest {
        PullRequest(
            device: metadata.writer, cursor: metadata.cursor, ownSequence: ownSequence(metadata), limit: limit, position: metadata.position)
    }

    /// Bounds the replica's clock by the hub's; writes to the store only where that changes something.
    func bound(by measurement: ClockMeasurement) throws {
        if core.use({ $0.isBound(by: measurement) }) { return }
        try transact { core, writer in try core.bound(by: measurement, writer) }
    }

    /// Holds what the hub says is settled against what is merged here: where that is less, the hub did not wait for this store, and others
    /// may have forgotten settled history that a write made here has not seen.
    ///
    /// - Parameter reached: How far this replica has come in the hub's order by the hub's memory, nil where it has none.
    func compare(settled: VersionVector, reached: UInt64?) throws {
        let isBehind = try store.read { reader in
            let metadata = try currentMetadata(reader)
            if metadata.isCatchingUp { return false }
            if let reached, reached > metadata.cursor { return true }
            return try !seen(metadata, reader).covers(settled)
        }
        if isBehind { try transact { core, _ in core.updateMetadata { $0.isCatchingUp = true } } }
    }

    /// Makes everything committed so far outlast a power failure.
    ///
    /// Called before writes leave the device: were one forgotten that others have, its number would be given twice.
    ///
    /// - Parameter last: The last of the writes.
    func makeDurable(before last: Dot) throws {
        try transact(.power) { core, _ in
            core.updateMetadata { if $0.writer == last.device { $0.sent = max($0.sent, last.sequence) } }
        }
    }

    /// Forgets what records under a record-level policy keep of settled writes.
    ///
    /// Only records that have been written since are looked at.
    ///
    /// - Parameter settled: As for ``collectTombstones(settled:)``.
    func forgetHistory(settled: VersionVector) throws {
        var last: [UInt8]?
        while true {
            let page = try store.read { [last] in try UnsettledRecords.page(after: last, $0) }
            guard let end = page.last else { return }
            last = end
            let keys = try store.read { reader in
                try page.keys.filter { key in
                    guard let stored = try reader.record(key) else { return true }
                    var record = try ReplicaRecord(stored)
                    let (isSmaller, isDone) = record.forgetHistory(settled: settled, rules: configuration.mergeRules)
                    return isSmaller || isDone
                }
            }
            if keys.isEmpty { continue }
            try transact { core, writer in
                for key in keys { try core.forgetHistory(of: key, settled: settled, writer) }
            }
        }
    }

    /// Replaces deleted records whose every write is settled by their traces, which judge whatever may still come as the records would
    /// have.
    ///
    /// One with a counter or a set in which something was counted or added beside the delete stays: that counts again once the record is
    /// back.
    ///
    /// - Parameter settled: What every known device had merged: nothing that has not seen the deletes is likely to come. Were it wrong,
    ///   nothing would be decided otherwise.
    /// - Returns: How many were collected.
    func collectTombstones(settled: VersionVector) throws -> Int {
        guard try currentMetadata().setAsideWrites == 0 else { return 0 }
        var last: RecordKey?
        var collected = 0
        while true {
            let page = try store.read { [last] in try $0.deletedRecords(after: last, limit: 500) }
            guard let end = page.last else { return collected }
            last = end.key
            let keys = try page.filter { try ReplicaRecord($0).canBeCollected(settled: settled) }.map(\.key)
            if keys.isEmpty { continue }
            collected += try transact { core, writer in
                var count = 0
                for key in keys {
                    // Looked at again: it may have been written since.
                    guard let record = try core.record(key, writer), !record.isLive, record.canBeCollected(settled: settled) else {
                        continue
                    }
                    try core.collect(record, writer)
                    count += 1
                }
                return count
            }
        }
    }
}

extension ReplicaRecord {
    /// Whether the record's trace is likely to be all that is ever needed of it, and can stand for it.
    fileprivate func canBeCollected(settled: VersionVector) -> Bool {
        settled.covers(merged) && state.leavesNothing
    }
}

extension ReplicaCore {
    /// What became of another device's write.
    enum Applied {
        case merged
        /// Its timestamp lies too far ahead to move the clock. It is merged all the same; what this device writes next has seen it, and so
        /// replaces it whatever the timestamps say.
        case tooFarAhead
        /// Another write was merged under its name.
        case misnamed
    }
}
