import ConflictAudit
import SyncModel
import SyncMonitoring
import SyncObservation
import SyncSimulation

/// One history of a few devices that share a database through an engine that says nothing.
struct CloudWorld {
    /// How the engine behaves in this history.
    struct Engine {
        enum ExportKind: CaseIterable {
            case everything
            case transactions
            case records
        }

        var policy: CloudDatabase.SavePolicy
        /// Whether a field that waits to be exported keeps its local value when another arrives.
        var keepsPending: Bool
        /// Whether an arriving record also replaces waiting fields that it does not change.
        var overwritesUnchanged: Bool
        /// Whether a field that an arrival has overwritten is sent all the same.
        var resendsOverwritten: Bool
        var exports: ExportKind
        var ownExportsReturn: Bool
        var givesNumbers: Bool
        /// Whether an acknowledgement makes an older version the ancestor of what comes.
        var keepsOlderBase: Bool
        /// Whether the app tells its observer what a merge has put into the store.
        var tellsMerges = true
        var values: Int
    }

    let seed: UInt64
    let engine: Engine
    let level: CloudSimulation.Level
    let fields: [FieldName]
    let keys: [RecordKey]
    let clock = CloudClock()
    var random: SimulationRandom
    var database = CloudDatabase()
    var truth = CloudTruth()
    var devices: [CloudDevice] = []
    var identities = 0
    var score = CloudSimulation.Score()
    /// Which version a write is, by its name.
    var dots: [FieldDot: Int] = [:]
    /// What happens, a sentence each, where somebody wants to read it.
    var notes: CloudNotes?
    /// Whether the logs of all devices are audited together in the end.
    var joinsLogs = false
    /// Whether some observers come with a later version of the app, to stores that hold records.
    var startsLate = false
    /// Why conflicts are only suspected.
    var doubts: [ConflictID: ObservedConflict.Doubt] = [:]

    struct FieldDot: Hashable {
        var dot: Dot
        var field: FieldName?
    }

    init(seed: UInt64, level: CloudSimulation.Level, engine fixed: (inout Engine) -> Void) throws {
        self.seed = seed
        random = SimulationRandom(seed: seed)
        self.level = level
        fields = [FieldName("a"), FieldName("b"), FieldName("c")].prefix(1 + random.below(3)).map(\.self)
        keys = (1...(1 + random.below(2))).map { RecordKey(type: "Card", id: RecordID(String($0))) }
        var engine = Engine(
            policy: .changedKeys, keepsPending: random.chance(0.5), overwritesUnchanged: random.chance(0.3),
            resendsOverwritten: random.chance(0.3), exports: random.pick(Engine.ExportKind.allCases), ownExportsReturn: random.chance(0.5),
            givesNumbers: random.chance(0.5), keepsOlderBase: random.chance(0.3),
            values: random.chance(0.8) ? 2 + random.below(8) : 1000)
        fixed(&engine)
        self.engine = engine
        for index in 0..<(2 + random.below(3)) {
            var configuration = SyncObserver.Configuration(device: DeviceID("d\(index)"), installation: "0")
            configuration.standardLevel = level.observation(of: fields)
            configuration.pendingFields = engine.keepsPending ? .kept : random.chance(0.5) ? .overwritten : .unknown
            let skew = random.chance(0.3) ? random.within(-86_400_000...86_400_000) : random.within(-2000...2000)
            devices.append(try CloudDevice(identity: identities, configuration: configuration, skew: skew, clock: clock))
            identities += 1
        }
    }

    /// Lets things happen, one for each seed, and then everything arrive everywhere.
    ///
    /// A seed decides what happens in its step, so that a history without some of its steps is still the same history otherwise.
    mutating func run(_ steps: [UInt64]) throws -> CloudSimulation.Score {
        if startsLate { for index in devices.indices { devices[index].isObserved = !random.chance(0.5) } }
        for (number, step) in steps.enumerated() {
            if number == steps.count / 3 { try startObservers() }
            random = SimulationRandom(seed: step)
            clock.advance(by: random.chance(0.1) ? random.within(300_000...3_600_000) : random.within(100...60_000))
            try act(random.below(devices.count))
        }
        try startObservers()
        random = SimulationRandom(seed: seed)
        notes?.sentences.append("then everything is exchanged")
        for _ in 0..<4 {
            for index in devices.indices {
                if devices[index].export == nil { try beginExport(index, isWhole: true) }
                if devices[index].export?.isDelivered == false { try deliver(index, isSafe: true) }
                if devices[index].export != nil { try endExport(index, isSafe: true) }
                while try importPage(index, limit: 10) {}
            }
        }
        if joinsLogs { judgeJoinedLogs() }
        score.count(truth, final: database.records, doubts)
        return score
    }

