import ConflictAudit
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

/// The monitor on a real engine: it is one of the replica's sinks and nothing else tells it anything.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct MonitoredSyncTests {
    private let clock = ManualClock()
    private let hub: InterruptibleHub
    private let other: Replica
    private let otherEngine: SyncEngine
    private let monitor: SyncMonitor
    private let replica: Replica
    private let engine: SyncEngine

    init() throws {
        hub = InterruptibleHub(InMemoryHub(wallClock: clock.wallClock))
        monitor = SyncMonitor(wallClock: clock.wallClock)
        var configuration = ReplicaConfiguration()
        configuration.wallClock = clock.wallClock
        other = try Replica(device: "ipad", store: InMemoryStore(), configuration: configuration)
        otherEngine = SyncEngine(replica: other, hub: hub)
        configuration.sink = monitor
        replica = try Replica(device: "iphone", store: InMemoryStore(), configuration: configuration)
        engine = SyncEngine(replica: replica, hub: hub)
    }

    private let card = RecordKey(type: "card", id: "1")

    private func othersWrite(_ name: String) async throws {
        _ = try other.put(["name": .string(name)], to: card)
        _ = try await otherEngine.sync()
    }

    private var presentation: SyncPresentation { SyncPresentation(state: monitor.overallState, isConnected: true) }

    @Test func aSyncEndsUpToDateAndOnlyNewsRaiseTheRefreshVersion() async throws {
        #expect(presentation.statusText == "Enabled")
        _ = try await engine.sync()
        #expect(presentation.statusText == "Up to date")
        #expect(monitor.lastSuccessfulSync == clock.now)
        #expect(monitor.refreshVersion == 0)

        clock.advance(by: .seconds(3600))
        #expect(monitor.lastSyncedText == "Last synced 1 hour ago")
        let readAt = clock.now
        try await othersWrite("John")
        #expect(!monitor.hasReceivedRemoteChange(since: readAt))
        _ = try await engine.sync()
        #expect(monitor.hasReceivedRemoteChange(since: readAt))
        #expect(monitor.refreshVersion == 1)
        #expect(monitor.lastSyncedText == "Last synced less than a minute ago")
    }

    /// Four calls to the hub set up, one fetches, two send and report.
    @Test(arguments: 0..<7)
    func aSyncCutOffAnywhereShowsAnErrorAndTheNextClearsIt(call: Int) async throws {
        _ = try replica.put(["name": "John"], to: card)
        hub.fail(afterCalls: call, .beforeEffect)
        let failed = (try? await engine.sync()) == nil
        #expect(failed)
        #expect(presentation.statusText == "Error")
        #expect([monitor.setupState, monitor.importState, monitor.exportState].contains(.failed("the line was cut: try again")))
        _ = try await engine.sync()
        #expect(presentation.statusText == "Up to date")
    }

    @Test func aCancelledSyncShowsNoError() async throws {
        _ = try replica.put(["name": "John"], to: card)
        let task = Task { [engine] in
            while !Task.isCancelled { await Task.yield() }
            _ = try await engine.sync()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(presentation.statusText == "Enabled")
        #expect(try replica.outboxStatus().writes == 1)
        _ = try await engine.sync()
        #expect(presentation.statusText == "Up to date")
    }

    @Test func theForegroundPulseFetchesAndShowsWhatOthersWrote() async throws {
        let sleep = ManualSleep()
        let shown = Shared<FieldValue?>(nil)
        let refresh = ForegroundRefresh(
            monitor: monitor,
            pulse: RefreshPulse(interval: .seconds(5), sync: { [engine] in _ = try await engine.sync() }, sleep: sleep.sleep),
            hasUnsavedEdits: { false },
            read: { [replica] in try replica.get(card)?["name"] },
            show: { shown.value = $0 })
        refresh.enterForeground()
        await sleep.somebodySleeps()
        #expect(refresh.reloads == 0)
        try await othersWrite("John")
        sleep.wake()
        await sleep.somebodySleeps()
        #expect(shown.value == .string("John"))
        #expect(refresh.reloads == 1)
        refresh.enterBackground()
    }

    @Test func aLoopSyncsOnTheNetworksReturnBeforeTheForegroundRefresh() async throws {
        let loop = SyncLoop(replica: replica, engine: engine)
        let network = ManualNetwork(.disconnected)
        let networkMonitor = NetworkMonitor(provider: network, sink: loop, wallClock: clock.wallClock)
        try networkMonitor.start()
        defer { networkMonitor.stop() }
        var shown: FieldValue?
        let sleep = ManualSleep()
        let refresh = ForegroundRefresh(
            monitor: monitor, pulse: RefreshPulse(sync: { try await loop.beat() }, sleep: sleep.sleep), hasUnsavedEdits: { false },
            read: { [replica, card] in try replica.get(card)?["name"] }, show: { shown = $0 })
        try await othersWrite("John")
        loop.enterForeground()
        refresh.enterForeground()
        await sleep.somebodySleeps()
        #expect(monitor.refreshVersion == 0)
        network.switchTo(.connected(.wifi))
        while monitor.refreshVersion == 0 { await Task.yield() }
        sleep.wake()
        while shown == nil { await Task.yield() }
        #expect(shown == "John")
        await loop.enterBackground()
        refresh.enterBackground()
    }
}
