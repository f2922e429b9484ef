public import ConflictAudit
import SyncBytes
import SyncLines
public import SyncMerge
public import SyncModel
import SyncSystem

/// A device's copy of the data: takes writes at once, whatever the network does, and merges those of other devices.
///
/// Every write is tagged with its number, a hybrid timestamp and what its author had merged of the record. The write, its tag, its entry in
/// the outbox and what the audit is to hear of it are one transaction of the store.
///
/// **Audit.** Conflicts are passed to the sink after the commit that found them, in the order of the commits, and each is found once: a
/// merge that was committed is not repeated, one that was not leaves nothing behind. Between commit and sink there is a journal in the
/// store. While the program runs, the sink gets each line exactly once. A program killed after the sink had a line and before the journal
/// forgot it gives the sink that line again when the store is next opened: across crashes a line comes at least once, and a repeated
/// conflict has the id of the first. A sink that buffers loses what it had not written unless ``ReplicaConfiguration/flushSink`` makes it
/// write. A second process that opens the store may repeat the lines that the first has in hand at that time.
///
/// What a process without a sink finds, an app extension for one, waits in the store: a replica with a sink passes it on with its next
/// write or sync, or when it is opened, and ``changes`` then names the records concerned. Of what no process with a sink ever takes, the
/// latest 1000 transactions with conflicts and 4 MB are kept; what was dropped is counted in a `log` line.
///
/// **Clocks.** A remote timestamp further ahead than ``ReplicaConfiguration/maximumClockLead`` is merged like any other but does not move
/// this replica's clock. Later writes here may then carry earlier timestamps; they win all the same, because they have seen what they
/// replace. Every sync measures the hub's clock. Where this device's leads it by more than ``ReplicaConfiguration/maximumClockLead``, the
/// replica goes by the hub's time from then on, also after it is opened again, until another sync finds the clock right. What was written
/// before the sync keeps its timestamp, sent or not: it may win over a concurrent write and is then `Conflict.clockSuspect` in every log. A
/// write that is still to be sent is judged by the hub's clock at the time when the conflict is found.
///
/// Thread-safe. Calls block for the length of a transaction, some microseconds unless another process is writing.
///
/// ```swift
/// let replica = try Replica(device: "iPhone", store: InMemoryStore())
/// try replica.put(["email": "john@new.example"], to: RecordKey(type: "Card", id: "42"))
/// print(try replica.get(RecordKey(type: "Card", id: "42")) ?? [:])
/// ```
public final class Replica: Sendable {
    /// The device whose replica it is: what the app calls it.
    public let device: DeviceID

    /// The name that the device's writes carry now: ``device``, unless the store was found to have been put back or copied; then that, `~`
    /// and eight digits.
    ///
    /// - Throws: ``SyncLayerError`` where the store cannot be read.
    public var writer: DeviceID { get throws { try currentMetadata().writer } }

    let configuration: ReplicaConfiguration
    let store: any ReplicaStore
    let core: Exclusive<ReplicaCore>
    let origin: ReadOrigin
    let auditor: ConflictAuditor
    private let changeSource = ChangeSource()
    let lostEditObservers = LostEditObservers()

    /// Opens a device's replica, as it was left.
    ///
    /// - Parameters:
    ///   - device: This device. Should its store be put back from a backup, or copied to another device that keeps the name, the next sync
    ///     notices before anything is overwritten; see ``SyncEngine``.
    ///   - store: Where everything is kept.
    ///   - configuration: How to merge and audit.
    /// - Throws: ``SyncLayerError`` where the store belongs to another device or cannot be read, or where the device's name is empty or has
    ///   more than 4096 bytes.
    public init(device: DeviceID, store: some ReplicaStore, configuration: ReplicaConfiguration = ReplicaConfiguration()) throws {
        if let problem = WriteLimits.problem(with: device) { throw SyncLayerError(.invalidValue, problem) }
        self.device = device
        self.store = store
        self.configuration = configuration
        auditor = ConflictAuditor(rules: configuration.auditRules, sink: BroadcastingAuditSink(configuration.sink.map { [$0] } ?? []))
        let core = ReplicaCore(device: device, store: store, configuration: configuration)
        try core.transact { writer in
            try core.recoverJournal(writer)
            try core.refreshIndex(writer)
            core.forgetOldLostEdits()
        }
        auditor.restore(core.active.all.map { $0.conflict(core.classifier) })
        origin = core.origin
        self.core = Exclusive(core)
        deliver()
    }

