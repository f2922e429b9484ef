import ConflictAudit
import ConflictAuditTesting
import Dispatch
import NetworkAdapter
import NetworkStandIn
import SyncModel
import SyncMonitoring
import Testing

/// One path is the system's, so that these run one by one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PathMonitorTests {
    private let sink = CollectingAuditSink()

    private func started() throws -> NetworkMonitor {
        let monitor = NetworkMonitor(
            provider: NetworkAdapter.SystemNetwork(), sink: sink, wallClock: { WallTime(millisecondsSince1970: 42) })
        try monitor.start()
        return monitor
    }

    private nonisolated static let paths: [(NWPath, NetworkStatus)] = [
        (NWPath(.satisfied, [.wifi]), .connected(.wifi)), (NWPath(.satisfied, [.cellular]), .connected(.cellular)),
        (NWPath(.satisfied, [.wiredEthernet]), .connected(.wired)), (NWPath(.satisfied, [.other]), .connected(.unknown)),
        (NWPath(.satisfied), .connected(.unknown)), (NWPath(.unsatisfied, [.wifi]), .disconnected),
        // It may come up once somebody wants to connect; until then nobody is connected.
        (NWPath(.requiresConnection, [.cellular]), .disconnected),
        // With several, the one that costs least is used.
        (NWPath(.satisfied, [.cellular, .wifi]), .connected(.wifi)),
    ]

    @Test(arguments: paths) func everyPathHasItsStatus(path: NWPath, status: NetworkStatus) throws {
        NWPathMonitor.change(to: path)
        let monitor = try started()
        // The first report comes on the monitor's queue.
        NWPathMonitor.change(to: path)
        #expect(monitor.status == status)
        let word = status.isConnected ? "connected" : "disconnected"
        let interface = status.isConnected ? status.connectionType.rawValue : nil
        #expect(sink.events == [AuditEvent(at: WallTime(millisecondsSince1970: 42), .network(status: word, interface: interface))])
        monitor.stop()
    }

    @Test func lossAndReturnOfTheNetworkAreReported() throws {
        NWPathMonitor.change(to: NWPath(.satisfied, [.wifi]))
        let monitor = try started()
        for status in [NWPath.Status.satisfied, .unsatisfied, .unsatisfied, .satisfied] {
            NWPathMonitor.change(to: NWPath(status, [.wifi]))
        }
        let words = sink.events.map { event in if case .network(let status, _) = event.content { status } else { "?" } }
        #expect(words == ["connected", "disconnected", "connected"])
        monitor.stop()
    }

    @Test func aMonitorThatStopsOrGoesAwayCancelsItsOwn() throws {
        let before = NWPathMonitor.running
        let monitor = try started()
        #expect(NWPathMonitor.running == before + 1)
        monitor.stop()
        #expect(NWPathMonitor.running == before)
        do {
            let observation = try NetworkAdapter.SystemNetwork().observe { _ in }
            #expect(NWPathMonitor.running == before + 1)
            withExtendedLifetime(observation) {}
        }
        #expect(NWPathMonitor.running == before)
    }
}
