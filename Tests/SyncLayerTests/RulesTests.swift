import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

@testable import SyncLayer

/// Rules of a store.
@Suite struct RulesTests {
    private func refusal(_ rules: MergeRules, after kept: MergeRules, _ fill: (Replica) throws -> Void = { _ in }) throws -> SyncLayerError?
    {
        let store = InMemoryStore()
        let replica = try Replica(device: "a", store: store, configuration: Self.configuration(kept))
        try fill(replica)
        let digest = try replica.checkpoint()
        let error = #expect(throws: SyncLayerError.self) {
            try Replica(device: "a", store: store, configuration: Self.configuration(rules))
        }
        // The store is as it was.
        #expect(try Replica(device: "a", store: store, configuration: Self.configuration(kept)).checkpoint() == digest)
        return error
    }

    private static func configuration(_ rules: MergeRules) -> ReplicaConfiguration {
        var configuration = ReplicaConfiguration()
        configuration.mergeRules = rules
        return configuration
    }

    static let differences: [(kept: MergeRules, app: MergeRules, sentence: String)] = [
        (
            MergeRules(), MergeRules(fields: ["Card": ["visits": .counter]]),
            "Card.visits: the store was merged by last-writer-wins, the app says counter: "
        ),
        (
            MergeRules(fields: ["Card": ["tags": .set]]), MergeRules(),
            "Card.tags: the store was merged by set, the app says last-writer-wins: "
        ),
        (
            MergeRules(), MergeRules(types: ["Card": .record(.lastWriterWins)]),
            "Card: the store was merged by last-writer-wins, the app says record-level last-writer-wins: "
        ),
        (
            MergeRules(standard: .fields(.preferDevices(["a", "b"]))), MergeRules(standard: .fields(.preferDevices(["b", "a"]))),
            "every other record type: the store was merged by prefer-devices (\"a\", \"b\"), the app says prefer-devices (\"b\", \"a\"): "
        ),
        (
            MergeRules(standard: .fields(.custom(CustomPolicy(name: "counter") { _ in .undecided }))),
            MergeRules(standard: .fields(.counter)),
            "every other record type: the store was merged by the app's own policy \"counter\", the app says counter: "
        ),
        (MergeRules(), MergeRules(deletes: .editWins), "deletes: the store was merged by delete-wins, the app says edit-wins: "),
        (
            MergeRules(), MergeRules(intervals: IntervalRule(window: .milliseconds(1))),
            "window: the store was merged by 300000 ms with a tolerance of 2000 ms, the app says 1 ms with a tolerance of 2000 ms: "
        ),
        (MergeRules(version: 2), MergeRules(version: 1), "the store was merged by rules of version 2, and the app has version 1: "),
    ]

    @Test(arguments: differences)
    func otherRulesAreRefusedAndTheDifferenceIsNamed(kept: MergeRules, app: MergeRules, sentence: String) throws {
        let value: FieldValue = if case .set = kept.policy(for: "card", field: "x") { [1] } else { 1 }
        let error = try refusal(app, after: kept) { try $0.put(["x": value], to: card) }
        #expect(error?.code == .rulesDiffer)
        #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
    }

    @Test func rulesThatDecideAlikeAreTheSame() throws {
        let store = InMemoryStore()
        let wordy = MergeRules(
            types: ["Card": .fields(.lastWriterWins), "Note": .record(.manual)],
            fields: ["Card": ["a": .lastWriterWins, "b": .set], "Note": ["c": .counter], "Empty": [:]])
        let short = MergeRules(types: ["Note": .record(.manual)], fields: ["Card": ["b": .set]])
        _ = try Replica(device: "a", store: store, configuration: Self.configuration(wordy))
        _ = try Replica(device: "a", store: store, configuration: Self.configuration(short))
    }

    @Test func anOlderStoreAdoptsTheFirstRulesItIsOpenedWith() throws {
        let store = InMemoryStore()
        let old = try Replica(device: "a", store: store, configuration: Self.configuration(MergeRules()))
        try old.put(["n": 1], to: card)
        try store.write(.process) { try $0.removeRow(Array("rules".utf8), from: .settings) }
        let rules = MergeRules(standard: .fields(.maximum))
        _ = try Replica(device: "a", store: store, configuration: Self.configuration(rules))
        #expect(#expect(throws: SyncLayerError.self) { try old.put(["n": 2], to: card) }?.code == .rulesDiffer)
        #expect(try store.read { try StoreRules.kept($0) } == KeptRules(rules))
    }

    static let obstacles: [(kept: MergeRules, app: MergeRules, word: String)] = [
        (MergeRules(fields: ["card": ["n": .counter]]), MergeRules(version: 1), "card.n: what counter has added up"),
        (
            MergeRules(fields: ["card": ["n": .counter]]), MergeRules(fields: ["card": ["n": .set]], version: 1),
            "card.n: what counter has added up"
        ),
        (
            MergeRules(), MergeRules(fields: ["card": ["x": .lastArrivalWins]], version: 1),
            "card.x: lastArrivalWins goes by the hub's order"
        ),
        (MergeRules(standard: .fields(.set)), MergeRules(version: 1), "every other record type: what set has added up"),
        (MergeRules(), MergeRules(standard: .record(.lastWriterWins), version: 1), "card: card/1 was merged by last-writer-wins"),
        (MergeRules(standard: .record(.manual)), MergeRules(version: 1), "card: card/1 was merged by record-level manual"),
        (
            MergeRules(standard: .record(.manual)), MergeRules(standard: .record(.maximum), version: 1),
            "card: card/1 was merged by record-level manual, and record-level maximum"
        ),
        (
            MergeRules(standard: .record(.manual)), MergeRules(standard: .record(.manual), deletes: .editWins, version: 1),
            "card: card/1 was merged by delete-wins, and edit-wins"
        ),
        (MergeRules(), MergeRules(intervals: IntervalRule(tolerance: .zero), version: 1), "window: "),
    ]

    @Test(arguments: obstacles)
    func rulesThatNeedLostHistoryAreRefusedAndNothingChanges(kept: MergeRules, app: MergeRules, word: String) throws {
        let value: FieldValue = if case .set = kept.policy(for: "card", field: "x") { [1] } else { 1 }
        let error = try refusal(app, after: kept) { try $0.put(["x": value], to: card) }
        #expect(error?.code == .rulesDiffer)
        #expect(error?.description.hasPrefix(word) == true, "\(error?.description ?? "")")
    }

    @Test func aPlainValueThatLooksLikeAChangeOfACounterIsRefused() throws {
        let error = try refusal(MergeRules(fields: ["card": ["n": .counter]], version: 1), after: MergeRules()) {
            try $0.put(["n": CounterWrite(total: 4).value], to: card)
        }
        #expect(error?.description.contains("write a plain value first") == true)
    }

    @Test func aTypeWithoutRecordsMayBeMergedWhole() throws {
        let store = InMemoryStore()
        try Replica(device: "a", store: store).put(["x": 1], to: card)
        let rules = MergeRules(types: ["note": .record(.lastWriterWins)], version: 1)
        #expect(try Replica(device: "a", store: store, configuration: Self.configuration(rules)).get(card) == ["x": 1])
    }

    /// The three examples of the row: what was shown wrong, or differently from a new device.
    @Test func aNumberBecomesACountersBaseAndAListASetsElements() async throws {
        let world = try World()
        try world.a.replica.put(["visits": 5, "tags": ["a", "b"]], to: card)
        try await world.meet()
        let rules = MergeRules(fields: ["card": ["visits": .counter, "tags": .set]], version: 1)
        try world.a.reopen(rules)
        try world.b.reopen(rules)
        try world.a.replica.increment("visits", of: card)
        try world.b.replica.increment("visits", of: card, by: 2)
        try world.a.replica.add(["c"], to: "tags", of: card)
        try world.b.replica.remove(["a"], from: "tags", of: card)
        try await world.meet()
        #expect(try world.shown(card) == ["visits": 8, "tags": ["b", "c"]])
        let new = try Device("new", hub: world.hub, clock: world.clock, rules: rules)
        try await new.sync()
        #expect(try new.replica.checkpoint() == world.a.replica.checkpoint())
    }

    @Test func aDeviceWithOldRulesStopsSyncingUntilItIsUpdated() async throws {
        let world = try World()
        try world.a.replica.put(["n": 1], to: card)
        try await world.meet()
        let rules = MergeRules(fields: ["card": ["n": .counter]], version: 1)
        try world.a.reopen(rules)
        try world.a.replica.increment("n", of: card)
        try await world.a.sync()
        try world.b.replica.put(["m": 1], to: card)
        let error = await #expect(throws: SyncLayerError.self) { try await world.b.engine.sync(attempts: 5) }
        #expect(error?.code == .rulesDiffer)
        #expect(try world.b.replica.get(card) == ["n": 1, "m": 1])
        // Also when the device that was updated is gone.
        await world.hub.forget("a")
        #expect(await #expect(throws: SyncLayerError.self) { try await world.b.sync() }?.code == .rulesDiffer)
        try world.b.reopen(rules)
        try await world.b.sync()
        #expect(try world.b.replica.get(card) == ["n": 2, "m": 1])
    }

    @Test func aWaitingConflictThatTheNewRulesDecideIsClosed() async throws {
        let world = try World(rules: MergeRules(standard: .fields(.manual)))
        try world.a.replica.put(["n": 1], to: card)
        try world.b.replica.put(["n": 2], to: card)
        try await world.meet()
        #expect(world.a.replica.activeConflicts.count == 1)
        try world.a.reopen(MergeRules(standard: .fields(.minimum), version: 1))
        #expect(world.a.replica.activeConflicts.isEmpty)
        #expect(world.a.sink.conflicts.last?.resolution == .manualResolved)
        #expect(world.a.sink.conflicts.last?.result == 1)
        #expect(try world.a.replica.get(card) == ["n": 1])
    }
}
