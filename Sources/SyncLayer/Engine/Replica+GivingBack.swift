import SyncMerge
import SyncModel

extension Replica {
    /// Begins at the start of the hub's order, and keeps in mind that the hub has forgotten writes.
    func startHealing() throws {
        try transact(.power) { core, _ in
            core.updateMetadata {
                $0.cursor = 0
                $0.position = nil
                $0.mustGiveBack = true
                $0.isCatchingUp = true
            }
        }
    }

    /// Takes note that the hub has everything again.
    func finishHealing() throws {
        try transact(.power) { core, _ in core.updateMetadata { $0.mustGiveBack = false } }
    }

    /// Names of the writes that this replica can give back, with their records: all that its records and traces hold and that were at the hub.
    ///
    /// In order of device and number: who is given them in parts then never gets one after a later one of its device.
    ///
    /// - Complexity: O(*n* log *n*) in the number of records.
    func writesToGiveBack() throws -> [(dot: Dot, key: RecordKey)] {
        let metadata = try currentMetadata()
        var dots: [(dot: Dot, key: RecordKey)] = []
        try forEachState { state in
            for write in state.heldWrites where write.dot.device != metadata.writer || write.dot.sequence <= metadata.acknowledged {
                dots.append((write.dot, state.key))
            }
        }
        return dots.sorted { $0.dot < $1.dot }
    }

    /// The writes of these names, as far as their records still hold them.
    func writes(_ dots: some Sequence<(dot: Dot, key: RecordKey)>) throws -> [TaggedWrite] {
        try store.read { reader in
            try dots.compactMap { dot, key in
                let state =
                    try reader.record(key).map { try ReplicaRecord($0).state }
                    ?? CollectedRecord(key, reader).map { RecordState(key: key, writes: $0.writes, rules: configuration.mergeRules) }
                return state?.heldWrites.first { $0.dot == dot }
            }
        }
    }

    private func forEachState(_ body: (RecordState) -> Void) throws {
        var last: RecordKey?
        while case let page = try store.read({ [last] in try $0.allRecords(after: last, limit: 500) }), !page.isEmpty {
            for stored in page { body(try ReplicaRecord(stored).state) }
            last = page.last?.key
        }
        var lastRow: [UInt8]?
        while case let page = try store.read({ [lastRow] in try $0.rows(in: .traces, startingWith: [], after: lastRow, limit: 500) }),
            !page.isEmpty
        {
            for row in page {
                let trace = try CollectedRecord(row)
                // One that came back is among the records.
                if try store.read({ try $0.record(trace.key) }) != nil { continue }
                body(RecordState(key: trace.key, writes: trace.writes, rules: configuration.mergeRules))
            }
            lastRow = page.last?.key
        }
    }
}