    /// Tidies up before the replica is let go, so that the next run has nothing to repeat.
    ///
    /// Optional: a replica can be let go at any time.
    public func close() throws {
        try transact { _, _ in }
    }

    // MARK: Reading

    /// The fields of a record, nil where it does not exist.
    public func get(_ key: RecordKey) throws -> FieldMap? {
        guard let stored = try store.read({ reader in try reader.record(key) }), stored.isLive else { return nil }
        return try ReplicaRecord(stored).shown(rules: configuration.mergeRules)
    }

    /// A record as it is shown, nil where it does not exist.
    ///
    /// What is changed of it can be written as by one who has seen this and no more: ``put(_:changedFrom:)``.
    public func record(_ key: RecordKey) throws -> Record? {
        try store.read { reader in
            guard let stored = try reader.record(key), stored.isLive else { return nil }
            return Record(
                try ReplicaRecord(stored), readBy: try currentMetadata(reader).writer, from: origin, rules: configuration.mergeRules)
        }
    }

    /// The writers of what a record shows, with times; nil where the record does not exist.
    ///
    /// - Complexity: O(*f*) for *f* fields; nothing is kept for it.
    public func edits(of key: RecordKey) throws -> RecordEdits? {
        guard let stored = try store.read({ reader in try reader.record(key) }), stored.isLive else { return nil }
        return try ReplicaRecord(stored).edits(rules: configuration.mergeRules)
    }

    /// The records of a type in order of identity.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - withEdits: Whether ``Record/edits`` is filled in, which takes about as long again.
    /// - Complexity: O(*n*) in the number of its records.
    public func records(ofType type: RecordType, withEdits: Bool = false) throws -> [Record] {
        try store.read { reader in
            let writer = try currentMetadata(reader).writer
            var records: [Record] = []
            while true {
                let page = try reader.records(ofType: type, after: records.last?.key.id, limit: 1000)
                if page.isEmpty { return records }
                for stored in page {
                    let record = try ReplicaRecord(stored)
                    records.append(
                        Record(record, readBy: writer, from: origin, rules: configuration.mergeRules, withEdits: withEdits))
                }
            }
        }
    }

    /// The changes from now on, here and through syncs.
    public var changes: ReplicaChanges { ReplicaChanges(source: changeSource) }

    // MARK: Writing

    /// Makes several writes in one transaction: all of them, or, where the body throws, none.
    ///
    /// - Parameter body: Writes and reads through the batch, which sees its own writes. What it would write through the replica itself
    ///   throws ``SyncLayerError/Code/insideWrite``, for the replica has one transaction at a time.
    @discardableResult
    public func write<Result: Sendable>(_ body: (WriteBatch) throws -> Result) throws -> Result {
        let transaction = BatchTransaction()
        let result = try transact { core, writer in
            let batch = WriteBatch(core: core, writer: writer, transaction)
            defer { transaction.end() }
            return try body(batch)
        }
        transaction.commit()
        return result
    }

    /// The replicas in whose transactions the current task, or thread, is.
    @TaskLocal private static var inside: [ObjectIdentifier] = []

