import ConflictAudit
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Phones that live on with copies of one store, under one name: nothing is lost.
package enum CopiedStores {
    /// Syncs until all devices know everything, and holds them against each other.
    package static func expectEqual(
        _ devices: [Device], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        let checkpoint = try #require(try devices.last?.replica.checkpoint(), comment, sourceLocation: sourceLocation)
        for device in devices {
            let writer = try device.replica.writer
            #expect(try device.replica.checkpoint() == checkpoint, comment ?? "\(writer)", sourceLocation: sourceLocation)
            let empty = OutboxStatus(writes: 0, bytes: 0, setAside: 0)
            #expect(try device.replica.outboxStatus() == empty, comment ?? "\(writer)", sourceLocation: sourceLocation)
        }
    }

    /// Lets phones and a tablet write and sync, and copies a phone's store now and then.
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let rules = MergeRules(fields: ["card": ["visits": .counter, "tags": .set, "title": .manual]])
        func open(_ name: DeviceID, _ store: InMemoryStore = InMemoryStore()) throws -> Device {
            try Device(name, hub: hub, clock: clock, store: store, rules: rules)
        }
        let tablet = try open("tablet")
        var stores = [InMemoryStore()]
        var phones = [try open("phone", stores[0])]
        let keys = [card, RecordKey(type: "card", id: "2")]
        var visits: [RecordKey: Int64] = [:]
        for key in keys { try phones[0].replica.put(["x": 0], to: key) }
        for step in 0..<80 {
            clock.advance(by: .milliseconds(Int64(random.below(3))))
            if step % 25 == 10 {
                stores.append(InMemoryStore(copyOf: stores[random.below(stores.count)]))
                phones.append(try open("phone", stores[stores.count - 1]))
            }
            let device = random.percent(20) ? tablet : phones[random.below(phones.count)]
            let key = keys[random.below(2)]
            switch random.below(10) {
            case 0, 1:
                let amount = Int64(random.below(9) + 1)
                // Unsent counts in a store that is copied are in both copies, as one write.
                try device.replica.increment("visits", of: key, by: amount)
                visits[key, default: 0] += amount
            case 2: try device.replica.add([.number(JSONNumber(step))], to: "tags", of: key)
            case 3: try device.replica.put(["x": .number(JSONNumber(step))], to: key)
            case 4: try device.replica.put(["title": .number(JSONNumber(step))], to: key)
            case 5: if seed % 2 == 0 { try device.replica.delete(key) }
            default: try await device.sync()
            }
        }
        try await expectEqual(phones + [tablet, open("new")], "seed \(seed)", sourceLocation: sourceLocation)
        if seed % 2 == 1 {
            for key in keys {
                #expect(try tablet.replica.get(key)?["visits"]?.integer == visits[key], "seed \(seed)", sourceLocation: sourceLocation)
            }
        }
    }
}
