import SyncAudit
import SyncLayerTesting
import Testing

@Suite struct FailingHubSnippets {
    @Test func aHubThatFails() async throws {
        let replica = try Replica.onIPhone()
        try Samples.edit(replica)
        let hub = InterruptibleHub(InMemoryHub())
        let engine = SyncEngine(replica: replica, hub: hub)
        hub.fail(afterCalls: 0, .beforeEffect)  // the first call of the next sync is lost on its way
        let report = try await engine.sync(attempts: 2)
        print(report.pushed, "writes pushed at the second attempt")
        #expect(report.pushed == 1)
    }
}
