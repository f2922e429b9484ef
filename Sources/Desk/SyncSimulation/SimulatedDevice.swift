import ConflictAudit
import SyncLayer
import SyncModel
import SyncSystem

/// A device: what it keeps when its program ends, and the program while it runs.
final class SimulatedDevice {
    /// One run of the program.
    struct Program {
        /// A number that no other run of any device has.
        let run: Int
        let life: Life
        let replica: Replica
        let engine: SyncEngine
        var sync: Task<Void, Never>?
        /// The number of what the sync waits for, which nothing else that any sync waits for has.
        var pause: Int?
    }

    let id: DeviceID
    let name: String
    let log = DeviceLog()
    /// How far its clock is ahead of the hub's, in milliseconds.
    let clockOffset: VirtualClock
    /// Seeds the chance that its programs leave things to.
    let seed: UInt64
    var program: Program?
    /// Until when no message passes.
    var isolatedUntil = Int64.min
    /// How its latest sync ended.
    var lastSync: Result<SyncReport, any Error>?
    var acknowledged: [SimulatedApp.Acknowledgement] = []
    var crashes = 0

    /// What an in-memory store would keep on disk.
    private var memory = InMemoryStore()
    private let storage: SimulationConfiguration.Storage
    /// What led to the store before the part of the log that is being written.
    private var past: [LogPart] = []
    /// Where that part begins.
    private var firstLine = 0
    /// What it can be put back to.
    var backups: [Backup] = []

    /// The state of a device's store.
    struct Backup {
        fileprivate let memory: InMemoryStore
        fileprivate let past: [LogPart]
        fileprivate let acknowledged: [SimulatedApp.Acknowledgement]
    }

    init(id: DeviceID, clockOffset: Int64, seed: UInt64, storage: SimulationConfiguration.Storage) {
        self.id = id
        name = id.rawValue
        self.clockOffset = VirtualClock(clockOffset)
        self.seed = seed
        self.storage = storage
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - life: May end before the program has started; then this throws, or the program is over when it is there.
    func start(run: Int, life: Life, configuration: ReplicaConfiguration, conductor: Conductor) throws {
        log.append(AuditEvent(at: configuration.wallClock(), .log(.opened)))
        var configuration = configuration
        configuration.sink = MortalLog(log: log, life: life)
        let replica = try Replica(device: id, store: MortalStore(store: try openStore(), life: life), configuration: configuration)
        var syncing = SyncConfiguration()
        // Small pages, so that a sync takes several round trips.
        syncing.writesPerPull = 5
        syncing.backoff = Backoff(base: .milliseconds(500), maximum: .seconds(60))
        let random = Locked(SimulationRandom(seed: seed &+ UInt64(run)))
        syncing.random = { random.withLock { $0.fraction() } }
        syncing.sleep = { duration in
            if life.isOver { throw Life.Ended() }
            try await conductor.pause(run, .sleeping(duration.wholeMilliseconds))
        }
        let engine = SyncEngine(
            replica: replica, hub: RemoteHub(conductor: conductor, life: life, run: run), configuration: syncing)
        program = Program(run: run, life: life, replica: replica, engine: engine)
    }

    private func openStore() throws -> any ReplicaStore {
        switch storage {
        case .memory: memory
        case .sqlite(let directory): try SQLiteStore(path: "\(directory)/\(id.rawValue).sqlite")
        }
    }

    /// A device that begins with a copy of another one's store.
    init(copyOf other: SimulatedDevice, number: Int, clockOffset: Int64, seed: UInt64) {
        id = other.id
        name = "\(other.id.rawValue)-copy-\(number)"
        self.clockOffset = VirtualClock(clockOffset)
        self.seed = seed
        storage = other.storage
        memory = InMemoryStore(copyOf: other.memory)
        past = other.lineage
        backups = other.backups.map { Backup(memory: $0.memory, past: $0.past, acknowledged: []) }
    }

    /// The parts of logs that led to the store as it is.
    var lineage: [LogPart] { past + [LogPart(log: log, range: firstLine..<log.events.count)] }

    /// Those parts one after the other; nil where they are the whole log.
    var remembered: [AuditEvent]? { past.isEmpty && firstLine == 0 ? nil : lineage.flatMap(\.events) }

    /// Takes a backup of the store.
    func backUp() {
        backups.append(Backup(memory: InMemoryStore(copyOf: memory), past: lineage, acknowledged: acknowledged))
    }

    /// Puts the store back; the program must not run.
    ///
    /// - Returns: What the app was told is safe and the store no longer has.
    func restore(_ backup: Backup) -> [SimulatedApp.Acknowledgement] {
        let kept = Set(backup.acknowledged.map(\.line))
        let lost = acknowledged.filter { !kept.contains($0.line) }.map(identified)
        memory = InMemoryStore(copyOf: backup.memory)
        past = backup.past
        firstLine = log.events.count
        acknowledged = backup.acknowledged
        return lost
    }

    /// With what the write is whatever it is called, as far as the log says.
    func identified(_ acknowledged: SimulatedApp.Acknowledgement) -> SimulatedApp.Acknowledgement {
        var identified = acknowledged
        for event in log.events.dropFirst(acknowledged.line) {
            guard case .write(let write) = event.content, write.receipt == nil, write.dot == acknowledged.dot, write.key == acknowledged.key
            else { continue }
            identified.identity = WriteIdentity(write)
            break
        }
        return identified
    }

    /// Looks through the store for damage, where it is a file.
    func checkStore() throws {
        if case .sqlite(let directory) = storage { try SQLiteStore(path: "\(directory)/\(id.rawValue).sqlite").checkIntegrity() }
    }
}

/// A request on its way to the hub and back.
final class Message {
    let device: Int
    /// What the device does meanwhile.
    let pause: Int
    let body: @Sendable (any Hub) async -> Void
    var isAnswered = false

    init(device: Int, pause: Int, body: @escaping @Sendable (any Hub) async -> Void) {
        self.device = device
        self.pause = pause
        self.body = body
    }
}
