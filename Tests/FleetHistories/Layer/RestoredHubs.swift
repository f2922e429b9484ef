import ConflictAudit
import SyncLayer
package import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Devices whose hub is put back to an earlier state: nothing that one of them knows is lost.
package enum RestoredHubs {
    /// Syncs until all devices know everything, and holds them against each other.
    package static func expectEqual(
        _ devices: [Device], _ clock: ManualClock, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<4 {
            for device in devices {
                clock.advance(by: .milliseconds(10))
                try await device.sync()
            }
        }
        let checkpoints = try devices.map { try #require(try $0.replica.checkpoint(), comment, sourceLocation: sourceLocation) }
        #expect(Set(checkpoints.map(\.digest)).count == 1, comment, sourceLocation: sourceLocation)
        #expect(Set(checkpoints.map(\.records)).count == 1, comment, sourceLocation: sourceLocation)
    }

    /// Lets three devices write and sync with a hub that is put back now and then.
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        func open(_ name: DeviceID) throws -> Device {
            try Device(name, hub: hub, clock: clock, rules: MergeRules(fields: ["card": ["visits": .counter, "tags": .set]]))
        }
        let devices = [try open("a"), try open("b"), try open("c")]
        let audit = try HubAudit(hub, clock, devices[0].configuration.mergeRules)
        var backups = [hub.backup()]
        for step in 0..<80 {
            clock.advance(by: .milliseconds(Int64(random.below(3))))
            let device = devices[random.below(3)]
            let key = RecordKey(type: "card", id: RecordID(String(random.below(4))))
            switch random.below(13) {
            case 0: try device.replica.increment("visits", of: key, by: Int64(random.below(9)))
            case 1: try device.replica.add([.number(JSONNumber(step))], to: "tags", of: key)
            case 2:
                let tags = try device.replica.get(key)?["tags"]?.array ?? []
                if !tags.isEmpty { try device.replica.remove([tags[random.below(tags.count)]], from: "tags", of: key) }
            case 3: try device.replica.put(["x": .number(JSONNumber(step))], to: key)
            case 4: try device.replica.delete(key)
            case 5: backups.append(hub.backup())
            case 7:
                try await audit.compact(hub)
            case 6: if random.percent(30) { hub.restore(backups[random.below(backups.count)]) }
            default: try await device.sync()
            }
        }
        try await expectEqual(devices + [open("new")], clock, "seed \(seed)", sourceLocation: sourceLocation)
    }
}
