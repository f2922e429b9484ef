import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// What a replica's conflicts say that their record is called.
@Suite struct RecordNameTests {
    private func world(_ change: (inout ReplicaConfiguration) -> Void = { _ in }) throws -> World {
        try World { configuration in
            configuration.auditRules.displayFields = ["card": "name"]
            change(&configuration)
        }
    }

    private func names(_ device: Device) -> [String] {
        device.sink.conflicts.map { "\($0.field?.rawValue ?? "-"): \($0.name?.text ?? "nil")" }
    }

    @Test func bothDevicesCallTheRecordAsItIsShown() async throws {
        let world = try world()
        try world.a.replica.put(["name": "Ann", "phone": "1"], to: card)
        try await world.meet()
        try world.a.replica.put(["phone": "2"], to: card)
        world.wait(1)
        try world.b.replica.put(["phone": "3"], to: card)
        try await world.meet()
        #expect(names(world.a) == ["phone: Ann"] && names(world.b) == ["phone: Ann"])
    }

    @Test func aRecordThatIsDeletedIsCalledAsBefore() async throws {
        let world = try world()
        try world.a.replica.put(["name": "Ann", "phone": "1"], to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        world.wait(1)
        try world.b.replica.put(["phone": "3"], to: card)
        try await world.meet()
        // The device that deleted had merged that before the edit came.
        #expect(names(world.b) == ["phone: Ann"] && names(world.a) == ["phone: nil"])
    }

    @Test func theNameOutlastsTheProcess() async throws {
        let (store, sink) = (InMemoryStore(), CollectingAuditSink())
        let world = try world()
        let clock = world.clock
        func open(_ sink: CollectingAuditSink?) throws -> Replica {
            var configuration = ReplicaConfiguration()
            configuration.auditRules.displayFields = ["card": "name"]
            configuration.sink = sink
            configuration.wallClock = clock.wallClock
            return try Replica(device: "c", store: store, configuration: configuration)
        }
        try world.a.replica.put(["name": "Ann", "phone": "1"], to: card)
        try await world.a.sync()
        let replica = try open(nil)
        _ = try await SyncEngine(replica: replica, hub: world.hub).sync()
        try world.a.replica.put(["phone": "2"], to: card)
        try await world.a.sync()
        world.wait(1)
        try replica.put(["phone": "3"], to: card)
        _ = try await SyncEngine(replica: replica, hub: world.hub).sync()
        // Nobody was there to hear of it; the next process is.
        _ = try open(sink)
        #expect(sink.conflicts.map(\.name) == [RecordName(field: "name", value: "Ann")])
    }
}
