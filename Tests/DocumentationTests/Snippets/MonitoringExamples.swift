import ConflictAudit
import Observation
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

/// The examples in the documentation of the public types of SyncMonitoring.
@MainActor
@Suite struct MonitoringExamples {
    private let monitor = SyncMonitor()
    private let network = NetworkMonitor(provider: ManualNetwork())
    private let provider = ManualAccount()

    /// What a form shows and whether it was edited.
    private final class Form {
        var isEdited = false
        var cards: [Record] = []
    }

    @Test func syncMonitoringErrorExample() throws {
        do {
            try network.start()
        } catch let error as SyncMonitoringError where error.code == .networkUnknown {
            print(error)
        }
        #expect(network.isConnected)
    }

    @Test func connectionTypeExample() {
        if network.connectionType == .cellular { print("pictures wait for Wi-Fi") }
        #expect(network.connectionType == .unknown)
    }

    @Test func networkStatusExample() {
        let status = NetworkStatus.connected(.wifi)
        print(status.isConnected)  // true
        #expect(status.isConnected)
    }

    @Test func networkStatusProviderExample() throws {
        struct AlwaysThere: NetworkStatusProvider {
            func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
                report(.connected(.wired))
                return NetworkObservation {}
            }
        }
        let network = NetworkMonitor(provider: AlwaysThere())
        try network.start()
        #expect(network.connectionType == .wired)
    }

    @Test func networkObservationExample() throws {
        let provider = ManualNetwork()
        let observation = try provider.observe { print($0.isConnected) }
        observation.cancel()
    }

    @Test func networkMonitorExample() throws {
        let log = CountingSink()
        let network = NetworkMonitor(provider: SystemNetwork(), sink: log)
        try network.start()
        #expect(log.count <= 1)
    }

    @Test func conflictMonitorExample() throws {
        let (log, store) = (CountingSink(), InMemoryStore())
        var configuration = ReplicaConfiguration()
        let conflicts = ConflictMonitor()
        configuration.sink = BroadcastingAuditSink([log, conflicts])
        let replica = try Replica(device: "iPhone", store: store, configuration: configuration)
        conflicts.show(replica)
        print(conflicts.summary)
        #expect(conflicts.summary == "No edits lost")
    }

    @Test func lostEditKeeperExamples() throws {
        var configuration = ReplicaConfiguration()
        configuration.lostEditLimits = LostEditLimits(count: 200, age: .seconds(30 * 86_400))
        let replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
        let observation = replica.observeLostEdits { print("the list has changed") }
        for conflict in try replica.lostEdits { print(conflict.key, "lost", conflict.loser.value ?? "") }
        #expect(try replica.lostEdits == [])
        withExtendedLifetime(observation) {}
    }

    @Test func syncMonitorExample() {
        var configuration = ReplicaConfiguration()
        let log = CountingSink()
        let monitor = SyncMonitor()
        configuration.sink = BroadcastingAuditSink([log, monitor])
        #expect(configuration.sink != nil)
    }

    @Test func syncPresentationExample() {
        let presentation = SyncPresentation(sync: monitor, network: network)
        print(presentation.statusText)
        #expect(presentation.statusText == "Enabled")
    }

    @Test func syncStateExample() {
        if case .failed(let reason) = monitor.overallState { print(reason) }
        #expect(monitor.overallState == .idle)
    }

    @Test func syncStatusProviderExample() {
        func subtitle(_ status: some SyncStatusProvider) -> String {
            status.isSyncing ? "Syncing..." : "Up to date"
        }
        #expect(subtitle(monitor) == "Up to date")
    }

    @Test func refreshReportExample() {
        let report = RefreshReport(
            trigger: .pulse, decision: .refresh, shownVersion: 3, refreshVersion: 3, reloads: 2, isInForeground: true,
            pulseInterval: .seconds(10))
        print(report)  // pulse: refresh, version 3 of 3 shown, 2 reloads
        #expect("\(report)" == "pulse: refresh, version 3 of 3 shown, 2 reloads")
    }

    @Test func accountMonitorExample() async {
        let account = AccountMonitor(provider: provider, sink: monitor)
        await account.check()
        if account.status == .noAccount { print("sign in to sync") }
        #expect(account.status == .available)
    }

    @Test func accountStatusProviderExample() async throws {
        struct SignedIn: AccountStatusProvider {
            func accountStatus() async throws -> AccountStatus { .available }
        }
        #expect(try await SignedIn().accountStatus() == .available)
    }

    @Test func foregroundRefreshExample() async throws {
        let replica = try Replica.onIPhone()
        let form = Form()
        let refresh = ForegroundRefresh(
            monitor: monitor, hasUnsavedEdits: { form.isEdited }, read: { try replica.records(ofType: "Card") }, show: { form.cards = $0 })
        refresh.enterForeground()
        refresh.enterBackground()
        if await refresh.refreshIfNeeded() == .deferred { print("to be shown when the edits are saved") }
        #expect(form.cards.isEmpty)
    }

    @Test func refreshPulseExample() throws {
        let engine = SyncEngine(replica: try Replica.onIPhone(), hub: InMemoryHub())
        let pulse = RefreshPulse(interval: .seconds(30), sync: { try await engine.sync() })
        #expect(pulse.interval == .seconds(30))
    }
}
