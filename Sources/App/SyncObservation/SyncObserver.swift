public import ConflictAudit
import SyncBytes
import SyncMerge
public import SyncModel
public import SyncMonitoring
import SyncSystem

/// Watches somebody else's sync engine on one device, and reports what it throws away.
///
/// The engine decides and says nothing. An observer is told what goes by: saves, exports, arrivals, deletes. It keeps a shadow of what this
/// device last wrote and last got for each field, and from that finds the conflicts. It decides nothing and never touches the app's data.
///
/// ```swift
/// let observer = try SyncObserver(configuration, shadow: .file(path: shadowPath), sink: log)
/// try observer.saved([LocalChange(key, .put(["title": "Plan"]), isNew: true)], transaction: 41)
/// ```
///
/// Events go to the sink once the shadow holds what they follow from, and stay in its journal until the sink has them. What a killed
/// process had not told is told when the shadow is next opened. Each conflict is told exactly once to a sink with a
/// `AuditSink.conflictKeeper`, such as a log: the shadow forgets a conflict only when the keeper has put it where the end of the process
/// cannot take it, and what is in the journal of an earlier process is told unless the keeper finds it. So a kill before that loses at most
/// what is told again, and a kill after it repeats nothing. Other events may come twice, as conflicts may to a sink without a keeper, with
/// the same identifier. Open the observer before the engine, so that no export begins unseen.
///
/// Thread-safe. Calls block for the length of a transaction, and the sink is called by the calling thread.
public final class SyncObserver: Sendable {
    /// Where a shadow is kept.
    public enum ShadowLocation: Hashable, Sendable {
        /// In memory, gone with the process.
        case memory
        /// In a SQLite file, beside the app's own store; its directory must exist.
        case file(path: String)
    }

    /// What the observer was told of device, model and engine.
    public let configuration: Configuration

    /// The name of the store that its steps of sync carry in the log, which is that of ``writer`` when the shadow was opened; nil where the
    /// store is the device's first.
    public let store: DeviceID?

    let storage: any ShadowStorage
    /// Held from before a change of the shadow until the cache shows it, so that both change in one order.
    private let turn = Locked(())
    private let cache: Locked<StampCache>
    private let lost: Locked<LostEditList>
    let lostEditObservers = LostEditObservers()
    private let auditor: ConflictAuditor
    private let sink: any AuditSink
    private let wallClock: WallClock
    /// The conflicts that were told and may wait in the sink.
    private let unconfirmed = Locked<Set<ConflictID>>([])
    private let starts = Locked<[SyncActivity.Phase: WallTime]>([:])
    private let deliveries = Locked(Deliveries())
    private let storeSize = Locked(StoreSizing())
    /// What the sink was told that is not observed, without the reasons.
    private let unobserved = Locked<Set<UnobservedField>>([])
    /// Called between the steps of an operation; tests end the process there.
    private let interruption: @Sendable (Step) throws -> Void

    /// The steps between which a process may end.
    package enum Step: Hashable, Sendable, CaseIterable {
        /// The shadow has been changed, and not committed.
        case beforeCommit
        /// It has been committed, and the sink not told.
        case beforeTelling
        /// The sink has been told, and the shadow not.
        case afterTelling
        /// The sink has what it was told, and the shadow does not know it.
        case afterConfirming
    }

    /// Opens a shadow, makes it where there is none, and tells the sink what an earlier process could not.
    ///
    /// - Parameters:
    ///   - configuration: What is known of device, model and engine.
    ///   - shadow: Where the shadow is kept.
    ///   - sink: Where events go.
    ///   - wallClock: The device's time of day.
    /// - Throws: ``SyncObservationError``: the shadow is damaged, was written by a later version, or cannot be written to.
    public convenience init(
        _ configuration: Configuration, shadow: ShadowLocation, sink: some AuditSink, wallClock: @escaping WallClock = systemWallClock
    ) throws {
        let storage: any ShadowStorage =
            switch shadow {
            case .memory: MemoryShadow()
            case .file(let path): try DatabaseShadow(path: path)
            }
        try self.init(configuration, storage: storage, sink: sink, wallClock: wallClock)
    }

