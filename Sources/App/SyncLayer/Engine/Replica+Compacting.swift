import ConflictAudit
import SyncMerge
import SyncModel

extension Replica {
    /// Has a hub let go of writes that no device needs any more: those that are merged here and on every device that the hub waits for, of
    /// which nothing is shown, counted or in contention, and which another write has seen.
    ///
    /// A new device then fetches little more than there are records, and shows what it would have shown with all. It finds the same
    /// conflicts in what comes later, but that it may not tell of a delete that an edit has won over, in a field which only writes named
    /// that are gone. Devices that the hub knows notice nothing. One that was forgotten and comes back goes on by what is kept, with what
    /// it had not sent.
    ///
    /// Kept are also: what the latest write to a field or record has replaced; the latest delete of each record ever deleted; all writes
    /// to records that are merged whole, or that more than a few hundred devices wrote; additions to sets and removals from them; writes
    /// without an exact context; and writes under a name that a store took when it was put back.
    ///
    /// What is let go of is in no hub any more: each such write is given to ``ReplicaConfiguration/sink`` first, and the sink flushed.
    ///
    /// - Parameter hub: The hub that this replica has synced with.
    /// - Throws: ``SyncLayerError``: with ``SyncLayerError/Code/rulesDiffer`` where a device merges by other rules than this replica, and
    ///   with ``SyncLayerError/Code/hubReplaced`` where the hub is another one than at the last sync, or ever had forgotten what is merged
    ///   here; and what ``ReplicaConfiguration/flushSink`` throws. Writes that were let go of until then stay so.
    /// - Complexity: O(*n*) in the writes that were ever at the hub, little for those that it has let go of; a page is in memory.
    @discardableResult
    public func compact(_ hub: some CompactingHub) async throws -> Compaction {
        guard let metadata = try store.read({ try compactable($0) }) else { return Compaction() }
        let reached = HubPlace(cursor: metadata.cursor, position: metadata.position)
        var decided = CompactionRequest(reached: reached, rulesFingerprint: configuration.mergeRules.fingerprint)
        var done = try await hub.compact(decided)
        decided.limit = min(done.limit, reached.cursor)
        var request = PullRequest(device: metadata.writer, cursor: 0, limit: 1000)
        while request.cursor < decided.limit {
            try Task.checkCancellation()
            let page = try HubAnswers.page(try await hub.pull(request), for: request)
            guard let (superseded, reached) = try superseded(among: page.writes, upTo: decided.limit) else { break }
            decided.reached = reached
            if !superseded.isEmpty {
                configuration.sink?.record(
                    contentsOf: superseded.map { AuditEvent(at: $0.timestamp.milliseconds, .write($0)) })
                try configuration.flushSink?()
                decided.compacted = superseded.map(\.dot)
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
        guard !metadata.hasOutlivedHub else {
            throw SyncLayerError(
                .hubReplaced,
                "the store of \(metadata.device) may hold what no hub has: a hub was put back, or the store is of an earlier version. Begin with an "
                    + "empty store under this or another name, sync, and then compact")
        }
        return metadata.outboxWrites == 0 && metadata.setAsideWrites == 0 && !metadata.isPartial ? metadata : nil
    }

    /// Those of some writes that no device needs any more, and what of the hub's order that goes by; nil where it cannot be said now.
    private func superseded(among writes: [TaggedWrite], upTo limit: UInt64) throws -> (writes: [TaggedWrite], reached: HubPlace)? {
        try store.read { reader in
            guard let metadata = try compactable(reader) else { return nil }
            var records: [RecordKey: HeldRecord] = [:]
            let superseded = try writes.filter { write in
                guard write.hubSequence ?? .max <= limit else { return false }
                let record = try records[write.key] ?? HeldRecord(write.key, configuration.mergeRules, reader)
                records[write.key] = record
                return record.hasSuperseded(write)
            }
            return (superseded, HubPlace(cursor: metadata.cursor, position: metadata.position))
        }
    }
}

/// The writes that a replica holds of a record, or of the trace of a deleted one.
private struct HeldRecord {
    private var held: Set<Dot> = []
    /// What the writers of those had seen.
    private var seen = VersionVector()
    private var merged = VersionVector()

    /// More devices than this in a record's contexts, and nothing of it is let go of: a new device would not know them for honest.
    private static let maximumDevices = 200

    init(_ key: RecordKey, _ rules: MergeRules, _ reader: any ReplicaStoreReader) throws {
        // Of one that is merged whole, what a late winner had seen may be any earlier state.
        guard case .fields = rules.scope(for: key.type) else { return }
        var writes: [TaggedWrite] = []
        if let record = try reader.record(key).map({ try ReplicaRecord($0) }) {
            let state = record.state
            (writes, merged) = (state.heldWrites + state.ancestors, record.merged)
        } else if let trace = try CollectedRecord(key, reader) {
            (writes, merged) = (RecordState(key: key, writes: trace.writes, rules: rules).heldWrites, trace.merged)
        }
        for write in writes {
            held.insert(write.dot)
            if let context = write.seen { seen.formUnion(context) }
        }
        if max(seen.entries.count, merged.entries.count) > Self.maximumDevices { merged = VersionVector() }
    }

    /// Whether a write was merged, is held no more, and has been seen by one that is held.
    ///
    /// What was added to a set may come again from a hub that is put back, and who has a renamed store may hold the same unsent: neither is
    /// let go of.
    func hasSuperseded(_ write: TaggedWrite) -> Bool {
        guard write.seen != nil, merged.covers(write.dot), !held.contains(write.dot), seen.covers(write.dot) else { return false }
        return write.dot.device == write.dot.device.firstWriter && !(write.fields?.containsValue { SetWrite($0) != nil } ?? false)
    }
}
