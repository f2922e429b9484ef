import ConflictAudit
import SyncMerge
import SyncModel

/// What a replica does inside a transaction.
///
/// Not thread-safe: ``Exclusive`` lets one caller at a time have it.
///
/// Nothing here is believed until the store has committed: a transaction works on copies, and one that fails leaves none behind.
final class ReplicaCore {
    let configuration: ReplicaConfiguration
    let classifier: ConflictClassifier
    private let store: any ReplicaStore
    private let device: DeviceID

    private(set) var metadata: ReplicaMetadata
    /// The metadata as the store last held it; other bytes there mean that another process has written.
    private var knownContent: [UInt8]?
    private var clock: HybridClock
    private var cache: RecordCache
    private(set) var active = ActiveFindings()
    private var constraints: ConstraintAuditor?
    private var areConstraintsCurrent = false

    /// The records that the running transaction has changed, in order: writing them out in the app's order keeps neighbours together.
    private var changed: [WorkingRecord] = []
    private var journal = JournalPage()
    /// Used again and again, so that a write costs no new memory for it.
    private var encoder = StateEncoder()
    private var line = LineBuffer()

    /// What has been committed and not passed on yet, oldest first.
    private var outgoing: [Delivery] = []
    private var isDelivering = false
    /// Entries of the journal that have been passed on and can go with the next transaction.
    private var delivered: [UInt64] = []

    init(device: DeviceID, store: any ReplicaStore, configuration: ReplicaConfiguration) {
        self.device = device
        self.store = store
        self.configuration = configuration
        classifier = ConflictClassifier(rules: configuration.auditRules)
        metadata = ReplicaMetadata(device: device)
        clock = HybridClock(maximumLead: configuration.maximumClockLead)
        cache = RecordCache(capacity: configuration.cachedRecords)
    }

    var rules: MergeRules { configuration.mergeRules }

    // MARK: Transactions

    /// Runs a body in one transaction of the store and keeps what it did, or nothing of it.
    func transact<Result: Sendable>(
        _ durability: StoreDurability = .process, origin: ReplicaChange.Origin = .local, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        var before = (metadata: metadata, clock: clock, active: active)
        defer {
            changed.removeAll(keepingCapacity: true)
            journal.removeAll()
        }
        do {
            let (result, content, number) = try store.write(durability) { writer in
                try refresh(writer)
                before = (metadata, clock, active)
                let result = try body(writer)
                let number = try finish(writer)
                metadata.generation += 1
                metadata.clock = clock.latest
                let content = metadata.encoded
                try writer.setMetadata(content)
                return (result, content, number)
            }
            knownContent = content
            delivered = []
            for record in changed { record.isChanged = false }
            cache.trim()
            if !journal.events.isEmpty || !changed.isEmpty {
                let change = Delivery.Change(keys: changed.map(\.key), origin: origin, refreshVersion: metadata.refreshVersion)
                outgoing.append(Delivery(events: journal.events, number: number, change: changed.isEmpty ? nil : change))
            }
            return result
        } catch {
            (metadata, clock, active) = before
            // It holds what is not to be.
            cache.removeAll()
            // It may have been told of records that are not to be.
            areConstraintsCurrent = false
            throw error
        }
    }

    /// Notices what another process has done to the store since the last transaction, and starts a store that is new.
    private func refresh(_ writer: any ReplicaStoreWriter) throws {
        let content = try writer.metadata()
        if let content, content == knownContent { return }
        if let content {
            metadata = try ReplicaMetadata(content)
            guard metadata.device == device else {
                throw SyncLayerError(
                    .wrongDevice,
                    "the store belongs to the device \(metadata.device.rawValue.quoted), not to \(device.rawValue.quoted): open it "
                        + "under its own name, or give this device a store of its own")
            }
        }
        clock = HybridClock(after: max(clock.latest, metadata.clock), maximumLead: configuration.maximumClockLead)
        cache.removeAll()
        active = try ActiveFindings(writer)
        areConstraintsCurrent = false
        knownContent = content
    }

    /// Writes out what the transaction changed.
    ///
    /// - Returns: The number of its entry in the journal, where it has one.
    private func finish(_ writer: any ReplicaStoreWriter) throws -> UInt64? {
        for record in changed { try writer.setRecord(settle(record)) }
        for number in delivered { try writer.removeEntry(number, from: .journal) }
        guard configuration.sink != nil, !journal.events.isEmpty else { return nil }
        metadata.journalNumber += 1
        try writer.setEntry(StoreEntry(number: metadata.journalNumber, content: journal.encoded), in: .journal)
        return metadata.journalNumber
    }

