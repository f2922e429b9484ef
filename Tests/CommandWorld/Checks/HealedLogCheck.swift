import AuditLog
import ConflictAudit
import Foundation
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The log of a store that was put back from a backup and goes on as a writer of its own.
package struct HealedLogCheck {
    private static let rules = MergeRules(
        types: ["Note": .record(.lastWriterWins)], fields: ["Card": ["visits": .counter, "title": .manual]])
    private static let options = [
        "--policy-for", "Card.visits=counter", "--policy-for", "Card.title=manual", "--policy-for", "Note=record-last-writer-wins",
    ]
    private let directory: TemporaryDirectory
    private let clock = ManualClock()
    private let hub: InMemoryHub

    /// With a directory, a clock and a hub of its own.
    package init() throws {
        directory = try TemporaryDirectory()
        hub = InMemoryHub(wallClock: clock.wallClock)
    }

    /// A replica with a log.
    private struct Device {
        let replica: Replica
        let engine: SyncEngine
        let log: AuditLogWriter

        init(_ name: DeviceID, _ store: InMemoryStore, _ check: HealedLogCheck) throws {
            log = try AuditLogWriter(
                directory: check.directory.file("logs"), name: name.rawValue, source: name, wallClock: check.clock.wallClock)
            var configuration = ReplicaConfiguration()
            configuration.mergeRules = HealedLogCheck.rules
            configuration.sink = log
            configuration.reportsWrites = true
            configuration.wallClock = check.clock.wallClock
            replica = try Replica(device: name, store: store, configuration: configuration)
            engine = SyncEngine(replica: replica, hub: check.hub)
        }
    }

    /// Lets two devices edit at random; after half of it the phone's store is put back to an earlier state, with writes made since that the hub has.
    ///
    /// - Returns: The phone's writer at the end.
    private func run(seed: UInt64) async throws -> DeviceID {
        var random = SplitMix64(seed: seed)
        let store = InMemoryStore()
        var phone = try Device("phone", store, self)
        let tablet = try Device("tablet", InMemoryStore(), self)
        var backup = InMemoryStore()
        func edit(_ device: Device) throws {
            clock.advance(by: .milliseconds(Int64(1 + random.below(5000))))
            if random.percent(30) {
                let field = FieldName(["a", "b", "c"][random.below(3)])
                _ = try device.replica.put(
                    [field: .number(JSONNumber(random.below(9)))], to: RecordKey(type: "Note", id: RecordID("\(random.below(2))")))
                return
            }
            let key = RecordKey(type: "Card", id: RecordID("\(random.below(4))"))
            switch random.below(8) {
            case 0: if try device.replica.get(key) != nil { try device.replica.delete(key) }
            case 1: try device.replica.increment("visits", of: key, by: Int64(1 + random.below(3)))
            case 2, 3: try device.replica.put(["title": .string("t\(random.below(99))")], to: key)
            default: try device.replica.put(["name": .string("n\(random.below(99))"), "x": .number(JSONNumber(random.below(3)))], to: key)
            }
        }
        for step in 0..<80 {
            try edit(random.percent(50) ? phone : tablet)
            if random.percent(25) { _ = try await phone.engine.sync() }
            if random.percent(25) { _ = try await tablet.engine.sync() }
            if step == 35 { backup = InMemoryStore(copyOf: store) }
            if step == 40 {
                for _ in 0..<3 { try edit(phone) }
                _ = try await phone.engine.sync()
                phone.log.close()
                phone = try Device("phone", backup, self)
                for _ in 0..<4 { try edit(phone) }
            }
        }
        for device in [phone, tablet, phone, tablet] { _ = try await device.engine.sync() }
        let writer = try phone.replica.writer
        for device in [phone, tablet] { #expect(device.log.close()) }
        return writer
    }

    /// A healed log gives no findings, and a forged line of it does.
    package func healedLog(seed: UInt64) async throws {
        #expect(try await run(seed: seed).rawValue.hasPrefix("phone~"), "seed \(seed)")
        let logs = directory.file("logs")
        let path = logs + "/phone.jsonl"
        let sound = (directory.content("logs/phone.jsonl") ?? "").split(separator: "\n").map(String.init)
        for options in [[], Self.options] {
            let found = try await TestWorld.findings([logs] + options)
            #expect(found == [], "seed \(seed): \(found.joined(separator: "; "))")
        }
        var random = SplitMix64(seed: seed)
        for forgery in [Forgery.severity, .losersValue, .swappedSides, .id, .reason, .record] {
            // Without values nobody can tell a lossy line from a harmless one: of a few forged severities one must be found.
            var (isFound, what): (Bool, [String]) = (false, [])
            for _ in 0..<(forgery == .severity ? 6 : 1) where !isFound {
                guard let forged = try forgery.apply(to: sound, &random) else { continue }
                try Data((forged.lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
                isFound = !(try await TestWorld.findings([logs])).isEmpty
                what.append(forged.what)
            }
            #expect(isFound || what.isEmpty, "seed \(seed): \(forgery) is not found: \(what.joined(separator: "; "))")
        }
    }

    /// A device that joins on a hub that was replaced gives no findings.
    package func replacedHub(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let devices = [try Device("phone", InMemoryStore(), self), try Device("tablet", InMemoryStore(), self)]
        func edit(_ device: Device) throws {
            clock.advance(by: .milliseconds(Int64(1 + random.below(5000))))
            let field = FieldName(["a", "b", "c"][random.below(3)])
            try device.replica.put(
                [field: .number(JSONNumber(random.below(9)))], to: RecordKey(type: "Note", id: RecordID("\(random.below(2))")))
        }
        func run(_ devices: [Device]) async throws {
            for _ in 0..<30 {
                try edit(devices[random.below(devices.count)])
                if random.percent(25) { _ = try await devices[random.below(devices.count)].engine.sync() }
            }
            for _ in 0..<3 { for device in devices { _ = try await device.engine.sync() } }
        }
        try await run(devices)
        hub.restore(InMemoryHub().backup())
        let all = devices + [try Device("desk", InMemoryStore(), self)]
        for device in all { _ = try await device.engine.sync() }
        try await run(all)
        for device in all { #expect(device.log.close()) }
        for options in [[], ["--policy-for", "Note=record-last-writer-wins"]] {
            let found = try await TestWorld.findings([directory.file("logs")] + options)
            #expect(found == [], "seed \(seed): \(found.joined(separator: "; "))")
        }
    }
}
