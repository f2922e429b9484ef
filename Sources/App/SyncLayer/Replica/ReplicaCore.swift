import ConflictAudit
import SyncBytes
import SyncCoding
import SyncLines
import SyncMerge
import SyncModel

/// What a replica does inside a transaction.
///
/// Not thread-safe: ``Exclusive`` lets one caller at a time have it.
///
/// Nothing here is believed until the store has committed: a transaction works on copies, and one that fails leaves none behind.
final class ReplicaCore {
    /// What is read through this replica is to be changed through it.
    let origin = ReadOrigin()
    let configuration: ReplicaConfiguration
    let classifier: ConflictClassifier
    private let store: any ReplicaStore
    private let device: DeviceID
    private let isVisitor: Bool
    /// The rules as the store is to keep them.
    private let appRules: KeptRules

    private(set) var metadata: ReplicaMetadata
    /// The metadata as the store last held it; other bytes there mean that another process has written.
    private var knownContent: [UInt8]?
    private var clock: ReplicaClock
    /// How far the device's clock is ahead of the hub's, in milliseconds, as the latest sync of this run has measured.
    private(set) var hubOffset: Int64?
    private var cache: RecordCache
    /// Whether the record last asked for, among those not in the cache, was never written: the next one is then taken for new too.
    private var isLikelyNew = true
    private(set) var active = ActiveFindings()
    var lost = LostEditList()
    /// Whether the list of lost edits has changed since somebody last asked.
    var haveLostEditsChanged = false
    private var constraints: ReplicaConstraints
    private var fieldIndex: FieldIndex

    /// The records that the running transaction has changed, in order: writing them out in the app's order keeps neighbours together.
    private var changed: [WorkingRecord] = []
    /// The records that it has inserted and stored at once.
    private var inserted: [RecordKey] = []
    /// The writes of other devices that it has merged.
    var seen = SeenDevices()
    private var journal = JournalPage()
    /// The records of what other processes have found and this one passes on.
    private var heard: Set<RecordKey> = []
    /// How many writes it has taken in.
    private(set) var writes = 0
    /// How many of them carried a causal context.
    private var writesWithContext = 0
    /// Used again and again, so that a write costs no new memory for it.
    private var encoder = StateEncoder()
    private var line = LineBuffer()

    var deliveries = DeliveryQueue()

    /// - Parameter isVisitor: Whether what waits for a sink is left to the app, and so is a change of rules.
    init(device: DeviceID, store: any ReplicaStore, configuration: ReplicaConfiguration, isVisitor: Bool = false) {
        self.device = device
        self.isVisitor = isVisitor
        appRules = KeptRules(configuration.mergeRules)
        self.store = store
        self.configuration = configuration
        classifier = ConflictClassifier(rules: configuration.auditRules)
        constraints = ReplicaConstraints(configuration)
        fieldIndex = FieldIndex(configuration)
        metadata = ReplicaMetadata(device: device)
        clock = ReplicaClock(maximumLead: configuration.maximumClockLead)
        cache = RecordCache(capacity: configuration.cachedRecords)
    }

    var rules: MergeRules { configuration.mergeRules }

    // MARK: Transactions

