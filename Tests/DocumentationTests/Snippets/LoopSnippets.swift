import SyncAudit
import Testing

@Suite struct LoopSnippets {
    @Test func looping() async throws {
        let log = BroadcastingAuditSink([])
        let hub = InMemoryHub()
        let replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: ReplicaConfiguration())
        let engine = SyncEngine(replica: replica, hub: hub)

        let loop = SyncLoop(replica: replica, engine: engine)
        let network = NetworkMonitor(provider: SystemNetwork(), sink: BroadcastingAuditSink([log, loop]))
        try network.start()
        loop.enterForeground()

        try await loop.sync()
        await loop.enterBackground()
        network.stop()
        #expect(await hub.devices().map(\.device) == ["iPhone"])
    }
}
