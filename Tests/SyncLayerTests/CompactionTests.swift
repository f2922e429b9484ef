import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// A hub lets go of writes that no device needs any more.
@Suite struct CompactionTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func compactionChangesNothingThatDevicesShowOrFind(seed: UInt64) async throws {
        let (compacted, writes) = try await CompactedHubs.check(seed: seed)
        // Records that are merged whole keep all.
        #expect(seed % 5 == 3 ? compacted == 0 : compacted > 0, "seed \(seed): \(compacted) of \(writes)")
    }

    @Test func whatWaitsHereReplacesNothingAtTheHub() async throws {
        let world = try World()
        for number in 1...3 { try world.a.replica.put(["x": .number(JSONNumber(number))], to: card) }
        try await world.meet()
        try world.a.replica.put(["x": 4], to: card)
        #expect(try await world.a.replica.compact(world.hub) == Compaction())
        #expect(try await world.b.replica.compact(world.hub).compacted == 1)
        let late = try Device("late", hub: world.hub, clock: world.clock)
        try await late.sync()
        #expect(try late.replica.get(card) == ["x": 3])
    }

    /// What is only taken for seen by the clock may not have been.
    @Test func whatSaysNothingOfItsContextIsKept() async throws {
        let world = try World()
        for number in 1...3 as ClosedRange<UInt64> {
            let write = TaggedWrite(
                dot: Dot(device: "other", sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number) * 36_000_000),
                key: card,
                operation: .put(["x": .number(JSONNumber(Int64(number)))]), seen: nil)
            _ = try await world.hub.push([write], from: "other")
        }
        await world.hub.forget("other")
        try await world.meet()
        #expect(try await world.a.replica.compact(world.hub) == Compaction(compacted: 0, limit: 3))
    }

    /// An empty store under the name of a device whose last writes are gone goes on behind their numbers.
    @Test func anEmptiedStoreGoesOnBehindWhatWasLetGoOf() async throws {
        let world = try World()
        try world.b.replica.put(["y": 1], to: card)
        try await world.meet()
        for number in 1...3 { try world.b.replica.put(["x": .number(JSONNumber(number))], to: card) }
        try await world.meet()
        for number in 4...5 {
            try world.a.replica.put(["x": .number(JSONNumber(number)), "y": 2], to: card)
            try await world.meet()
        }
        #expect(try await world.a.replica.compact(world.hub).compacted == 4)
        let again = try Device("b", hub: world.hub, clock: world.clock)
        try await again.sync()
        #expect(try again.replica.get(card) == ["x": 5, "y": 2])
        try again.replica.put(["x": 6], to: card)
        try await again.sync()
        try await world.a.sync()
        #expect(try world.a.replica.get(card)?["x"] == 6)
        #expect(try again.replica.writer == "b")
        #expect(world.hub.allDots.last == Dot(device: "b", sequence: 5))
        #expect(world.a.conflicts == [] && again.conflicts == [])
    }

    /// A store that was put back to before it had sent writes that are let go of since: they are known again, and written once.
    @Test func aStoreThatWasPutBackSendsNothingTwice() async throws {
        let world = try World()
        try world.a.replica.put(["x": 0], to: card)
        try await world.meet()
        let store = InMemoryStore()
        let phone = try Device("phone", hub: world.hub, clock: world.clock, store: store)
        try await phone.sync()
        for number in 1...3 { try phone.replica.put(["x": .number(JSONNumber(number))], to: card) }
        let backup = InMemoryStore(copyOf: store)
        try await phone.sync()
        try await world.meet()
        for number in 8...9 {
            try world.a.replica.put(["x": .number(JSONNumber(number))], to: card)
            try await world.meet()
        }
        try await phone.sync()
        #expect(try await world.a.replica.compact(world.hub).compacted == 4)
        let restored = try Device("phone", hub: world.hub, clock: world.clock, store: backup)
        try await restored.sync()
        #expect(try restored.replica.get(card) == ["x": 9])
        #expect(try restored.replica.writer == "phone")
        #expect(try restored.replica.outboxStatus().writes == 0)
        #expect(world.hub.allDots.count == 6)
        #expect(restored.conflicts == [])
    }

    /// One that was away until it was forgotten brings what it had not sent.
    @Test func whoWasForgottenKeepsItsUnsentEdits() async throws {
        let world = try World()
        for number in 1...5 { try world.a.replica.put(["x": .number(JSONNumber(number))], to: card) }
        let away = try Device("away", hub: world.hub, clock: world.clock)
        try await world.meet()
        try await away.sync()
        try away.replica.put(["y": 1], to: card)
        for number in 6...9 { try world.a.replica.put(["x": .number(JSONNumber(number))], to: card) }
        try await world.meet()
        #expect(try await world.a.replica.compact(world.hub).compacted == 5)
        await world.hub.forget("away")
        #expect(try await world.a.replica.compact(world.hub).compacted == 2)
        await #expect(throws: SyncLayerError.self) { try await away.sync() }
        try away.replica.rejoin()
        try await away.sync()
        try await world.meet()
        #expect(try away.replica.get(card) == ["x": 9, "y": 1])
        #expect(try world.shown(card) == ["x": 9, "y": 1])
    }

    /// An edit under a number that was let go of is another one's: its author shows what everybody shows.
    @Test(arguments: [true, false]) func anEditUnderANumberThatWasLetGoOfIsNotLost(isEmptied: Bool) async throws {
        let world = try World()
        let store = InMemoryStore()
        let phone = try Device("phone", hub: world.hub, clock: world.clock, store: store)
        try phone.replica.put(["x": "base"], to: card)
        try await phone.sync()
        try await world.meet()
        let backup = isEmptied ? InMemoryStore() : InMemoryStore(copyOf: store)
        try phone.replica.put(["x": "second"], to: card)
        try await phone.sync()
        try await world.meet()
        for text in ["third", "fourth"] {
            try world.a.replica.put(["x": .string(text)], to: card)
            try await world.meet()
        }
        try await phone.sync()
        #expect(try await world.b.replica.compact(world.hub).compacted == 2)
        let restored = try Device("phone", hub: world.hub, clock: world.clock, store: backup)
        world.wait(1)
        try restored.replica.put(["x": "mine"], to: card)
        try await restored.sync()
        try await world.meet()
        try await restored.sync()
        #expect(try world.shown(card) == ["x": "mine"])
        #expect(try restored.replica.get(card) == ["x": "mine"])
        #expect(try restored.replica.checkpoint() == world.a.replica.checkpoint())
        // With the third, which is kept since the fourth has seen it, and with the fourth.
        #expect(restored.conflicts.count == 2)
    }

    /// What was counted and let go of is counted once, though a store was put back to before it was sent.
    @Test func whatWasCountedIsCountedOnce() async throws {
        let world = try World(rules: MergeRules(fields: ["card": ["visits": .counter]]))
        let store = InMemoryStore()
        let phone = try Device("phone", hub: world.hub, clock: world.clock, store: store, rules: world.a.configuration.mergeRules)
        try phone.replica.put(["x": 1], to: card)
        try await phone.sync()
        try phone.replica.increment("visits", of: card, by: 5)
        let backup = InMemoryStore(copyOf: store)
        try await phone.sync()
        for amount in [3, 2] as [Int64] {
            try phone.replica.increment("visits", of: card, by: amount)
            try await phone.sync()
        }
        try await world.meet()
        try await phone.sync()
        #expect(try await world.a.replica.compact(world.hub).compacted == 1)
        let restored = try Device("phone", hub: world.hub, clock: world.clock, store: backup, rules: world.a.configuration.mergeRules)
        try await restored.sync()
        try await world.meet()
        #expect(try world.shown(card) == ["x": 1, "visits": 10])
        #expect(try restored.replica.get(card) == ["x": 1, "visits": 10])
        #expect(world.hub.allDots.count == 4)
    }

    /// One that was forgotten while the answer to its last push was lost sends nothing twice.
    @Test func whoNeverHeardWhatTheHubHasSendsNothingTwice() async throws {
        let world = try World(rules: MergeRules(fields: ["card": ["visits": .counter]]))
        let line = InterruptibleHub(world.hub)
        let away = try Device("away", hub: line, clock: world.clock, rules: world.a.configuration.mergeRules)
        try away.replica.put(["x": 1], to: card)
        try await away.sync()
        try await world.meet()
        try away.replica.increment("visits", of: card, by: 5)
        try away.replica.put(["x": 2], to: card)
        for calls in 0..<12 where world.hub.allDots.count == 1 {
            line.fail(afterCalls: calls, .afterEffect)
            _ = try? await away.sync()
        }
        #expect(world.hub.allDots.count == 3)
        #expect(try away.replica.outboxStatus().writes == 2)
        try await world.meet()
        try world.b.replica.delete(card)
        try world.b.replica.put(["x": 3], to: card)
        try world.b.replica.increment("visits", of: card, by: 100)
        try await world.meet()
        await world.hub.forget("away")
        #expect(try await world.a.replica.compact(world.hub).compacted > 0)
        _ = try? await away.sync()
        try away.replica.rejoin()
        for device in [away, world.a, world.b, away] { try await device.sync() }
        #expect(try world.shown(card) == ["x": 3, "visits": 100])
        #expect(try away.replica.get(card) == ["x": 3, "visits": 100])
        #expect(world.a.conflicts == [])
    }

    /// Who has merged what the hub has forgotten does not say what the hub may let go of.
    @Test func whoKnowsMoreThanTheHubDecidesNothing() async throws {
        let world = try World()
        let audit = try Device("audit", hub: ReadingHub(world.hub), clock: world.clock)
        try world.b.replica.put(["x": 1], to: card)
        try await world.meet()
        let backup = world.hub.backup()
        try world.a.replica.put(["x": 2], to: card)
        try await world.a.sync()
        try await audit.sync()
        world.hub.restore(backup)
        try await audit.sync()
        await #expect(throws: SyncLayerError.self) { try await audit.replica.compact(world.hub) }
        let fresh = try Device("audit", hub: ReadingHub(world.hub), clock: world.clock)
        try await fresh.sync()
        #expect(try await fresh.replica.compact(world.hub).compacted == 0)
    }

    /// What is let go of has been given to the sink, whatever the sink was given before.
    @Test func whatIsLetGoOfIsLoggedFirst() async throws {
        let world = try World { $0.reportsWrites = false }
        for number in 1...4 { try world.a.replica.put(["x": .number(JSONNumber(number))], to: card) }
        try await world.meet()
        world.b.configuration.flushSink = { throw SyncLayerError(.diskFull, "the disk is full") }
        try world.b.restart()
        await #expect(throws: SyncLayerError.self) { try await world.b.replica.compact(world.hub) }
        #expect(world.hub.writes.count == 4)
        let logged = world.a.sink.writes.count
        #expect(try await world.a.replica.compact(world.hub).compacted == 2)
        #expect(world.a.sink.writes.dropFirst(logged).map(\.dot.sequence) == [1, 2])
    }

    /// A form that sends an old value along is no edit of it, for a device too that came when what it was read from was old.
    @Test func aNewDeviceKnowsWhatAFormSentAlong() async throws {
        let world = try World()
        for number in 0...2 {
            try world.a.replica.put(["x": .number(JSONNumber(number))], to: card)
            try await world.meet()
        }
        let away = try Device("away", hub: world.hub, clock: world.clock)
        try await away.sync()
        try world.a.replica.put(["x": 3], to: card)
        try await world.meet()
        #expect(try await world.a.replica.compact(world.hub).compacted == 2)
        let late = try Device("late", hub: world.hub, clock: world.clock)
        try await late.sync()
        try away.replica.put(["x": 2, "y": 5], to: card)
        try await away.sync()
        try await world.meet()
        try await late.sync()
        func told(_ device: Device) -> [String] {
            device.sink.conflicts.map { "\($0.short), \($0.severity), \($0.isStale), \($0.ancestor ?? .null)" }
        }
        #expect(told(late) == told(world.b) && !told(late).isEmpty, "\(told(late)), \(told(world.b))")
    }
}