    /// The same over a shadow in memory that outlives the observer.
    package convenience init(
        _ configuration: Configuration, memory: MemoryShadow, sink: some AuditSink, wallClock: @escaping WallClock,
        interruption: @escaping @Sendable (Step) throws -> Void = { _ in }
    ) throws {
        try self.init(configuration, storage: memory, sink: sink, wallClock: wallClock, interruption: interruption)
    }

    /// The same over a shadow in a file, with a look in between the steps.
    package convenience init(
        _ configuration: Configuration, path: String, sink: some AuditSink, wallClock: @escaping WallClock,
        interruption: @escaping @Sendable (Step) throws -> Void
    ) throws {
        try self.init(configuration, storage: DatabaseShadow(path: path), sink: sink, wallClock: wallClock, interruption: interruption)
    }

    private init(
        _ configuration: Configuration, storage: any ShadowStorage, sink: some AuditSink, wallClock: @escaping WallClock,
        interruption: @escaping @Sendable (Step) throws -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        self.storage = storage
        self.sink = sink
        self.wallClock = wallClock
        self.interruption = interruption
        auditor = ConflictAuditor(rules: configuration.auditRules, sink: sink)
        let cache = Locked(StampCache(configuration))
        self.cache = cache
        let lost = Locked(LostEditList())
        self.lost = lost
        let (untold, changes, writer) = try storage.write(isDurable: true) { access in
            var transaction = try ObserverTransaction(access, cache, lost, configuration, at: wallClock())
            _ = try transaction.lostEdits { try $0.refresh(access) }
            transaction.forgetLostEdits(configuration.lostEditLimits)
            if transaction.isFirst, configuration.isOfAnotherStore { transaction.takeAnotherName() }
            // Any number below may have been given before a power failure.
            cache.withLock { [reserved = transaction.state.reserved] in $0.numbers = WriteNumbers(from: reserved) }
            transaction.state.reserved = cache.withLock { $0.numbers.bound(for: 0) }
            // A shadow that has just been made has no records.
            if transaction.isFirst { cache.withLock { _ = $0.keep([], isLast: true, since: $0.losses) } }
            if transaction.state.installation != configuration.installation {
                transaction.state.installation = configuration.installation
                try transaction.becomeNewWriter()
            }
            // An export that was under way may have taken up all that was saved until the process ended.
            if transaction.state.open != nil {
                transaction.state.begun = max(transaction.state.begun, transaction.state.transaction)
                transaction.state.open = nil
            }
            _ = try transaction.commit()
            lost.withLock { [list = transaction.lost] in $0 = list }
            let untold = try access.journal().map { row in (row.number, try journalEntry(row.content)) }
            return (untold, transaction.changes, transaction.state.writer)
        }
        store = configuration.isOfAnotherStore ? writer : nil
        show(changes)
        let ids = Set(untold.compactMap(\.1.conflict))
        let kept = ids.isEmpty ? [] : sink.conflictKeeper?.keptConflicts(among: ids) ?? []
        _ = try tell(untold.map(\.1).filter { entry in entry.conflict.map { !kept.contains($0) } ?? true }, through: untold.last?.0)
    }

    /// The name under which this device writes: the configured one, or one made from it once the shadow was put back from a backup.
    public var writer: DeviceID {
        get throws { try perform { $0.state.writer } }
    }

    /// The latest transaction reported as saved, 0 before the first: where to go on from in the store's history.
    public var lastTransaction: Int64 {
        get throws { try perform { $0.state.transaction } }
    }

    /// What this observer has found since it was opened.
    public var statistics: ConflictStatistics { auditor.statistics }

    // MARK: Saving

    /// Makes the stamps for a put that is about to be saved, to be set in the same save.
    ///
    /// Call it for the fields that really change, and save what it returns with them: the stamps name the version, and an abandoned save
    /// leaves a gap in the numbers of this device's writes.
    ///
    /// - Returns: The attributes that hold stamps, and their values; empty where the model has none.
    public func stamps(for change: LocalChange) throws -> FieldMap { try stamps(for: [change]).first ?? FieldMap() }