    private mutating func act(_ index: Int) throws {
        switch random.below(100) {
        case 0..<34:
            let key = random.pick(keys)
            // Now and then somebody types, and every letter is saved.
            for _ in 0..<(random.chance(0.01) ? 25 : 1) { try edit(index, key) }
        case 34..<37: try delete(index, random.pick(keys))
        case 37..<42:
            let key = random.pick(keys)
            if let cells = devices[index].content.store[key] {
                devices[index].content.contexts[key] = .init(cells: cells, known: devices[index].content.known[key] ?? [:])
            }
        case 42..<56: if devices[index].export == nil { try beginExport(index, isWhole: random.chance(0.7)) }
        case 56..<69: if devices[index].export?.isDelivered == false { try deliver(index, isSafe: false) }
        case 69..<79: if devices[index].export != nil { try endExport(index, isSafe: false) }
        case 79..<82: fetchPage(index, limit: 1 + random.below(3))
        case 82..<96: _ = try importPage(index, limit: 1 + random.below(3))
        case 96: try endProcess(index)
        case 97:
            note(index, "is backed up")
            devices[index].backup = (devices[index].content, devices[index].shadow.content)
        case 98: try restore(index)
        default: try changeAccount(index)
        }
    }

    // MARK: Faults

    /// Calls an observer where it finds nothing.
    mutating func tell(_ index: Int, _ body: (SyncObserver) throws -> Void) throws {
        try call(index) { observer in
            try body(observer)
            return []
        }
    }

    /// Calls the observer; now and then its process ends on the way, and the adapter says the same again to the next one.
    mutating func call(_ index: Int, _ body: (SyncObserver) throws -> [ObservedConflict]) throws {
        guard devices[index].isObserved else { return }
        if random.chance(0.03) { devices[index].sink.endProcess(at: random.pick(SyncObserver.Step.allCases)) }
        var found: [ObservedConflict] = []
        do { found = try body(devices[index].observer) } catch is ProcessEnd {
            // What it was about to send is not sent.
            if devices[index].export?.isDelivered == false { devices[index].export = nil }
            note(index, "ends on the way and starts again")
            try devices[index].reopen(clock)
            found = try body(devices[index].observer)
        }
        for conflict in found { doubts[conflict.conflict.id] = conflict.doubt }
        devices[index].sink.endProcess(at: nil)
    }

    private mutating func startObservers() throws {
        for index in devices.indices where !devices[index].isObserved {
            note(index, "starts again with an observer")
            devices[index].isObserved = true
            devices[index].export = nil
            devices[index].fetched = nil
            try tell(index) { try $0.storeHoldsOlderRecords() }
        }
    }

    private mutating func endProcess(_ index: Int) throws {
        note(index, "ends and starts again")
        devices[index].export = nil
        devices[index].fetched = nil
        try devices[index].reopen(clock)
        try judge(index, at: keys[0])
    }

    private mutating func restore(_ index: Int) throws {
        guard let backup = devices[index].backup else { return }
        note(index, "is put back from its backup")
        devices[index].content = backup.content
        devices[index].content.own = [:]
        devices[index].shadow = MemoryShadow(backup.shadow)
        devices[index].export = nil
        devices[index].fetched = nil
        devices[index].identity = identities
        identities += 1
        devices[index].configuration.installation = String(identities)
        try devices[index].reopen(clock)
        _ = devices[index].sink.drain()
    }

    /// The engine empties the store and fetches everything again.
    private mutating func changeAccount(_ index: Int) throws {
        guard random.chance(0.3) else { return }
        note(index, "empties its store for another account")
        devices[index].export = nil
        devices[index].fetched = nil
        devices[index].content.store = [:]
        devices[index].content.pending = [:]
        devices[index].content.pendingDeletes = [:]
        devices[index].content.base = [:]
        devices[index].content.contexts = [:]
        devices[index].content.token = 0
        devices[index].observer.accountChanged(.noAccount)
        try tell(index) { try $0.storeEmptied() }
        devices[index].observer.accountChanged(.available)
        _ = devices[index].sink.drain()
    }
}