    /// Runs a body in one transaction of the store and keeps what it did, or nothing of it.
    func transact<Result: Sendable>(
        _ durability: StoreDurability = .process, origin: ReplicaChange.Origin = .local, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        var before = (metadata: metadata, clock: clock, active: active, lost: lost)
        defer {
            changed.removeAll(keepingCapacity: true)
            inserted.removeAll(keepingCapacity: true)
            seen.removeAll()
            journal.removeAll()
            heard.removeAll()
            (writes, writesWithContext) = (0, 0)
        }
        do {
            let (result, content, number) = try store.write(durability) { writer in
                try refresh(writer)
                before = (metadata, clock, active, lost)
                let result = try body(writer)
                try logOutbox(since: before.metadata, writer)
                let number = try finish(writer)
                metadata.generation += 1
                metadata.clock = clock.latest
                let content = metadata.encoded
                try writer.setMetadata(content)
                return (result, content, number)
            }
            knownContent = content
            deliveries.forgetDelivered()
            for record in changed { record.isChanged = false }
            cache.trim()
            let own = changed.isEmpty ? inserted : inserted + changed.map(\.key)
            let keys = heard.isEmpty ? own : own + heard
            if !journal.events.isEmpty || !keys.isEmpty {
                let origin = heard.isEmpty || origin == .remote ? origin : own.isEmpty ? .remote : .both
                let change = Delivery.Change(keys: keys, origin: origin, refreshVersion: metadata.refreshVersion)
                deliveries.append(
                    Delivery(
                        events: journal.events, writes: writes, writesWithContext: writesWithContext, number: number,
                        change: keys.isEmpty ? nil : change))
            }
            return result
        } catch {
            (metadata, clock, active, lost) = before
            // It holds what is not to be.
            cache.removeAll()
            // What was taken over from other processes is where it was.
            knownContent = nil
            // They may have been told of records that are not to be.
            constraints.reset()
            fieldIndex.reset()
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
        // What the store says counts: another process may have set the clock back.
        clock = try ReplicaClock(after: metadata.clock, maximumLead: configuration.maximumClockLead, writer)
        cache.removeAll()
        active = try ActiveFindings(writer)
        if try lostEdits({ try $0.refresh(StoredLostEdits(writer)) }) { haveLostEditsChanged = true }
        constraints.reset()
        fieldIndex.reset()
        knownContent = content
        try refreshRules(writer)
        if configuration.sink != nil, !isVisitor {
            for event in try UnheardEvents.drain(at: configuration.wall, writer) {
                log(event)
                heard.formUnion(event.keys)
            }
        }
        if metadata.isAcknowledgedUnknown {
            metadata.isAcknowledgedUnknown = false
            let first = try writer.entries(in: .outbox, after: 0, limit: 1, bytes: .max).first
            metadata.acknowledged = first.map { $0.number - 1 } ?? metadata.sequence
        }
        if metadata.earlierSeen.isEmpty { return }
        for entry in metadata.earlierSeen.entries where entry.device != metadata.writer {
            seen.insert(Dot(device: entry.device, sequence: entry.sequence))
        }
        metadata.earlierSeen = VersionVector()
    }

    /// Holds the app's rules against those that the store was merged by; a store that keeps none yet is given them.
    private func refreshRules(_ writer: any ReplicaStoreWriter) throws {
        let kept = try StoreRules.kept(writer)
        if let kept {
            guard try StoreRules.mustChange(from: kept, to: appRules) else { return }
            guard !isVisitor else {
                throw SyncLayerError(
                    .rulesDiffer, "the store is still merged by rules of version \(kept.version): open it once with the app that raised it")
            }
            var change = RulesChange(kept: kept, app: appRules, rules: rules)
            try change.run(&metadata, writer)
            try constraints.forget(writer)
            try closeThoseLeftOpen(writer)
            try fieldIndex.forget(rules, writer)
        }
        try StoreRules.keep(appRules, writer)
        // Should the transaction fail, the next one must begin again.
        knownContent = nil
    }

    /// Closes the conflicts that waited for the app where the rules now decide by themselves.
    private func closeThoseLeftOpen(_ writer: any ReplicaStoreWriter) throws {
        for entry in active.entries {
            guard case .decision(let decision) = entry.finding, !appRules.policy(of: decision.winner.key.type, decision.field).mayLeaveOpen
            else { continue }
            try close(entry, at: configuration.wall, writer)
        }
    }

    /// Writes out what the transaction changed.
    ///
    /// - Returns: The number of its entry in the journal, where it has one.
    private func finish(_ writer: any ReplicaStoreWriter) throws -> UInt64? {
        for record in changed { try writer.setRecord(finish(record, writer)) }
        try seen.write(writer)
        if !changed.isEmpty || !inserted.isEmpty { try constraints.finish(writer) }
        for number in deliveries.delivered { try writer.removeEntry(number, from: .journal) }
        try finishLostEdits(writer)
        guard journal.keptEvents > 0 else { return nil }
        guard configuration.sink != nil else {
            try UnheardEvents.append(journal.encoded(), writer)
            return nil
        }
        metadata.journalNumber += 1
        try writer.setEntry(StoreEntry(number: metadata.journalNumber, content: journal.encoded()), in: .journal)
        return metadata.journalNumber
    }

    /// Brings the counts up to date with a changed record.
    private func finish(_ working: WorkingRecord, _ writer: any ReplicaStoreWriter) throws -> StoredRecord {
        let devices = working.record.devicesRemovedFrom
        if !devices.isEmpty {
            let arrived = try devices.compactMap { device in
                // Nothing may have arrived of it: a hub that was replaced is not given back the additions that were taken out again.
                let sequence = try sequenceSeen(of: device, writer)
                return sequence > 0 ? Dot(device: device, sequence: sequence) : nil
            }
            for write in working.record.forgetRemovals(arrived: VersionVector(arrived)) { try ForgottenRemovals.keep(write, writer) }
        }
        if working.record.keepsHistory { try UnsettledRecords.insert(working.key, writer) }
        metadata.remove(working.record.digest, isLive: working.record.isLive)
        if let fields = fieldIndex.fields(of: working.key.type) {
            let shown = working.record.shown(rules: rules)
            try FieldRows.update(working.key, fields: fields, from: working.shownBefore, to: shown, writer)
            working.shownBefore = nil
        }
        working.record.updateDigest(rules: rules, line: &line)
        metadata.add(working.record.digest, isLive: working.record.isLive)
        defer { working.lastWrite = nil }
        return working.record.stored(&encoder, lastWrite: working.lastWrite)
    }

    // MARK: Records

    /// A record as the transaction sees it, nil where it was never written.
    func record(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> ReplicaRecord? {
        try (cache.record(key) ?? read(key, reader))?.record
    }

    /// A record that is not in the cache, nil where it was never written.
    private func read(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> WorkingRecord? {
        let stored = try reader.record(key)
        isLikelyNew = stored == nil
        guard let stored else { return nil }
        let found = WorkingRecord(try ReplicaRecord(stored))
        cache.insert(found)
        return found
    }

    /// A record to be changed, empty where it was never written.
    func working(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> WorkingRecord {
        try cache.record(key) ?? prepare(key, reader)
    }

    /// A record to be changed that is not in the cache, empty where it was never written.
    private func prepare(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws -> WorkingRecord {
        if let found = try read(key, reader) { return found }
        let trace = try trace(of: key, reader)
        let remade = WorkingRecord(trace.map { ReplicaRecord($0, rules: rules) } ?? ReplicaRecord(key: key))
        cache.insert(remade)
        return remade
    }

    /// What is left of a record that was deleted and collected, nil where it never was.
    func trace(of key: RecordKey, _ reader: any ReplicaStoreReader) throws -> CollectedRecord? {
        metadata.collectedRecords == 0 ? nil : try CollectedRecord(key, reader)
    }

    /// Replaces a deleted record that every device has seen deleted by its trace.
    ///
    /// Should this replica write the record again, it must say that it had seen the delete; and a write of one that had not seen it must
    /// lose to it.
    func collect(_ record: ReplicaRecord, _ writer: any ReplicaStoreWriter) throws {
        cache.remove(record.key)
        try writer.removeRecord(record.key)
        let trace = CollectedRecord(record, rules: rules)
        try ForgottenRemovals.removeAll(of: record.key, seenBy: trace.writes.filter(\.isDelete), writer)
        if try trace.keep(writer) { metadata.collectedRecords += 1 }
    }

    /// Whether a write was merged.
    func hasMerged(_ dot: Dot, _ reader: any ReplicaStoreReader) throws -> Bool {
        try sequenceSeen(of: dot.device, reader) >= dot.sequence
    }

    /// The highest number seen of a device's writes: no hub gives lower ones later, but one that has got them back.
    private func sequenceSeen(of device: DeviceID, _ reader: any ReplicaStoreReader) throws -> UInt64 {
        try device == metadata.writer ? metadata.ownSeen : seen.sequence(of: device, reader)
    }

    /// Forgets what a record keeps of writes that are settled.
    ///
    /// What the record shows stays the same, so nobody is told.
    func forgetHistory(of key: RecordKey, settled: VersionVector, _ writer: any ReplicaStoreWriter) throws {
        guard let working = try cache.record(key) ?? read(key, writer) else { return try UnsettledRecords.remove(key, writer) }
        let (isSmaller, isDone) = working.record.forgetHistory(settled: settled, rules: rules)
        if isSmaller { try writer.setRecord(working.record.stored(&encoder, lastWrite: nil)) }
        if isDone { try UnsettledRecords.remove(key, writer) }
    }

    /// Makes a write of the device's own.
    ///
    /// - Parameter seen: What its author has seen of the record, where that is not all that is merged.
    /// - Throws: ``SyncLayerError`` where no other device could take it.
    func write(
        _ operation: TaggedWrite.Operation, to key: RecordKey, having seen: VersionVector? = nil, _ writer: any ReplicaStoreWriter
    ) throws -> Dot {
        let app = configuration.app
        if let problem = WriteLimits.problem(with: key) ?? WriteLimits.problem(with: operation)
            ?? app.flatMap({ WriteLimits.problem(name: $0, "the app's version") })
        {
            throw SyncLayerError(.invalidValue, "\(key.description.shortened) cannot be written: \(problem)")
        }
        guard metadata.sequence < WriteLimits.number else {
            throw SyncLayerError(
                .invalidValue,
                "the device \(device.rawValue.quoted) has given all its numbers, up to \(metadata.sequence): go on under another device name"
            )
        }
        metadata.sequence += 1
        let dot = Dot(device: metadata.writer, sequence: metadata.sequence)
        let timestamp = clock.now(wall: configuration.wall)
        func tagged(seen: VersionVector) -> TaggedWrite {
            TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: operation, seen: seen, app: app)
        }
        let known = cache.record(key)
        if known == nil, isLikelyNew, seen == nil {
            let write = tagged(seen: VersionVector())
            let encoded = encoded(write)
            if try insert(write, encoded: encoded, writer) {
                try enqueue(encoded, dot, writer)
                return dot
            }
        }
        let working = try known ?? prepare(key, writer)
        let write = tagged(seen: seen ?? working.record.seen(by: metadata.writer))
        let encoded = encoded(write)
        try keepTotals(before: write, working.record.state, writer)
        try merge(write, encoded: encoded, into: working, isLocal: seen != nil, writer)
        try enqueue(encoded, dot, writer)
        return dot
    }

    func enqueue(_ write: [UInt8], _ dot: Dot, _ writer: any ReplicaStoreWriter) throws {
        try writer.setEntry(StoreEntry(number: dot.sequence, content: write), in: .outbox)
        metadata.outboxWrites += 1
        metadata.outboxBytes += write.count
    }

    private func encoded(_ write: TaggedWrite) -> [UInt8] {
        encoder.begin()
        encoder.append(write)
        return encoder.bytes
    }

    /// Inserts the first write to a record without a look at whether it is the first: the store says so.
    ///
    /// - Returns: False, and nothing is changed, where it may not be.
    private func insert(_ write: TaggedWrite, encoded: [UInt8], _ writer: any ReplicaStoreWriter) throws -> Bool {
        guard let fields = write.fields, rules.keepWhole(write), try trace(of: write.key, writer) == nil else { return false }
        // They must not take the record for one that was there before.
        try constraints.refresh(writer)
        try fieldIndex.refresh(rules, writer)
        let (key, shown) = (write.key, fields.withoutNulls)
        let digest = StateDigest(of: key, fields: shown, line: &line)
        isLikelyNew = try writer.insertRecord(StoredRecord(insert: key, encoded: encoded, digest: digest, &encoder))
        guard isLikelyNew else { return false }
        metadata.add(digest, isLive: true)
        inserted.append(key)
        if let fields = fieldIndex.fields(of: key.type) { try FieldRows.update(key, fields: fields, from: nil, to: shown, writer) }
        try account(for: write, encoded: encoded, decisions: [], state: RecordState(insert: write), writer)
        return true
    }

    /// Merges a write into its record.
    ///
    /// - Parameters:
    ///   - encoded: The write as stores keep it, where that is known.
    ///   - isLocal: Whether the write is the local side of what it contends with, though it comes last.
    private func merge(
        _ write: TaggedWrite, encoded: [UInt8]?, into working: WorkingRecord, isLocal: Bool = false, _ writer: any ReplicaStoreWriter
    ) throws {
        // Afterwards nothing of a record that is deleted may be shown.
        let name = write.isDelete ? name(of: write.key, besides: [], in: working.record) : nil
        try markChanged(working, writer)
        var decisions = working.record.merge(write, rules: rules)
        if isLocal { decisions = decisions.map { $0.with(didArrivingWin: !$0.didArrivingWin) } }
        working.lastWrite = encoded
        try account(for: write, encoded: encoded, decisions: decisions, state: working.record.state, earlierName: name, writer)
    }

    /// Says that a record is about to be changed.
    private func markChanged(_ working: WorkingRecord, _ writer: any ReplicaStoreWriter) throws {
        if working.isChanged { return }
        try fieldIndex.refresh(rules, writer)
        working.shownBefore = fieldIndex.fields(of: working.key.type).flatMap { _ in working.record.shown(rules: rules) }
        working.isChanged = true
        changed.append(working)
    }

    func refreshIndex(_ writer: any ReplicaStoreWriter) throws { try fieldIndex.refresh(rules, writer) }

    /// Gives the unsent writes of a record their new names.
    func rename(_ key: RecordKey, _ renaming: Renaming, _ writer: any ReplicaStoreWriter) throws {
        let working = try cache.record(key) ?? prepare(key, writer)
        try markChanged(working, writer)
        working.record.rename(renaming)
        try ForgottenRemovals.rename(renaming, of: key, writer)
        working.lastWrite = nil
    }

    /// Reports findings anew under the new names of their writes, and lets go of those that wait for the app under the old ones.
    func renameFindings(
        _ findings: [Finding], about keys: Set<RecordKey>, _ renaming: Renaming, _ writer: any ReplicaStoreWriter
    ) throws {
        var reported: Set<ConflictID> = []
        var waiting: [Finding] = []
        for entry in keys.sorted().flatMap(active.entries) where entry.finding.isConcerned(by: renaming) {
            // One about two records comes twice.
            guard reported.insert(entry.finding.id).inserted else { continue }
            try active.remove(entry, writer)
            log(.resolved(entry.finding, at: configuration.wall, result: nil))
            waiting.append(entry.finding)
        }
        try lostEdits { try $0.rename(renaming.dot, StoredLostEdits(writer)) }
        for finding in waiting { try report(finding.renamed(renaming), writer) }
        for finding in findings where finding.isConcerned(by: renaming) && reported.insert(finding.id).inserted {
            let renamed = finding.renamed(renaming)
            try report(renamed, isStillPending: false, isNew: false, writer)
            // It was decided already.
            if renamed.isPending { try logResolution(of: renamed, at: configuration.wall, isNew: false, writer) }
            guard case .decision(let decision) = finding, let working = cache.record(decision.loser.key),
                let more = working.record.decisionOnBase(decision, renaming, rules: rules)
            else { continue }
            try report(.decision(more), writer)
        }
    }

    /// Numbers writes from now on under another name.
    func startWriter(_ new: DeviceID, after old: DeviceID, writes: Int, _ writer: any ReplicaStoreWriter) throws {
        if metadata.acknowledged > 0 { seen.insert(Dot(device: old, sequence: metadata.acknowledged)) }
        metadata.writer = new
        // One that the hub was never told of writes there under no name.
        metadata.predecessor = metadata.predecessor ?? old
        metadata.sequence = UInt64(writes)
        metadata.ownSeen = UInt64(writes)
        metadata.acknowledged = 0
        metadata.sent = 0
        metadata.outboxWrites = 0
        metadata.outboxBytes = 0
        metadata.setAsideWrites = 0
        metadata.unsentFindings = 0
        // They know the writes by their old names.
        try constraints.forget(writer)
    }

    /// Counts and logs a write that was merged, and the findings that it gave rise to.
    private func account(
        for write: TaggedWrite, encoded: [UInt8]?, decisions: [MergeDecision], state: @autoclosure () -> RecordState,
        earlierName: RecordName? = nil, _ writer: any ReplicaStoreWriter
    ) throws {
        if write.dot.device == metadata.writer {
            metadata.ownSeen = max(metadata.ownSeen, write.dot.sequence)
        } else {
            seen.insert(write.dot)
        }
        writes += 1
        if write.hasCausalContext { writesWithContext += 1 }
        if configuration.reportsWrites, configuration.sink != nil { journal.append(.write(write), encoded: encoded, isKept: true) }
        if !active.isEmpty { try close(decidedBy: write, writer) }
        if lost.hasLost(write.key) { try observeLostEdits(write, state(), writer) }
        for decision in decisions { try report(.decision(withReceipt(decision, writer)), earlierName: earlierName, writer) }
        for finding in try constraints.observe(state, writer, other: { try record($0, writer)?.state }) {
            try report(.constraint(finding), writer)
        }
    }

    /// Merges another device's write, in the hub's order.
    func applyRemote(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws -> Applied {
        if try isOfTwin(write, writer) {
            try becomeNewWriter(named: write.dot.device, because: "another copy of the store has sent what was unsent here", writer)
        }
        if write.dot.device == metadata.writer {
            guard try receiveOwn(write, writer) else { return try applyAgain(write, writer) ?? .merged }
        } else if try hasMerged(write.dot, writer), let outcome = try applyAgain(write, writer) {
            return outcome
        }
        let known = cache.record(write.key)
        if try known != nil || !isLikelyNew || !insert(write, encoded: encoded(write), writer) {
            try merge(write, encoded: nil, into: known ?? prepare(write.key, writer), writer)
        }
        if write.dot.device == metadata.writer {
            clock.goOn(after: write.timestamp)
            return .merged
        }
        do throws(HybridClock.LeadExceeded) {
            try clock.observe(write.timestamp, wall: configuration.wall)
            return .merged
        } catch {
            return .tooFarAhead
        }
    }

    /// Holds a write that comes again, where everything is fetched anew, against the one that was merged, and updates its position in the
    /// hub's order where that decides.
    ///
    /// - Returns: Nil where it was never merged: later ones of its device came first, for the hub had forgotten it, and got it back from
    ///   another device.
    private func applyAgain(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws -> Applied? {
        guard let working = try cache.record(write.key) ?? read(write.key, writer) else {
            return try trace(of: write.key, writer)?.merged.covers(write.dot) ?? false ? .merged : nil
        }
        if !working.record.merged.covers(write.dot) { return nil }
        let state = working.record.state
        if let held = state.heldWrites.first(where: { $0.hasSameDot(as: write) }), !held.isSameWrite(as: write) { return .misnamed }
        guard state.mustSetPosition(of: write, rules: rules) else { return .merged }
        try markChanged(working, writer)
        let decisions = working.record.merge(write, rules: rules)
        working.lastWrite = nil
        for decision in decisions { try report(.decision(decision), writer) }
        return .merged
    }

    /// Whether the clock is within the bounds that the hub's sets, as a sync has measured it, so that nothing needs to be written.
    func isBound(by measurement: ClockMeasurement) -> Bool {
        hubOffset = measurement.offsetMilliseconds
        return clock.isBound(by: measurement, at: configuration.wall)
    }

    /// Bounds the clock by the hub's, as a sync has measured it.
    func bound(by measurement: ClockMeasurement, _ writer: any ReplicaStoreWriter) throws {
        try clock.bound(by: measurement, at: configuration.wall, writer)
    }

    /// Changes the counts that are kept beside the records.
    func updateMetadata(_ update: (inout ReplicaMetadata) -> Void) { update(&metadata) }

    /// Logs what waits to be sent where its size has passed the level of a warning, either way.
    private func logOutbox(since before: ReplicaMetadata, _ reader: any ReplicaStoreReader) throws {
        let level = configuration.outboxLimits.queuedBytesWarning
        guard (before.outboxBytes > level) != (metadata.outboxBytes > level) else { return }
        log(.outbox(try metadata.outboxStatus(warningBytes: level, reader), at: configuration.wall))
    }

    /// Appends an event to the journal.
    func log(_ event: JournalEvent) { journal.append(event, isKept: configuration.sink != nil || event.isAboutConflict) }

    // MARK: Findings

    /// - Parameters:
    ///   - isNew: False where it was reported before, under other names of writes.
    ///   - earlierName: What the record was called before the write that brought the finding to light.
    private func report(
        _ finding: Finding, isStillPending: Bool = true, isNew: Bool = true, earlierName: RecordName? = nil,
        _ writer: any ReplicaStoreWriter
    ) throws {
        let name = try name(
            of: finding.key, besides: [finding.winner, finding.loser], earlier: earlierName, in: record(finding.key, writer))
        log(.found(finding, name))
        try keepIfUnsent(finding, writer)
        if isNew, !finding.isPending { try keepLostEdit(of: finding, called: name, writer) }
        guard finding.isPending, isStillPending else { return }
        metadata.activeNumber += 1
        try active.insert(finding, number: metadata.activeNumber, writer)
    }

    /// Closes the conflicts that waited for the app and that a write has decided.
    private func close(decidedBy write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws {
        for entry in active.entries(about: write.key) {
            guard try !entry.finding.isOpen(rules: rules, record: { try record($0, writer)?.state }) else { continue }
            try close(entry, at: write.timestamp.milliseconds, writer)
        }
    }

    private func close(_ entry: ActiveFindings.Entry, at milliseconds: Int64, _ writer: any ReplicaStoreWriter) throws {
        try active.remove(entry, writer)
        try logResolution(of: entry.finding, at: milliseconds, writer)
    }

    private func logResolution(
        of finding: Finding, at milliseconds: Int64, isNew: Bool = true, _ writer: any ReplicaStoreWriter
    ) throws {
        let shown = try record(finding.conflict(classifier).key, writer)?.shown(rules: rules)
        let result = finding.field.map { shown?[$0] } ?? shown.map(FieldValue.object)
        log(.resolved(finding, at: milliseconds, result: result))
        if isNew { try keepLostEdit(of: finding, decidedAs: result, writer) }
    }
}