    /// Makes the stamps for all puts of one save.
    ///
    /// Nothing is written: the numbers that name these versions were reserved when the shadow was opened or the history was last reported,
    /// so that none is given twice, not even after a power failure; a save waits for the disk only where 5,000 were given since a save or
    /// an arrival was last reported. Nothing is read either once ``prepareStamps()`` has been called, unless the shadow has more records
    /// than fit into the eight megabytes that are kept in memory, some 40,000 of four fields, or stamps name more than a megabyte of
    /// devices: then some are read when they are saved.
    ///
    /// - Returns: For each change, the attributes that hold stamps, and their values.
    public func stamps(for changes: [LocalChange]) throws -> [FieldMap] {
        guard changes.contains(where: { configuration.level(of: $0.key.type).isStamped }) else { return changes.map { _ in FieldMap() } }
        let now = wallClock()
        var stamps = cache.withLock { $0.stamps(for: changes, at: now) }
        while stamps == nil {
            let (count, hasRoom) = cache.withLock { cache in
                let count = cache.maximumNumbers(for: changes)
                return (count, cache.numbers.hasRoom(for: count))
            }
            if !hasRoom { try reserveNumbers(for: count) }
            stamps = try turn.withLock { _ in
                let missing = cache.withLock { $0.missing(changes) }
                let read = try storage.write(isDurable: false) { access in
                    let step = try ObserverTransaction(access, cache, lost, configuration, at: now)
                    return try missing.map { ($0, try step.record($0)) }
                }
                return cache.withLock { $0.stamps(for: changes, reading: Dictionary(read) { $1 }, at: now) }
            }
        }
        return stamps ?? []
    }

    /// Reads what stamps are made of, so that the thread that saves need not: all records, or as many as are kept in memory.
    ///
    /// Call it once, in the background, before the app's first save. Saves go on meanwhile.
    ///
    /// - Complexity: O(*n*) in the records of the shadow, some 5 µs each.
    public func prepareStamps() throws {
        guard configuration.isStamped else { return }
        let losses = cache.withLock { cache in
            cache.needsReading = false
            return cache.losses
        }
        var last: RecordKey?
        while try readAhead(after: &last, since: losses) {}
    }

    /// Takes note of a local save.
    ///
    /// - Parameters:
    ///   - changes: What it did, one for each record.
    ///   - transaction: The store's own number for it, higher than all before, 1 or more; nil where it has none. A save that is reported
    ///     again with its number is known as such.
    ///   - time: When it was made; now unless given.
    /// - Returns: The conflicts with arrivals that the editing context had not shown, which go to the sink too.
    @discardableResult
    public func saved(_ changes: [LocalChange], transaction: Int64? = nil, at time: WallTime? = nil) throws -> [ObservedConflict] {
        try report(at: time) { step in
            let number = transaction ?? step.state.transaction + 1
            if number > step.state.transaction {
                deliveries.withLock { [milliseconds = step.milliseconds] in
                    $0.saved(changes.map(\.key), in: number, at: milliseconds)
                }
            }
            for change in changes { try step.save(change, in: number) }
        }
    }

    // MARK: Exporting

    /// Takes note that an export begins; whoever calls it before the engine sends has proof for what was saved later.
    ///
    /// That is durable when this returns: nothing that may have been sent counts as unsent after a power failure.
    public func exportBegan(_ scope: ExportScope = .everything) throws {
        try perform(isDurable: true) { step in
            switch scope {
            case .everything:
                step.state.beginExport(through: step.state.transaction)
                step.state.open = step.state.open ?? step.state.transaction
            case .transactions(let through): step.state.beginExport(through: through)
            case .records(let keys): for key in keys { try step.change(key) { $0.beginExport() } }
            }
        }
        if case .records(let keys) = scope { deliveries.withLock { $0.exportBegan(of: keys) } }
        recordActivity(.export, .started)
    }

    /// Takes note that an export ended well.
    ///
    /// - Parameter through: The last transaction that the server has taken; nil for all that had been saved when an export of everything
    ///   began, and for exports whose records are acknowledged one by one.
    public func exportSucceeded(through: Int64? = nil) throws {
        let taken = try perform { step in
            let taken = through ?? step.state.open
            if let taken { step.state.ended = max(step.state.ended, taken) }
            step.closeExport()
            return taken
        }
        if let taken {
            let now = wallClock().millisecondsSince1970
            deliveries.withLock { $0.exportEnded(through: taken, at: now) }
        }
        recordActivity(.export, .succeeded)
    }

    /// Takes note that an export ended badly: what had begun may have reached the server all the same.
    ///
    /// - Parameter error: A sentence on what went wrong.
    public func exportFailed(_ error: String) throws {
        try perform { $0.closeExport() }
        recordActivity(.export, .failed, error: error)
    }

