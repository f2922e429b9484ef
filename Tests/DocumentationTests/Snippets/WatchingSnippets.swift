import ConflictAudit
import SyncMonitoring
import Testing

@Suite struct WatchingSnippets {
    @Test @MainActor func watching() {
        let monitor = SyncMonitor()
        let network = NetworkMonitor(provider: SystemNetwork(), sink: monitor)
        #expect(monitor.lastSuccessfulSync == nil)
        _ = network
    }
}
