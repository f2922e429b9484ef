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
                $0.hasOutlivedHub = true
                $0.isCatchingUp = true
            }
        }
    }

    /// Records that the hub has everything again.
    func finishHealing() throws {
        try transact(.power) { core, _ in core.updateMetadata { $0.mustGiveBack = false } }
    }

    /// What this replica can give back: all writes that its records and traces hold, and those that removed elements from sets, as far as
    /// they were at the hub.
    ///
    /// In order of device and number: who is given them in parts then never gets one after a later one of its device.
    ///
    /// - Complexity: O(*n* log *n*) in the number of records and of removals kept.
    func writesToGiveBack() throws -> [HeldWrite] {
        let metadata = try currentMetadata()
        let setAside = Set(try setAsideWrites().map(\.write.dot))
        var found: [Dot: HeldWrite.Holder] = [:]
        func hold(_ dot: Dot, _ holder: HeldWrite.Holder) {
            if dot.device == metadata.writer, dot.sequence > metadata.acknowledged || setAside.contains(dot) { return }
            found[dot] = found[dot] ?? holder
        }
        try forEachState { state in
            for write in state.heldWrites { hold(write.dot, .record(state.key)) }
        }
        var last: [UInt8]?
        while case let page = try store.read({ [last] in try ForgottenRemovals.page(after: last, $0) }), !page.writes.isEmpty {
            for (row, write) in page.writes { hold(write.dot, .removal(row)) }
            last = page.last
        }
        return found.map { HeldWrite(dot: $0.key, holder: $0.value) }.sorted { $0.dot < $1.dot }
    }

    /// These writes, as far as they are still held.
    func writes(_ held: some Collection<HeldWrite>) throws -> [TaggedWrite] {
        try store.read { reader in
            var ofRecords: [RecordKey: [Dot: TaggedWrite]] = [:]
            return try held.compactMap { held in
                switch held.holder {
                case .removal(let row):
                    // A later one, which is not yet sent, may be kept instead; it takes away whatever this one did.
                    return try ForgottenRemovals.write(row, reader).flatMap { $0.dot == held.dot ? $0 : nil }
                case .record(let key):
                    if let writes = ofRecords[key] { return try writes[held.dot] ?? ForgottenRemovals.write(held.dot, to: key, reader) }
                    let state =
                        try reader.record(key).map { try ReplicaRecord($0).state }
                        ?? CollectedRecord(key, reader).map { RecordState(key: key, writes: $0.writes, rules: configuration.mergeRules) }
                    // Whoever did not wait for its writer, because the hub knew nothing of it, may have folded what it had seen.
                    let writes = Dictionary(
                        (state?.heldWrites ?? []).map { ($0.dot, state?.whole($0, rules: configuration.mergeRules) ?? $0) }
                    ) { first, _ in first }
                    ofRecords[key] = writes
                    return try writes[held.dot] ?? ForgottenRemovals.write(held.dot, to: key, reader)
                }
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

/// A write that can be given back, and what holds it.
struct HeldWrite: Sendable {
    let dot: Dot
    let holder: Holder

    enum Holder: Sendable {
        /// A record, or its trace.
        case record(RecordKey)
        /// A row of ``ForgottenRemovals``.
        case removal([UInt8])
    }
}