    /// Takes note that an export may have begun and ended unseen: what was saved until now may have reached the server.
    ///
    /// That is durable when this returns. The log has no line of it.
    public func exportMayHavePassed() throws {
        try perform(isDurable: true) { step in
            step.state.beginExport(through: step.state.transaction)
            step.closeExport()
        }
    }

    /// Takes note of records that the server has taken, as they were when their export began.
    ///
    /// With the server's numbers it also tells the log which writes each version holds: together with the logs of the other devices that
    /// proves what none can prove alone.
    public func acknowledged(_ records: [Acknowledgement]) throws {
        _ = try report(at: nil) { step in
            for record in records { try step.acknowledge(record) }
        }
        let now = wallClock().millisecondsSince1970
        deliveries.withLock { $0.acknowledged(records.map(\.key), at: now) }
    }

    // MARK: Importing

    /// Takes note that an import begins.
    public func importBegan() { recordActivity(.import, .started) }

    /// Takes note that an import ended.
    ///
    /// - Parameter error: A sentence on what went wrong; nil where nothing did.
    public func importEnded(error: String? = nil) { recordActivity(.import, error == nil ? .succeeded : .failed, error: error) }

    /// Takes note of versions that came from the server and are now in the store.
    ///
    /// - Parameters:
    ///   - arrivals: The versions, in the order in which they came.
    ///   - time: When they came; now unless given.
    /// - Returns: The conflicts found, which go to the sink too.
    @discardableResult
    public func arrived(_ arrivals: [Arrival], at time: WallTime? = nil) throws -> [ObservedConflict] {
        try report(at: time) { step in
            var news = 0
            for arrival in arrivals where try step.arrive(arrival) { news += 1 }
            if news > 0 {
                step.tellArrivals(news)
                deliveries.withLock { [delays = step.delays] in $0.arrived(news, delays: delays) }
            }
        }
    }

    /// Takes note of three versions that met: a save that the server refused because the record had changed there.
    ///
    /// The ancestor must be the newest version of the record that the server had given or taken before the client's edit; where the shadow
    /// shows that it is not, or that an edit was not reported, the conflict is only suspected. Call this before the app merges. What its
    /// store then shows of the server's version, report as an arrival, and what it makes itself, as a save. Stamps belong to the versions
    /// like other fields.
    ///
    /// - Returns: The conflicts found, which go to the sink too, together with the versions.
    @discardableResult
    public func merged(_ merge: RecordedMerge) throws -> [ObservedConflict] {
        try report(at: merge.time) { try $0.merge(merge) }
    }

    // MARK: Surroundings

    /// Takes note that edits of a field, or deletes of a record type, cannot be told; the sink hears of each once.
    ///
    /// - Parameters:
    ///   - field: The field; nil where it is the deletes of the type.
    ///   - type: The record type.
    ///   - reason: Why, and what to do about it, as a sentence without its full stop.
    public func cannotObserve(_ field: FieldName?, of type: RecordType, because reason: @autoclosure () -> String) {
        let gap = UnobservedField(type: type, field: field, reason: "")
        guard unobserved.withLock({ $0.insert(gap).inserted }) else { return }
        sink.record(AuditEvent(at: wallClock(), .log(.unobserved(UnobservedField(type: type, field: field, reason: reason())))))
    }

    /// Takes note of the account's status.
    public func accountChanged(_ status: AccountStatus) { sink.record(AuditEvent(at: wallClock(), .account(status: status.rawValue))) }

    /// Takes note that the engine has emptied the store, as it does for another account: what waited is gone, and what comes next replaces
    /// nothing.
    ///
    /// What the store has held and exported is remembered, for the same records may come back.
    ///
    /// - Complexity: O(*n*) in the records of the shadow.
    public func storeEmptied() throws {
        deliveries.withLock { $0.forgetWaiting() }
        try perform { try $0.emptyStore() }
    }

    /// Takes note that the store holds records of which this observer was never told, as where a later version of an app brings the
    /// observer.
    ///
    /// Call it once, before anything else. What replaces an edit may then be a version that the store had shown before: of records that are
    /// older than the observer, conflicts that only this would rule out are suspected, not proven.
    public func storeHoldsOlderRecords() throws {
        try perform { $0.state.hasOlderRecords = true }
    }

