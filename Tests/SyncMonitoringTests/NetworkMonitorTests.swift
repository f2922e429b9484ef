import ConflictAudit
import ConflictAuditTesting
import SyncLayerTesting
import SyncModel
import SyncMonitoring
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NetworkMonitorTests {
    private let network = ManualNetwork(.connected(.wired))
    private let sink = CollectingAuditSink()
    private let monitor: NetworkMonitor

    init() {
        monitor = NetworkMonitor(provider: network, sink: sink, wallClock: ManualClock(WallTime(millisecondsSince1970: 42)).wallClock)
    }

    @Test func untilTheFirstReportANetworkIsSupposed() {
        network.switchTo(.disconnected)
        #expect(monitor.isConnected)
        #expect(monitor.connectionType == .unknown)
        #expect(sink.events.isEmpty)
    }

    @Test func everyTypeIsShownAndReported() throws {
        try monitor.start()
        for type in ConnectionType.allCases {
            network.switchTo(.connected(type))
            #expect(monitor.isConnected)
            #expect(monitor.connectionType == type)
            #expect(sink.events.last == AuditEvent(at: 42, .network(status: "connected", interface: type.rawValue)))
            network.switchTo(.disconnected)
            #expect(!monitor.isConnected)
            #expect(monitor.connectionType == .unknown)
            #expect(sink.events.last == AuditEvent(at: 42, .network(status: "disconnected", interface: nil)))
        }
    }

    @Test func theFirstStatusIsReportedAndAfterItOnlyChanges() throws {
        network.switchTo(.connected(.unknown))
        try monitor.start()
        for status in [NetworkStatus.connected(.unknown), .connected(.wifi), .connected(.wifi), .disconnected, .disconnected] {
            network.switchTo(status)
        }
        let expected: [AuditEvent.Content] = [
            .network(status: "connected", interface: "unknown"), .network(status: "connected", interface: "wifi"),
            .network(status: "disconnected", interface: nil),
        ]
        #expect(sink.events.map(\.content) == expected)
    }

    @Test func startingTwiceObservesOnce() throws {
        try monitor.start()
        try monitor.start()
        #expect(network.observers == 1)
    }

    @Test func aStoppedMonitorKeepsWhatItKnewAndCanBeStartedAgain() throws {
        try monitor.start()
        monitor.stop()
        #expect(network.observers == 0)
        network.switchTo(.disconnected)
        #expect(monitor.status == .connected(.wired))
        try monitor.start()
        #expect(monitor.status == .disconnected)
        #expect(network.observers == 1)
    }

    // On the main actor, so that the news of the first status cannot hold the monitor at that very moment.
    @Test @MainActor func aReleasedMonitorNoLongerObserves() throws {
        var monitor: NetworkMonitor? = NetworkMonitor(provider: network)
        try monitor?.start()
        #expect(network.observers == 1)
        monitor = nil
        #expect(network.observers == 0)
    }

    @Test func aMonitorThatCannotStartSaysWhyAndCanTryAgain() throws {
        network.failToStart(SyncMonitoringError(.networkUnknown, "nobody knows"))
        let error = #expect(throws: SyncMonitoringError.self) { try monitor.start() }
        #expect(error?.code == .networkUnknown)
        #expect(monitor.status == .connected(.unknown))
        network.failToStart(nil)
        try monitor.start()
        #expect(monitor.status == .connected(.wired))
    }

    /// Lets its one observer be called at any time, cancelled or not.
    private final class Unruly: NetworkStatusProvider {
        let reports = Shared<[@Sendable (NetworkStatus) -> Void]>([])

        func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
            reports.value.append(report)
            return NetworkObservation {}
        }
    }

    @Test func aLateReportOfAnEarlierStartIsPassedOver() throws {
        let unruly = Unruly()
        let monitor = NetworkMonitor(provider: unruly)
        try monitor.start()
        monitor.stop()
        unruly.reports.value[0](.disconnected)
        #expect(monitor.isConnected)
        try monitor.start()
        unruly.reports.value[0](.disconnected)
        #expect(monitor.isConnected)
        unruly.reports.value[1](.disconnected)
        #expect(!monitor.isConnected)
    }

    @Test @MainActor func observersAreTold() async throws {
        let (monitor, network) = (monitor, network)
        try monitor.start()
        await change(of: { _ = monitor.isConnected }, when: { network.switchTo(.disconnected) })
        await change(of: { _ = monitor.connectionType }, when: { network.switchTo(.connected(.cellular)) })
        await change(of: { _ = monitor.status }, when: { network.switchTo(.connected(.wifi)) })
    }

    /// See the same test of `SyncMonitor`.
    @Test @MainActor func aChangeBetweenReadingAndRegisteringIsNotMissed() async throws {
        let (monitor, network) = (monitor, network)
        try monitor.start()
        var seen: Bool?
        await change {
            seen = monitor.isConnected
            network.switchTo(.disconnected)
        } when: {
        }
        #expect(seen == true)
        #expect(!monitor.isConnected)
    }
}