    /// Brings the counts up to date with a changed record.
    private func settle(_ working: WorkingRecord) -> StoredRecord {
        let shown = working.record.state.shown(rules: rules)
        let digest = shown.map { StateDigest(of: working.key, fields: $0, line: &line) } ?? StateDigest()
        metadata.digest -= working.record.digest
        metadata.digest += digest
        metadata.liveRecords += (shown == nil ? 0 : 1) - (working.record.isLive ? 1 : 0)
        working.record.digest = digest
        working.record.isLive = shown != nil
        defer { working.lastWrite = nil }
        return working.record.stored(&encoder, lastWrite: working.lastWrite)
    }

    // MARK: Records

    /// A record as the transaction sees it, nil where it was never written.
    func record(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> ReplicaRecord? {
        try find(key, reader)?.record
    }

    private func find(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> WorkingRecord? {
        if let known = cache.record(key) { return known }
        guard let stored = try reader.record(key) else { return nil }
        let found = WorkingRecord(try ReplicaRecord(stored), key: key)
        cache.insert(found)
        return found
    }

    /// A record to be changed, empty where it was never written.
    private func prepare(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> WorkingRecord {
        if let known = try find(key, reader) { return known }
        let merged = metadata.collectedRecords == 0 ? VersionVector() : try CollectedRecord.merged(of: key, reader)
        let empty = WorkingRecord(ReplicaRecord(key: key, merged: merged), key: key)
        cache.insert(empty)
        return empty
    }

    /// Forgets a deleted record that every device has seen deleted.
    ///
    /// What had been merged of it is kept: should this replica write the record again, it must say that it had seen the delete.
    func collect(_ record: ReplicaRecord, _ writer: any ReplicaStoreWriter) throws {
        cache.remove(record.state.key)
        try writer.removeRecord(record.state.key)
        if try CollectedRecord.keep(record, writer) { metadata.collectedRecords += 1 }
    }

    /// Makes a write of the device's own.
    func write(_ operation: TaggedWrite.Operation, to key: RecordKey, _ writer: any ReplicaStoreWriter) throws -> Dot {
        let working = try prepare(key, writer)
        metadata.sequence += 1
        let dot = Dot(device: device, sequence: metadata.sequence)
        let write = TaggedWrite(
            dot: dot, timestamp: clock.now(wall: configuration.wallClock()), key: key, operation: operation,
            seen: working.record.merged)
        encoder.begin()
        encoder.append(write)
        let entry = StoreEntry(number: dot.sequence, content: encoder.bytes)
        try apply(write, encoded: entry.content, to: working, writer)
        try writer.setEntry(entry, in: .outbox)
        metadata.outboxWrites += 1
        metadata.outboxBytes += entry.content.count
        return dot
    }

    /// Merges a write and notes what that brings to light.
    ///
    /// - Parameter encoded: The write as stores keep it, where that is known.
    private func apply(
        _ write: TaggedWrite, encoded: [UInt8]? = nil, to working: WorkingRecord, _ writer: any ReplicaStoreWriter
    ) throws {
        let decisions = working.record.merge(write, rules: rules)
        if !working.isChanged {
            working.isChanged = true
            changed.append(working)
        }
        working.lastWrite = encoded
        metadata.seen.insert(write.dot)
        if configuration.reportsWrites { journal.append(.write(write), encoded: encoded, isKept: configuration.sink != nil) }
        try close(decidedBy: write, writer)
        for decision in decisions { try note(.decision(decision), writer) }
        for finding in try brokenConstraints(by: working, writer) { try note(.constraint(finding), writer) }
    }

    /// Merges another device's write, in the hub's order.
    ///
    /// - Returns: Whether its timestamp lies too far ahead to move the clock. It is merged all the same; what this device writes next has
    ///   seen it, and so replaces it whatever the timestamps say.
    func applyRemote(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws -> Bool {
        if write.dot.device == device {
            // One of its own that the device does not know: its store was put back to an earlier state.
            guard write.dot.sequence > metadata.sequence else { return false }
            metadata.sequence = write.dot.sequence
        }
        try apply(write, to: prepare(write.key, writer), writer)
        do throws(HybridClock.LeadExceeded) {
            try clock.observe(write.timestamp, wall: configuration.wallClock())
            return false
        } catch {
            return true
        }
    }

    /// Changes the counts that are kept beside the records.
    func updateMetadata(_ update: (inout ReplicaMetadata) -> Void) { update(&metadata) }

    /// Notes something for the audit.
    func note(_ event: JournalEvent) { journal.append(event, isKept: configuration.sink != nil) }

    // MARK: Findings

    private func note(_ finding: Finding, _ writer: any ReplicaStoreWriter) throws {
        note(.found(finding))
        guard finding.isPending else { return }
        metadata.activeNumber += 1
        try active.insert(finding, number: metadata.activeNumber, writer)
    }

    /// Closes the conflicts that waited for the app and that a write has decided.
    private func close(decidedBy write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws {
        for entry in active.entries(about: write.key) {
            guard try !entry.finding.isOpen(rules: rules, record: { try record($0, writer)?.state }) else { continue }
            try active.remove(entry, writer)
            let state = try record(entry.finding.conflict(classifier).key, writer)?.state
            let shown = state?.shown(rules: rules)
            let result = entry.finding.field.map { shown?[$0] } ?? shown.map(FieldValue.object)
            note(.resolved(entry.finding, at: write.timestamp.milliseconds, result: result))
        }
    }

    private func brokenConstraints(by working: WorkingRecord, _ reader: any ReplicaStoreReader) throws -> [ConstraintFinding] {
        if !areConstraintsCurrent {
            constraints = ConstraintAuditor(configuration.auditRules, mergeRules: rules)
            areConstraintsCurrent = true
            // What is there already has been reported. Only the records of types that a constraint names are looked at.
            for type in constraints?.types ?? [] {
                var last: RecordID?
                while case let page = try reader.records(ofType: type, after: last, limit: 500), !page.isEmpty {
                    for stored in page {
                        _ = try constraints?.observe(ReplicaRecord(stored).state) {
                            try reader.record($0).map { try ReplicaRecord($0).state }
                        }
                    }
                    last = page.last?.key.id
                }
            }
        }
        guard constraints != nil else { return [] }
        return try constraints?.observe(working.record.state) { try record($0, reader)?.state } ?? []
    }

    // MARK: Delivery

    /// What is to be passed on next, unless somebody else is at it: the order must stay that of the commits.
    func nextDelivery() -> Delivery? {
        guard !isDelivering, !outgoing.isEmpty else { return nil }
        isDelivering = true
        return outgoing.removeFirst()
    }

    /// Takes note that a delivery was passed on.
    ///
    /// - Parameter isKept: Whether the journal is to keep it all the same.
    func finishDelivery(_ delivery: Delivery, isKept: Bool) {
        isDelivering = false
        guard let number = delivery.number, !isKept else { return }
        delivered.append(number)
        // Conflict lines are forgotten at once, so that a crash seldom repeats one; the account of a write can wait.
        if delivery.isAboutConflict { try? transact { _ in } }
    }

    /// Takes over what an earlier run committed and did not pass on.
    func recoverJournal(_ reader: any ReplicaStoreReader) throws {
        var last: UInt64 = 0
        while let entry = try reader.entries(in: .journal, after: last, limit: 1, bytes: .max).first {
            outgoing.append(Delivery(events: try [JournalEvent](encoded: entry.content), number: entry.number, change: nil))
            last = entry.number
        }
    }
}

/// What one transaction has to tell the outside.
struct Delivery: Sendable {
    let events: [JournalEvent]
    /// Its entry in the journal, where it has one.
    let number: UInt64?
    let change: Change?

    /// The records that have changed, in the order of their first change.
    struct Change: Sendable {
        let keys: [RecordKey]
        let origin: ReplicaChange.Origin
        let refreshVersion: Int
    }

    var isAboutConflict: Bool { events.contains(where: \.isAboutConflict) }
}

extension TaggedWrite {
    /// The write as stores and queues keep it.
    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(self)
        return encoder.bytes
    }

    init(encoded: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(encoded)
        self = try decoder.write()
        try decoder.finish()
    }

    init(encoded: [UInt8], from place: String) throws(SyncLayerError) {
        do throws(CodingFailure) {
            try self.init(encoded: encoded)
        } catch {
            throw SyncLayerError(damaged: place, error)
        }
    }
}
