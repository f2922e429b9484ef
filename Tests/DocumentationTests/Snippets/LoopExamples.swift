import AuditLog
import SyncLayer
import SyncModel
import Testing

/// The examples in the documentation of the loop that syncs.
@Suite struct LoopExamples {
    @Test func syncLoopExample() async throws {
        let replica = try Replica(device: "iPhone", store: InMemoryStore())
        let engine = SyncEngine(replica: replica, hub: InMemoryHub())
        let loop = SyncLoop(replica: replica, engine: engine)
        loop.enterForeground()
        await loop.enterBackground()
        #expect(replica.device == "iPhone")
    }

    // Compiled, and not run.
    func syncLoopConfigurationExample(_ log: AuditLogWriter) -> SyncLoopConfiguration {
        var configuration = SyncLoopConfiguration()
        configuration.flushLog = { log.flush() }
        return configuration
    }
}
