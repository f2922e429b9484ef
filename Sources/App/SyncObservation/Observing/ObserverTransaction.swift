import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncSystem

/// One step of an observer: reads and changes the shadow, and collects what the sink is to be told once that is committed.
struct ObserverTransaction {
    let configuration: SyncObserver.Configuration
    let access: any ShadowAccess
    /// When it happens, in milliseconds since 1970.
    let milliseconds: Int64
    var state: ObserverState
    private(set) var entries: [JournalEntry] = []
    /// How many of them were taken up.
    private var takenUp = 0
    /// How old the versions were that arrived, in milliseconds, where their stamps say when they were made.
    var delays: [Int64] = []
    /// What the next stamps are made of once this is committed.
    private(set) var changes = StampCache.Changes()
    private let cache: Locked<StampCache>
    private let stateBefore: ObserverState?
    /// The list of lost edits as it is with this step.
    var lost: LostEditList
    /// Whether the step has changed that list, as far as it was committed.
    private(set) var haveLostEditsChanged = false

    /// Whether the shadow has just been made.
    var isFirst: Bool { stateBefore == nil }

    init(
        _ access: any ShadowAccess, _ cache: Locked<StampCache>, _ lost: Locked<LostEditList>, _ configuration: SyncObserver.Configuration,
        at time: WallTime
    ) throws {
        self.lost = lost.withLock { $0 }
        self.access = access
        self.cache = cache
        self.configuration = configuration
        milliseconds = time.millisecondsSince1970
        stateBefore = try access.state().map { content throws(SyncObservationError) in
            try decoding("what it knows of its device") { () throws(CodingFailure) in try ObserverState(encoded: content) }
        }
        state = stateBefore ?? ObserverState(writer: configuration.device, installation: configuration.installation)
    }

    /// Writes what has changed.
    ///
    /// - Returns: The number in the journal of the last entry; nil without entries.
    mutating func commit() throws -> Int64? {
        try finishLostEdits()
        changes.state = state
        if state != stateBefore { try access.setState(state.encoded) }
        var last: Int64?
        for entry in entries { last = try access.appendToJournal(entry.encoded) }
        return last
    }

    /// What is known of a record; nil where nothing is.
    func record(_ key: RecordKey) throws -> RecordShadow? {
        try access.record(key).map { try RecordShadow($0, of: key) }
    }

    /// Takes note that the list of lost edits has changed.
    mutating func noteLostEditsChanged() { haveLostEditsChanged = true }

    /// Changes what is known of a record, where anything is.
    mutating func change(_ key: RecordKey, _ body: (inout RecordShadow) -> Void) throws {
        guard var record = try record(key) else { return }
        body(&record)
        try setRecord(key, record)
    }

    /// - Parameter merge: The versions by which the record has changed, where that was a merge.
    mutating func setRecord(_ key: RecordKey, _ record: RecordShadow, after merge: RecordedMerge? = nil) throws {
        try removeLostEdits(of: key, shownBy: record)
        try takeUpConflicts(of: key, record, after: merge)
        if configuration.level(of: key.type).isStamped { changes.records[key] = record }
        try access.setRecord(key, record.encoded)
    }

    /// Takes up the conflicts that a step has found: what their record is called after it, or before it where that shows nothing, and the
    /// edits that they have lost.
    private mutating func takeUpConflicts(of key: RecordKey, _ record: RecordShadow, after merge: RecordedMerge?) throws {
        let rules = configuration.auditRules
        while takenUp < entries.count {
            let index = takenUp
            takenUp += 1
            guard case .conflict(let decision, let basis, let doubt, _) = entries[index] else { continue }
            var name: RecordName?
            if rules.namesRecords {
                name =
                    try merge?.name(rules)
                    ?? rules.name(of: key, besides: [decision.winner, decision.loser]) { field in
                        try record.fields[field]?.current?.value ?? self.record(key)?.fields[field]?.current?.value
                    }
                entries[index] = .conflict(decision, basis, doubt, name)
            }
            try keepLostEdit(of: decision, basis, called: name)
        }
    }

    /// A name for the next write; its number is left out where what follows is undone.
    func nextDot() -> Dot { Dot(device: state.writer, sequence: cache.withLock { $0.numbers.take() }) }

    /// Gives no number again that the store has in a stamp.
    func skipNumbers(through number: UInt64) { cache.withLock { $0.numbers.skip(through: number) } }

    /// Whether this device may have given a number to a write.
    func wasGiven(_ number: UInt64) -> Bool { cache.withLock { number < $0.numbers.next } }

    mutating func tell(_ entry: JournalEntry) { entries.append(entry) }

    /// Goes on under another name: what the shadow calls its own was made by an earlier life of this device, and may have been exported by
    /// it since.
    mutating func becomeNewWriter() throws {
        takeAnotherName()
        state.begun = max(state.begun, state.transaction)
        state.open = nil
        try replaceRecords { $0.disown() }
    }

    mutating func takeAnotherName() { state.writer = configuration.device.writer(UInt32.random(in: 0 ... .max)) }

    /// Changes every record.
    private mutating func replaceRecords(_ body: (inout RecordShadow) -> Void) throws {
        changes.records = [:]
        changes.isEveryRecord = true
        try access.replaceRecords { key, content in
            var record = try RecordShadow(content, of: key)
            body(&record)
            return record.encoded
        }
    }

    /// Takes note that no record is shown any more.
    mutating func emptyStore() throws {
        let state = state
        // They are not for the eyes of who comes next.
        forgetLostEdits(LostEditLimits(count: 0))
        try replaceRecords { record in
            record.dropUnsent(state)
            record.remove()
            // The server's version may come once more.
            record.serverNumber = 0
        }
    }
}

/// Reads a part of the shadow.
func decoding<Value>(_ part: String, _ body: () throws(CodingFailure) -> Value) throws(SyncObservationError) -> Value {
    do throws(CodingFailure) { return try body() } catch {
        throw SyncObservationError(
            .damaged,
            "the shadow is damaged: \(part) cannot be read (\(error.problem)); remove its file and give the device another name, and all "
                + "that was seen is forgotten",
            underlying: error)
    }
}

extension RecordShadow {
    /// Reads what the shadow's row of a record holds.
    init(_ content: [UInt8], of key: RecordKey) throws(SyncObservationError) {
        self = try decoding("its record \(key)") { () throws(CodingFailure) in try RecordShadow(encoded: content) }
    }

    /// Takes what this device saved as saved by an earlier life of it: exported for all that is known.
    fileprivate mutating func disown() {
        func disown(_ version: inout HeldVersion?) { if version?.isOwn == true { version?.transaction = .min } }
        for name in fields.keys {
            disown(&fields[name, default: FieldShadow()].current)
            disown(&fields[name, default: FieldShadow()].pending)
            for index in fields[name, default: FieldShadow()].exported.indices {
                fields[name, default: FieldShadow()].exported[index].transaction = .min
            }
        }
        disown(&deletion)
        if returningDelete != nil { returningDelete = .min }
    }
}