    /// Has the size of the store told in the log, beside the first import or export that ends well after each start, and then once a day at
    /// most.
    ///
    /// Reports say from it how fast the store grows, and when it will have all of the storage.
    ///
    /// - Parameter bytes: Measures the store's files, assets included, and returns nil where that fails; called by the thread that reports
    ///   the end of the import or the export.
    public func measureStore(_ bytes: @escaping @Sendable () -> Int64?) { storeSize.withLock { $0 = StoreSizing(bytes: bytes) } }

    /// Takes note of the network's status.
    public func networkChanged(_ status: NetworkStatus) {
        let interface = status.isConnected ? status.connectionType.rawValue : nil
        sink.record(AuditEvent(at: wallClock(), .network(status: status.isConnected ? "connected" : "disconnected", interface: interface)))
    }

    // MARK: Restoring

    /// The value that a conflict discarded, as a change for the app to make in its own editing context.
    ///
    /// The value comes from the shadow, whatever the log leaves out. The observer itself writes nothing: what the app saves is reported
    /// like any save.
    ///
    /// - Throws: ``SyncObservationError`` with ``SyncObservationError/Code/notFound`` where the shadow does not hold the conflict's lost
    ///   value.
    public func proposedChange(restoring conflict: ConflictID) throws -> ProposedChange {
        let lost = try storage.write(isDurable: false) { try $0.lostValue(conflict.rawValue) }
        guard let lost else {
            throw SyncObservationError(
                .notFound,
                "the shadow on this device holds no value that was lost in conflict \(conflict): ask the device whose log reports it, or raise "
                    + "maximumLostValues, which is \(configuration.maximumLostValues)")
        }
        let value = try decoding("the value lost in conflict \(conflict)") { () throws(CodingFailure) in try LostValue(encoded: lost) }
        return ProposedChange(
            conflict: conflict, key: value.key, field: value.value == nil ? nil : value.field, value: value.value,
            time: WallTime(millisecondsSince1970: value.milliseconds))
    }

    // MARK: Steps

    func perform<Result: Sendable>(
        isDurable: Bool = false, _ body: (inout ObserverTransaction) throws -> Result
    ) throws -> Result {
        try change(isDurable: isDurable, at: wallClock(), body).result
    }

    private func report(at time: WallTime?, _ body: (inout ObserverTransaction) throws -> Void) throws -> [ObservedConflict] {
        let (_, entries, last) = try change(isDurable: false, at: time ?? wallClock(), body)
        return try tell(entries, through: last)
    }

    /// Changes the shadow, and the cache when that is committed; reserves numbers before any is told.
    private func change<Result: Sendable>(
        isDurable: Bool, at time: WallTime, _ body: (inout ObserverTransaction) throws -> Result
    ) throws -> (result: Result, entries: [JournalEntry], last: Int64?) {
        let (result, entries, last, haveLostEditsChanged) = try turn.withLock { _ in
            let (result, entries, last, changes, list) = try storage.write(isDurable: isDurable) { access in
                var step = try ObserverTransaction(access, cache, lost, configuration, at: time)
                let result = try body(&step)
                let last = try step.commit()
                try interruption(.beforeCommit)
                return (result, step.entries, last, step.changes, step.haveLostEditsChanged ? step.lost : nil)
            }
            show(changes)
            if let list { lost.withLock { $0 = list } }
            return (result, entries, last, list != nil)
        }
        if haveLostEditsChanged { lostEditObservers.tell() }
        let (isLow, needsReading) = cache.withLock { ($0.numbers.isLow, $0.needsReading) }
        if isLow { try reserveNumbers(for: 0) }
        if needsReading { try prepareStamps() }
        return (result, entries, last)
    }

    /// Lets the cache show what was committed, so many records at a time that no save waits long.
    private func show(_ changes: StampCache.Changes) {
        cache.withLock { $0.apply(changes) }
        var records = changes.records.map { (key: $0.key, record: $0.value) }[...]
        while !records.isEmpty {
            let part = records.prefix(500)
            cache.withLock { $0.keep(part) }
            records = records.dropFirst(500)
        }
    }

    /// Reserves so many numbers, and a batch for what follows, so that no process that opens the shadow later gives them again.
    private func reserveNumbers(for count: Int) throws {
        _ = try change(isDurable: true, at: wallClock()) { step in step.state.reserved = cache.withLock { $0.numbers.bound(for: count) } }
    }

