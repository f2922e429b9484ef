import SyncMerge
import SyncModel

extension Replica {
    /// Has a hub let go of the writes that no device needs any more: those that are merged here and on every device that the hub waits
    /// for, of which nothing is shown or counted, and which another write that the hub keeps has seen.
    ///
    /// What the hub keeps leads, merged in any order, to the same records and to the same decisions about what comes later; a new device
    /// fetches as much as there are records, however long their history. A device that was forgotten and comes back goes on by what is
    /// kept, with what it had not sent. What was let go of is in no hub any more: have it in a log first, with
    /// ``ReplicaConfiguration/reportsWrites``. The sink is flushed before the first write goes.
    ///
    /// - Parameter hub: The hub that this replica has synced with.
    /// - Throws: ``SyncLayerError``: with ``SyncLayerError/Code/rulesDiffer`` where a device merges by other rules than this replica, and
    ///   with ``SyncLayerError/Code/hubReplaced`` where the hub is another one than at the last sync; and what
    ///   ``ReplicaConfiguration/flushSink`` throws. Writes that were let go of until then stay so.
    /// - Complexity: O(*n*) in the writes that the hub has whole; one page of them is in memory.
    @discardableResult
    public func compact(_ hub: some CompactingHub) async throws -> Compaction {
        guard let metadata = try store.read({ try compactable($0) }) else { return Compaction() }
        try configuration.flushSink?()
        let reached = HubPlace(cursor: metadata.cursor, position: metadata.position)
        var decided = CompactionRequest(reached: reached, rulesFingerprint: configuration.mergeRules.fingerprint)
        var done = try await hub.compact(decided)
        decided.limit = min(done.limit, reached.cursor)
        var request = PullRequest(device: metadata.writer, cursor: 0, limit: 1000)
        while request.cursor < decided.limit {
            try Task.checkCancellation()
            let page = try HubAnswers.page(try await hub.pull(request), for: request)
            guard try judge(page.writes, &decided) else { break }
            if !decided.compacted.isEmpty {
                let part = try await hub.compact(decided)
                done.compacted += part.compacted
                // A device has come that has not everything.
                if part.limit < decided.limit { break }
            }
            (request.cursor, request.position) = (page.cursor, page.position)
            if !page.hasMore { break }
        }
        return done
    }

    /// The replica's metadata where what it has merged is what a hub has: what waits here may have replaced what nobody else has replaced.
    private func compactable(_ reader: any ReplicaStoreReader) throws -> ReplicaMetadata? {
        let metadata = try currentMetadata(reader)
        let isAtHub = metadata.outboxWrites == 0 && metadata.setAsideWrites == 0 && !metadata.mustGiveBack && !metadata.isPartial
        return isAtHub ? metadata : nil
    }

    /// Decides what is to become of some writes that a hub has.
    ///
    /// - Returns: False where it cannot be decided now.
    private func judge(_ writes: [TaggedWrite], _ request: inout CompactionRequest) throws -> Bool {
        try store.read { reader in
            (request.compacted, request.rewritten) = ([], [])
            guard try compactable(reader) != nil else { return false }
            var records: [RecordKey: HeldRecord] = [:]
            for write in writes where write.hubSequence ?? .max <= request.limit {
                let known = records[write.key]
                var record = try known ?? HeldRecord(write.key, configuration.mergeRules, reader)
                if record.isSuperseded(write, limit: request.limit),
                    try ForgottenRemovals.write(write.dot, to: write.key, reader) == nil
                {
                    request.compacted.append(write.dot)
                    request.rewritten += record.takeFolded()
                }
                records[write.key] = record
            }
            return true
        }
    }
}

/// The writes that a replica holds of a record, or of the trace of a deleted one.
private struct HeldRecord {
    private var writes: [TaggedWrite] = []
    private var merged = VersionVector()
    /// Those that carry what was forgotten of a record that is merged whole.
    private var folded: [TaggedWrite] = []

    init(_ key: RecordKey, _ rules: MergeRules, _ reader: any ReplicaStoreReader) throws {
        if let record = try reader.record(key).map({ try ReplicaRecord($0) }) {
            (writes, merged) = (record.state.heldWrites, record.merged)
        } else if let trace = try CollectedRecord(key, reader) {
            (writes, merged) = (RecordState(key: key, writes: trace.writes, rules: rules).heldWrites, trace.merged)
        }
        if case .record = rules.scope(for: key.type) { folded = writes.filter { !$0.carried.isEmpty } }
    }

    /// Whether a write was merged, is held no more, and has been seen by one that is held.
    ///
    /// Without the exact context of both nothing is let go of, and nothing where a write that carries what was forgotten is beyond the
    /// limit.
    func isSuperseded(_ write: TaggedWrite, limit: UInt64) -> Bool {
        guard write.seen != nil, merged.covers(write.dot), !writes.contains(where: { $0.hasSameDot(as: write) }) else { return false }
        return writes.contains { $0.seen?.covers(write.dot) ?? false } && folded.allSatisfy { $0.hubSequence ?? .max <= limit }
    }

    /// The writes that are to carry what was forgotten, the first time that they are asked for.
    mutating func takeFolded() -> [TaggedWrite] {
        defer { folded = [] }
        return folded
    }
}
