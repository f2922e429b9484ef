import SyncHTTP
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncOracle
import Testing

/// What every hub must do, over the wire.
@Suite struct WireConformanceTests {
    @Test(arguments: HubConformance.checks)
    func overTheWire(_ check: ConformanceCheck<any Hub>) async throws {
        let hub = InMemoryHub()
        let service = HubService { space in space == "team" ? hub : nil }
        try await check.run(HTTPHub(space: "team", transport: InProcess(service: service)))
    }

    /// Devices that write the same records over a network that fails in every third call: all of them show the same in the end, and no
    /// write that was made is missing at the hub or there twice.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func nothingIsLostOrDoubledByAnUnreliableNetwork(seed: UInt64) async throws {
        let hub = InMemoryHub()
        let service = HubService { _ in hub }
        var random = SplitMix64(seed: seed)
        var configuration = HTTPHubConfiguration()
        configuration.attempts = 2
        configuration.sleep = { _ in }
        var faults = 0
        var devices: [(replica: Replica, engine: SyncEngine, network: Unreliable)] = []
        for name in ["a", "b", "c"] as [DeviceID] {
            let network = Unreliable(service, seed: random.next())
            let replica = try Replica(device: name, store: InMemoryStore(), configuration: ReplicaConfiguration())
            let hub = HTTPHub(space: "team", transport: network, configuration: configuration)
            devices.append((replica, SyncEngine(replica: replica, hub: hub), network))
        }
        var written = 0
        for _ in 0..<40 {
            let device = devices[Int.random(in: 0..<3, using: &random)]
            let key = RecordKey(type: "note", id: RecordID("\(Int.random(in: 0..<4, using: &random))"))
            try device.replica.put(["text": .string("\(written) " + String(repeating: "x", count: 40))], to: key)
            written += 1
            if Bool.random(using: &random) { _ = try? await device.engine.sync() }
        }
        for _ in 0..<2 {
            for device in devices {
                var attempts = 0
                while (try? await device.engine.sync()) == nil, attempts < 200 { attempts += 1 }
                #expect(attempts < 200, "seed \(seed)")
            }
        }
        for device in devices { faults += device.network.faults }
        #expect(faults > 20)
        #expect(hub.writes.count == written, "seed \(seed)")
        #expect(Set(hub.writes.map(\.dot)).count == written)
        let states = try devices.map { try $0.replica.checkpoint() }
        #expect(states[0] != nil && states[0] == states[1] && states[1] == states[2], "seed \(seed)")
    }
}