    /// Reads some more records for stamps.
    ///
    /// - Parameters:
    ///   - last: The record that was read last; nil before the first.
    ///   - losses: How often the cache had forgotten records before the first.
    /// - Returns: Whether there may be more, and room for them.
    private func readAhead(after last: inout RecordKey?, since losses: Int) throws -> Bool {
        let limit = 500
        let (hasRoom, end) = try turn.withLock { _ in
            let records = try storage.write(isDurable: false) { [last] access in
                try access.records(after: last, limit: limit).map { key, content in (key: key, record: try RecordShadow(content, of: key)) }
            }
            let isLast = records.count < limit
            let hasRoom = cache.withLock { $0.keep(records, isLast: isLast, since: losses) }
            return (hasRoom && !isLast, records.last?.key)
        }
        last = end
        return hasRoom
    }

    /// Tells the sink, and takes note of that.
    private func tell(_ entries: [JournalEntry], through last: Int64?) throws -> [ObservedConflict] {
        guard let last else { return [] }
        try interruption(.beforeTelling)
        var found: [ObservedConflict] = []
        for entry in entries {
            switch entry {
            case .write(let write):
                auditor.recordWrites(withContext: write.hasCausalContext ? 1 : 0)
                sink.record(AuditEvent(at: write.timestamp.milliseconds, .write(write)))
            case .conflict(let decision, let basis, let doubt, let name):
                found += auditor.record([decision], basis: basis, names: [name]).map { ObservedConflict(conflict: $0, doubt: doubt) }
            case .merge(let merge): sink.record(AuditEvent(at: merge.time, .merge(merge)))
            case .acknowledgement(let acknowledgement, let milliseconds):
                sink.record(AuditEvent(at: milliseconds, .acknowledgement(acknowledgement)))
            case .forgotten(let count, let milliseconds): sink.record(AuditEvent(at: milliseconds, .log(.forgotten(count))))
            case .arrivals(let change, let milliseconds): sink.record(AuditEvent(at: milliseconds, .remoteChange(change)))
            }
        }
        try interruption(.afterTelling)
        guard confirms(Set(found.map(\.conflict.id))) else { return found }
        try interruption(.afterConfirming)
        try storage.write(isDurable: false) { try $0.removeFromJournal(through: last) }
        return found
    }

    /// Whether nothing that was told waits in the sink any more, as far as it can say; until then the journal is kept.
    ///
    /// What the keeper does not find then, the sink has dropped; a log counts it in a line of its own. It is not looked for again, so that
    /// one dropped line does not make every later one cost a look through the whole log.
    private func confirms(_ told: Set<ConflictID>) -> Bool {
        guard let keeper = sink.conflictKeeper else { return true }
        let ids = unconfirmed.withLock { unconfirmed in
            unconfirmed.formUnion(told)
            return unconfirmed
        }
        if ids.isEmpty { return true }
        guard keeper.keptConflicts(among: ids) != nil else { return false }
        return unconfirmed.withLock { unconfirmed in
            unconfirmed.subtract(ids)
            return unconfirmed.isEmpty
        }
    }

    private func recordActivity(_ phase: SyncActivity.Phase, _ activity: SyncActivity.State, error: String? = nil) {
        let now = wallClock()
        let start = starts.withLock { starts in
            let start = starts[phase] ?? now
            starts[phase] = activity == .started ? now : nil
            return start
        }
        let duration = activity == .started ? .zero : max(.zero, start.duration(to: now))
        let moved = activity == .started ? Deliveries.Moved() : deliveries.withLock { $0.takeMoved(phase) }
        let measure = activity == .succeeded ? storeSize.withLock { $0.due(at: now.millisecondsSince1970) } : nil
        sink.record(
            AuditEvent(
                at: now,
                .sync(
                    SyncActivity(
                        phase: phase, state: activity, writes: moved.writes, bytes: 0, duration: duration, error: error,
                        delays: moved.delays.count > 0 ? moved.delays : nil, storeBytes: measure?(), device: store))))
    }
}

private func journalEntry(_ content: [UInt8]) throws(SyncObservationError) -> JournalEntry {
    try decoding("its journal") { () throws(CodingFailure) in try JournalEntry(encoded: content) }
}
