import ConflictAudit
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Devices that fetch little at a time, whose stores and hub are put back and whose syncs are cut.
package struct RestoringFleet {
    /// A third of the seeds has each.
    private static let rules = [
        MergeRules(types: ["card": .record(.lastWriterWins)]), MergeRules(),
        MergeRules(fields: ["card": ["v": .counter, "w": .firstWriterWins]], deletes: .editWins),
    ]
    private static let keys = [card, RecordKey(type: "card", id: "2")]
    private static let fields: [FieldName] = ["v", "w", "x", "y", "z"]

    private let clock = ManualClock()
    private let hub: InMemoryHub
    private let empty: InMemoryHub.Backup
    private var hubBackups: [InMemoryHub.Backup] = []
    private var devices: [(device: Device, line: InterruptibleHub, backup: InMemoryStore)] = []
    /// Says what the hub may let go of.
    private let audit: HubAudit
    private var value: Int64 = 0

    /// Lets the devices live for a while, and expects that all of them and one that joins late show the same records in the end.
    ///
    /// - Parameter seed: Decides everything; with an even one stores are put back, with an odd one the hub.
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var fleet = try RestoringFleet(rules: rules[Int(seed / 2 % 3)])
        var random = SplitMix64(seed: seed)
        for _ in 0..<3 { try fleet.join() }
        for _ in 0..<160 { try await fleet.step(&random, isHubSafe: seed % 2 == 0) }
        try fleet.join()
        for _ in 0..<6 { for index in fleet.devices.indices { try await fleet.sync(index) } }
        let digests = try fleet.devices.map {
            try #require(try $0.device.replica.checkpoint(), "seed \(seed)", sourceLocation: sourceLocation).digest
        }
        #expect(Set(digests).count == 1, "seed \(seed)", sourceLocation: sourceLocation)
        for key in keys {
            let shown = try fleet.devices.map { try $0.device.replica.get(key) }
            #expect(Set(shown).count == 1, "seed \(seed)", sourceLocation: sourceLocation)
        }
    }

    private let rules: MergeRules

    private init(rules: MergeRules) throws {
        self.rules = rules
        hub = InMemoryHub(wallClock: clock.wallClock)
        empty = hub.backup()
        audit = try HubAudit(hub, clock, rules)
    }

    private mutating func join() throws { try open(DeviceID("d\(devices.count)"), InMemoryStore(), at: devices.count) }

    private mutating func open(_ name: DeviceID, _ store: InMemoryStore, at index: Int) throws {
        let line = InterruptibleHub(hub)
        let device = try Device(name, hub: line, clock: clock, store: store, rules: rules)
        let opened = (device: device, line: line, backup: InMemoryStore(copyOf: store))
        if index < devices.count { devices[index] = opened } else { devices.append(opened) }
    }

    private func sync(_ index: Int) async throws {
        clock.advance(by: .milliseconds(10))
        var configuration = SyncConfiguration()
        configuration.writesPerPull = 2
        let (device, line, _) = devices[index]
        do {
            try await SyncEngine(replica: device.replica, hub: line, configuration: configuration).sync()
        } catch let error as SyncLayerError where error.code == .deviceForgotten {
            try device.replica.rejoin()
        } catch let error as SyncLayerError where error.code == .hubUnavailable {
            // Cut; the next one goes on.
        }
    }

    private mutating func step(_ random: inout SplitMix64, isHubSafe: Bool) async throws {
        clock.advance(by: .milliseconds(Int64(random.below(3))))
        let index = random.below(devices.count)
        let device = devices[index].device
        switch random.below(40) {
        case 0..<14:
            var fields = FieldMap()
            for _ in 0...random.below(2) {
                value += 1
                fields[Self.fields[random.below(5)]] = random.percent(15) ? .null : .number(JSONNumber(value))
            }
            let key = Self.keys[random.below(2)]
            if rules.fields.isEmpty {
                try device.replica.put(fields, to: key)
            } else {
                // A number puts the counter to it.
                let increment = fields["v"]
                fields["v"] = nil
                if !fields.isEmpty { try device.replica.put(fields, to: key) }
                if increment != nil { try device.replica.increment("v", of: key, by: value % 7) }
            }
        case 14: try device.replica.delete(Self.keys[random.below(2)])
        case 15, 16:
            devices[index].line.fail(afterCalls: random.below(10), random.percent(50) ? .beforeEffect : .afterEffect)
            try await sync(index)
        case 17: if let store = device.store as? InMemoryStore { devices[index].backup = InMemoryStore(copyOf: store) }
        case 18: if isHubSafe, random.percent(50) { try open(device.name, InMemoryStore(copyOf: devices[index].backup), at: index) }
        case 19: if random.percent(20), devices.count < 6 { try join() }
        case 20: if random.percent(20) { await hub.forget(try device.replica.writer) }
        case 21: if !isHubSafe { hubBackups.append(hub.backup()) }
        case 22: if !isHubSafe, random.percent(30), let backup = hubBackups.last { hub.restore(backup) }
        case 23: if !isHubSafe, random.percent(15) { hub.restore(empty) }
        case 24, 25:
            try await audit.compact(hub)
        default: try await sync(index)
        }
    }
}
