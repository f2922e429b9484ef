import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

@testable import SyncLayer

/// What a process without a sink finds is told by one that has a sink.
@Suite struct UnheardTests {
    /// A phone whose app extension syncs, and a tablet to be in conflict with.
    private struct Household {
        let world: World
        let app: Device
        let appExtension: Device

        init(store: any ReplicaStore = InMemoryStore()) throws {
            world = try World()
            app = try Device("phone", hub: world.hub, clock: world.clock, store: store)
            appExtension = try Device("phone", hub: world.hub, clock: world.clock, store: store) { $0.sink = nil }
        }

        /// The extension merges what the tablet wrote beside a write of the phone.
        func conflict(on key: RecordKey) async throws {
            try await appExtension.sync()
            try await world.a.sync()
            try world.a.replica.put(["x": 1], to: key)
            try await world.a.sync()
            world.wait(1)
            try appExtension.replica.put(["x": 2], to: key)
            try await appExtension.sync()
        }
    }

    @Test func theRunningAppReportsItOnceWithItsNextWrite() async throws {
        let household = try Household()
        let app = household.app
        let changes = app.replica.changes
        try await household.conflict(on: card)
        #expect(app.conflicts.isEmpty)
        let mine = RecordKey(type: "note", id: "1")
        try app.replica.put(["y": 1], to: mine)
        #expect(app.conflicts == ["insert_insert x: phone:1 over a:1, newer"])
        #expect(app.replica.statistics.totalConflicts == 1)
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change?.keys == [card, mine] && change?.origin == .both)
        try app.replica.put(["y": 2], to: mine)
        try app.restart()
        try household.appExtension.restart()
        try app.replica.put(["y": 3], to: mine)
        #expect(app.conflicts.count == 1)
        #expect(household.appExtension.replica.statistics.totalConflicts == 0)
    }

    @Test func anAppOpenedLaterReportsItAndAVisitingCommandDoesNot() async throws {
        let household = try Household()
        try await household.conflict(on: card)
        let visitor = try ReplicaVisitor(store: household.app.store)
        let conflict = try #require(household.world.b.replica.activeConflicts.first ?? Self.conflict)
        #expect(throws: SyncLayerError.self) { try visitor.restore(conflict) }
        // Another process without a sink comes first, and leaves it to one that has a sink.
        try household.appExtension.restart()
        try household.appExtension.replica.put(["y": 1], to: RecordKey(type: "note", id: "1"))
        try household.app.restart()
        #expect(household.app.conflicts == ["insert_insert x: phone:1 over a:1, newer"])
    }

    @Test func writesOfAProcessWithoutASinkAreNotKept() throws {
        let store = InMemoryStore()
        var configuration = ReplicaConfiguration()
        configuration.reportsWrites = true
        let silent = try Replica(device: "a", store: store, configuration: configuration)
        try silent.put(["x": 1], to: card)
        #expect(try store.read { try $0.rows(in: .unheard, startingWith: [], after: nil, limit: 1) }.isEmpty)
    }

    private static let conflict: Conflict? = {
        let (one, other) = (
            TaggedWrite(
                dot: Dot(device: "z", sequence: 7), timestamp: HybridTimestamp(milliseconds: 2), key: card, operation: .put(["x": 1]),
                seen: [:]),
            TaggedWrite(
                dot: Dot(device: "y", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1), key: card, operation: .put(["x": 2]),
                seen: [:])
        )
        var state = RecordState(key: card)
        _ = state.merge(one, rules: MergeRules())
        return state.merge(other, rules: MergeRules()).first.map { ConflictClassifier(rules: AuditRules()).conflict($0) }
    }()

    @Test func aFailedTransactionLeavesItForTheNext() async throws {
        let household = try Household()
        try await household.conflict(on: card)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try household.app.replica.write { _ in throw Stop() } }
        #expect(household.app.conflicts.isEmpty)
        try household.app.replica.put(["y": 1], to: card)
        #expect(household.app.conflicts.count == 1)
    }

    @Test func unreportedFindingsAreBoundedAndDroppedOnesCounted() throws {
        let store = InMemoryStore()
        var configuration = ReplicaConfiguration()
        let silent = try Replica(device: "a", store: store, configuration: configuration)
        let pairs = UnheardEvents.maximumTransactions + 20
        for number in 1...UInt64(pairs) {
            let key = RecordKey(type: "note", id: RecordID(String(number)))
            try silent.put(["x": 1], to: key)
            let theirs = TaggedWrite(
                dot: Dot(device: "b", sequence: number), timestamp: HybridTimestamp(milliseconds: 1), key: key, operation: .put(["x": 2]),
                seen: [:], receipt: TaggedWrite.Receipt(milliseconds: 1, hubSequence: number))
            _ = try silent.merge(PullPage(writes: [theirs], bytes: 0, cursor: number, hasMore: false))
        }
        let rows = try store.read { try $0.rows(in: .unheard, startingWith: [], after: nil, limit: .max).count }
        #expect(rows == UnheardEvents.maximumTransactions + 1)
        let sink = CollectingAuditSink()
        configuration.sink = sink
        _ = try Replica(device: "a", store: store, configuration: configuration)
        #expect(sink.conflicts.count == UnheardEvents.maximumTransactions)
        guard case .log(.dropped(let count)) = sink.events.first?.content else {
            Issue.record("the first event is \(String(describing: sink.events.first))")
            return
        }
        #expect(count == 20)
        #expect(try store.read { try $0.rows(in: .unheard, startingWith: [], after: nil, limit: 9).isEmpty })
    }
}
