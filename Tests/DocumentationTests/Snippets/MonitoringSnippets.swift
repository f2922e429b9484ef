import SyncAudit
import Testing

@Suite struct MonitoringSnippets {
    @Test func monitoring() async throws {
        var configuration = ReplicaConfiguration()
        let log = CountingSink()
        let monitor = SyncMonitor()
        configuration.sink = BroadcastingAuditSink([log, monitor])
        let replica = try Replica.onIPhone(configuration)
        try await SyncEngine(replica: replica, hub: InMemoryHub()).sync()
        #expect(log.count > 0)
        #expect(monitor.lastSuccessfulSync != nil)
    }
}