    func transact<Result: Sendable>(
        _ durability: StoreDurability = .process, origin: ReplicaChange.Origin = .local,
        _ body: (ReplicaCore, any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        let id = ObjectIdentifier(self)
        guard !Self.inside.contains(id) else {
            throw SyncLayerError(
                .insideWrite,
                "the replica of \(device.rawValue.quoted) was written to from within its own write: write through the batch that the closure "
                    + "was given, or after it has ended")
        }
        let (result, haveLostEditsChanged) = try Self.$inside.withValue(Self.inside + [id]) {
            try core.use { core in
                (try core.transact(durability, origin: origin) { try body(core, $0) }, core.takeLostEditsChanged())
            }
        }
        deliver()
        if haveLostEditsChanged { lostEditObservers.tell() }
        return result
    }

    // MARK: Auditing

    /// Everything counted since the replica was opened.
    public var statistics: ConflictStatistics { auditor.statistics }

    /// The conflicts that wait for the app to decide, oldest first; also those that an earlier run found.
    public var activeConflicts: [Conflict] { auditor.activeConflicts }

    /// One line for a person: how many conflicts, how many decided by themselves, how many lost something.
    public var conflictSummary: String { auditor.summary }

    private static let eventsBetweenFlushes = 4096
    /// Few enough to stay in a processor's cache.
    private static let eventsAtOnce = 64

    /// Passes on what has been committed, in the order of the commits.
    private func deliver() {
        while let delivery = core.use({ $0.nextDelivery() }) {
            auditor.recordWrites(delivery.writes, withContext: delivery.writesWithContext)
            var index = 0
            while index < delivery.events.count {
                let room = Self.eventsBetweenFlushes - index % Self.eventsBetweenFlushes
                index += passNext(of: delivery.events[index...].prefix(min(room, Self.eventsAtOnce)))
                // A sink's buffer is bounded, a transaction is not.
                if index % Self.eventsBetweenFlushes == 0 { try? configuration.flushSink?() }
            }
            if let change = delivery.change { changeSource.publish(change) }
            // What the sink could not make last stays in the journal for the next run.
            var isKept = false
            if delivery.isAboutConflict, let flush = configuration.flushSink {
                do { try flush() } catch { isKept = true }
            }
            core.use { [isKept] in $0.finishDelivery(delivery, isKept: isKept) }
        }
    }

    /// Passes on the first of some events, and with it those behind it that are of the same kind.
    ///
    /// - Returns: How many they were, at least 1.
    private func passNext(of events: ArraySlice<JournalEvent>) -> Int {
        switch events.first {
        case nil: preconditionFailure("there is something to pass on")
        case .write:
            var writes: [AuditEvent] = []
            for event in events {
                guard case .write(let write) = event else { break }
                writes.append(AuditEvent(at: write.timestamp.milliseconds, .write(write)))
            }
            configuration.sink?.record(contentsOf: writes)
            return writes.count
        case .found(.decision, _):
            var decisions: [MergeDecision] = []
            var names: [RecordName?] = []
            for event in events {
                guard case .found(.decision(let decision), let name) = event else { break }
                decisions.append(decision)
                names.append(name)
            }
            auditor.record(decisions, names: names)
            return decisions.count
        case .found(.constraint(let finding), let name): auditor.record([finding]) { _ in name }
        case .resolved(let finding, let milliseconds, let result):
            // After a crash the auditor does not know the conflict yet.
            auditor.restore([finding.conflict(ConflictClassifier(rules: configuration.auditRules))])
            auditor.resolve(finding.id, at: milliseconds, result: result)
        case .remoteChange(let change, let milliseconds):
            configuration.sink?.record(AuditEvent(at: milliseconds, .remoteChange(change)))
        case .outbox(let status, let milliseconds): configuration.sink?.record(AuditEvent(at: milliseconds, .outbox(status)))
        case .dropped(let count, let milliseconds):
            configuration.sink?.record(AuditEvent(at: milliseconds, .log(.dropped(count))))
        case .lostEditsForgotten(let count, let milliseconds):
            configuration.sink?.record(AuditEvent(at: milliseconds, .log(.forgotten(count))))
        case .writerChanged(let change, let milliseconds):
            let activity = SyncActivity(
                phase: .setup, state: .failed, writes: change.numbers.count, bytes: 0, duration: .zero, error: change.description)
            configuration.sink?.record(AuditEvent(at: milliseconds, .sync(activity)))
        }
        return 1
    }
}
