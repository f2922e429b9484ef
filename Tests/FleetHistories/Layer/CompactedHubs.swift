import ConflictAudit
import ConflictAuditTesting
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
package import Testing

/// Devices whose hub lets go of what nobody needs any more, held against the same devices on a hub that keeps everything.
package struct CompactedHubs {
    /// Rules by which other things are needed.
    static let rules: [MergeRules] = [
        MergeRules(), MergeRules(fields: ["card": ["visits": .counter, "tags": .set]]),
        MergeRules(fields: ["card": ["visits": .counter, "tags": .set]], deletes: .editWins),
        MergeRules(types: ["card": .record(.lastWriterWins)]),
        MergeRules(
            fields: ["card": ["x": .firstWriterWins, "y": .lastArrivalWins, "z": .manual, "w": .maximum]], deletes: .lastWriterWins),
    ]

    /// What came of a history.
    private struct Outcome {
        /// What each device that was there from the beginning has logged.
        var logs: [[String]] = []
        /// What one that came late has logged of what was written since.
        var lateLog: [String] = []
        var records: [[FieldMap?]] = []
        /// How many writes the hub had let go of when the late one came, of how many.
        var (compacted, writes) = (0, 0)
    }

    /// Lets three devices and a late one write and sync, and expects that compaction changes nothing of what they show and find.
    ///
    /// - Returns: How many writes were let go of, of how many.
    @discardableResult
    package static func check(seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws -> (compacted: Int, writes: Int)
    {
        let whole = try await run(seed: seed, on: WholeHub.init, sourceLocation)
        let compacted = try await run(seed: seed, on: { $0 }, sourceLocation)
        #expect(compacted.records == whole.records, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(compacted.logs == whole.logs, "seed \(seed)", sourceLocation: sourceLocation)
        // In a field that only writes named which were let go of, it may not tell that an edit has won over a delete.
        let known = Set(compacted.lateLog)
        let others = whole.lateLog.filter { !(known.contains($0) || $0.hasPrefix("delete_update") && $0.hasSuffix("edit_wins")) }
        #expect(others == [], "seed \(seed)", sourceLocation: sourceLocation)
        #expect(known.subtracting(whole.lateLog) == [], "seed \(seed)", sourceLocation: sourceLocation)
        #expect(whole.lateLog.count - compacted.lateLog.count <= 1, "seed \(seed)", sourceLocation: sourceLocation)
        return (compacted.compacted, compacted.writes)
    }

    private static func run<Compacting: CompactingHub>(
        seed: UInt64, on made: (InMemoryHub) -> Compacting, _ sourceLocation: SourceLocation
    ) async throws -> Outcome {
        var random = SplitMix64(seed: seed)
        let clock = ManualClock()
        let memory = InMemoryHub(wallClock: clock.wallClock)
        let hub = made(memory)
        let rules = rules[Int(seed % UInt64(rules.count))]
        func open(_ name: DeviceID, on hub: any Hub) throws -> Device { try Device(name, hub: hub, clock: clock, rules: rules) }
        let devices = [try open("a", on: hub), try open("b", on: hub), try open("c", on: hub)]
        let audit = try open("audit", on: ReadingHub(hub))
        var outcome = Outcome()

        func step(_ devices: [Device], _ number: Int) async throws {
            clock.advance(by: .milliseconds(Int64(random.below(3))))
            let device = devices[random.below(devices.count)]
            let key = RecordKey(type: "card", id: RecordID(String(random.below(4))))
            switch random.below(16) {
            case 0: if adds(rules, "visits") { try device.replica.increment("visits", of: key, by: Int64(random.below(9))) }
            case 1: if adds(rules, "tags") { try device.replica.add([.number(JSONNumber(random.below(4)))], to: "tags", of: key) }
            case 2:
                let tags = try device.replica.get(key)?["tags"]?.array ?? []
                if adds(rules, "tags"), !tags.isEmpty { try device.replica.remove([tags[random.below(tags.count)]], from: "tags", of: key) }
            case 3..<7:
                var fields = FieldMap()
                for name in ["w", "x", "y", "z"] as [FieldName] where random.percent(40) {
                    fields[name] = random.percent(10) ? .null : .number(JSONNumber(number))
                }
                if !fields.isEmpty { try device.replica.put(fields, to: key) }
            case 7: try device.replica.delete(key)
            case 8, 9:
                // The server's own replica is never behind for long.
                try await audit.sync()
                try await audit.replica.compact(hub)
            default: try await device.sync()
            }
        }

        // Nobody waits for one that has never synced.
        for device in devices { try await device.sync() }
        for number in 0..<120 { try await step(devices, number) }
        for _ in 0..<3 { for device in devices + [audit] { try await device.sync() } }
        try await audit.replica.compact(hub)
        let page = try await hub.pull(PullRequest(device: "nobody", cursor: 0, limit: 100_000))
        (outcome.compacted, outcome.writes) = (page.compacted.count, Int(page.cursor))
        let late = try open("late", on: hub)
        try await late.sync()
        try expectSame(devices + [audit, late], "seed \(seed), when one comes late", sourceLocation)
        let known = Set(memory.allDots)
        for number in 120..<200 { try await step(devices + [late], number) }
        for _ in 0..<4 {
            for device in devices + [audit, late] {
                clock.advance(by: .milliseconds(10))
                try await device.sync()
            }
        }
        try await audit.replica.compact(hub)
        let last = try open("last", on: hub)
        try await last.sync()
        try expectSame(devices + [audit, late, last], "seed \(seed)", sourceLocation)
        outcome.records = try (0..<4).map { id in
            try devices.map { try $0.replica.get(RecordKey(type: "card", id: RecordID(String(id)))) }
        }
        outcome.logs = devices.map(\.conflicts)
        outcome.lateLog = late.sink.conflicts.filter { !known.contains($0.winner.dot) || !known.contains($0.loser.dot) }.map(\.short)
        return outcome
    }

    private static func adds(_ rules: MergeRules, _ field: FieldName) -> Bool { rules.fields["card"]?[field] != nil }

    private static func expectSame(_ devices: [Device], _ comment: Comment, _ sourceLocation: SourceLocation) throws {
        let checkpoints = try devices.map { try #require(try $0.replica.checkpoint(), comment, sourceLocation: sourceLocation) }
        let names = devices.map(\.name)
        for (name, checkpoint) in zip(names, checkpoints) {
            #expect(checkpoint.digest == checkpoints[0].digest, "\(name): \(comment)", sourceLocation: sourceLocation)
            #expect(checkpoint.seen == checkpoints[0].seen, "\(name): \(comment)", sourceLocation: sourceLocation)
        }
    }
}

/// A hub that is asked to let go of writes and keeps them.
private struct WholeHub: ForwardingHub, CompactingHub {
    let memory: InMemoryHub
    var hub: any Hub { memory }

    init(_ memory: InMemoryHub) { self.memory = memory }

    func compact(_ request: CompactionRequest) async throws -> Compaction { Compaction() }
}

/// A replica that says what a hub may let go of; it begins anew where the hub was put back.
final class HubAudit {
    private let make: () throws -> Device
    private var device: Device

    init(_ hub: InMemoryHub, _ clock: ManualClock, _ rules: MergeRules) throws {
        make = { try Device("audit", hub: ReadingHub(hub), clock: clock, rules: rules) }
        device = try make()
    }

    func compact(_ hub: InMemoryHub) async throws {
        do {
            try await device.sync()
            try await device.replica.compact(hub)
        } catch let error as SyncLayerError where error.code == .hubReplaced {
            device = try make()
        }
    }
}
