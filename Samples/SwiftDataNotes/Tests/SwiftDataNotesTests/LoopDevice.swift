import ConflictAudit
import ConflictAuditTesting
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncMonitoring

/// An app on this package's own replica, on one device: a loop that syncs, a pulse that looks, and a network of its own.
@MainActor
final class LoopDevice {
    let replica: Replica
    let loop: SyncLoop
    let monitor = SyncMonitor()
    let log = CollectingAuditSink()
    let network = ManualNetwork()
    /// The pulse's sleep; the loop has another.
    let pulse = ManualSleep()
    let waiting = ManualSleep()
    private(set) var shown: [RecordID: FieldMap] = [:]
    private(set) var isEditing = false
    private let networkMonitor: NetworkMonitor
    private var refresh: ForegroundRefresh<[RecordID: FieldMap]>?

    init(_ name: DeviceID, _ hub: InterruptibleHub, _ clock: ManualClock) throws {
        var configuration = ReplicaConfiguration()
        configuration.sink = BroadcastingAuditSink([log, monitor])
        configuration.wallClock = clock.wallClock
        let replica = try Replica(device: name, store: InMemoryStore(), configuration: configuration)
        var looping = SyncLoopConfiguration()
        looping.sleep = waiting.sleep
        looping.wallClock = clock.wallClock
        let loop = SyncLoop(replica: replica, engine: SyncEngine(replica: replica, hub: hub), configuration: looping)
        self.replica = replica
        self.loop = loop
        networkMonitor = NetworkMonitor(
            provider: network, sink: BroadcastingAuditSink([log, loop]), wallClock: clock.wallClock)
        try networkMonitor.start()
        refresh = ForegroundRefresh(
            monitor: monitor, pulse: RefreshPulse(sync: { try await loop.beat() }, sleep: pulse.sleep),
            hasUnsavedEdits: { [unowned self] in isEditing },
            read: {
                let records = try replica.records(ofType: "Note").map { ($0.key.id, $0.fields) }
                return Dictionary(records) { first, _ in first }
            },
            show: { [unowned self] in shown = $0 })
    }

    func open() async {
        loop.enterForeground()
        refresh?.enterForeground()
        await pulse.somebodySleeps()
    }

    func close() async {
        refresh?.enterBackground()
        await loop.enterBackground()
    }

    /// The time to the next beat of the pulse has passed.
    func beat() async {
        pulse.wake()
        await pulse.somebodySleeps()
    }

    /// The time that the loop waits for has passed, as soon as it waits.
    func pass() async {
        await waiting.somebodySleeps()
        waiting.wake()
    }

    func put(_ fields: FieldMap, to id: RecordID) throws { try replica.put(fields, to: RecordKey(type: "Note", id: id)) }

    var unsent: Int { get throws { try replica.outboxStatus().writes } }
}
