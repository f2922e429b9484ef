import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// Conflicts that wait for the app.
@Suite struct ManualConflictTests {
    private func collided(_ rules: MergeRules = MergeRules(standard: .fields(.manual))) async throws -> World {
        let world = try World(rules: rules)
        try world.a.replica.put(["x": "mine"], to: card)
        world.wait(1)
        try world.b.replica.put(["x": "theirs"], to: card)
        try await world.meet()
        return world
    }

    @Test func aConflictWaitsOnEveryDeviceUntilOneDecides() async throws {
        let world = try await collided()
        #expect(try world.shown(card) == ["x": "theirs"])
        let waiting = try #require(world.a.replica.activeConflicts.first)
        #expect(world.b.replica.activeConflicts.map(\.id) == [waiting.id])
        #expect(waiting.resolution == .manualPending && !waiting.isAutomatic)
        #expect(world.a.replica.statistics.unresolvedConflicts == 1)
        #expect(world.a.replica.conflictSummary == "1 conflict: 0 resolved automatically, 1 waiting, 1 lost an edit")

        try world.a.replica.resolve(waiting.id, with: "both")
        #expect(world.a.replica.activeConflicts == [])
        #expect(world.a.replica.statistics.unresolvedConflicts == 0)
        try await world.meet()
        #expect(try world.shown(card) == ["x": "both"])
        for device in [world.a, world.b] {
            #expect(device.replica.activeConflicts == [])
            #expect(device.sink.conflicts.map(\.resolution) == [.manualPending, .manualResolved])
            #expect(device.sink.conflicts.map(\.id) == [waiting.id, waiting.id])
            #expect(device.sink.conflicts.last?.result == "both")
            #expect(device.sink.conflicts.map(\.winner) == [waiting.winner, waiting.winner], "who was shown has not changed")
        }
        let error = #expect(throws: SyncLayerError.self) { try world.b.replica.resolve(waiting.id, with: 1) }
        #expect(error?.code == .notFound)
    }

    @Test func waitingConflictsOutlastARestartAndAreNotCountedAgain() async throws {
        let world = try await collided()
        let waiting = world.a.replica.activeConflicts
        try world.a.restart()
        #expect(world.a.replica.activeConflicts == waiting)
        #expect(world.a.replica.statistics.totalConflicts == 0)
        #expect(world.a.sink.conflicts.count == 1)
        try world.a.replica.resolve(waiting[0].id, with: "decided")
        #expect(world.a.replica.activeConflicts == [])
        #expect(world.a.replica.statistics.unresolvedConflicts == 0)
        #expect(world.a.sink.conflicts.map(\.resolution) == [.manualPending, .manualResolved])
        try world.a.restart()
        #expect(world.a.replica.activeConflicts == [])
    }

    @Test func aPlainPutDecidesAndSoDoesADelete() async throws {
        let world = try await collided()
        try world.a.replica.put(["x": "plain"], to: card)
        #expect(world.a.sink.conflicts.last?.resolution == .manualResolved)
        let other = try await collided()
        try other.a.replica.delete(card)
        #expect(other.a.replica.activeConflicts == [])
        #expect(other.a.sink.conflicts.last?.result == nil)
    }

    @Test func aPutToAnotherFieldDecidesNothing() async throws {
        let world = try await collided()
        try world.a.replica.put(["y": 1], to: card)
        #expect(world.a.replica.activeConflicts.count == 1)
    }

    @Test func aConflictOfAWholeRecordIsDecidedByAnObjectOfFields() async throws {
        let world = try await collided(MergeRules(standard: .record(.manual)))
        let waiting = try #require(world.b.replica.activeConflicts.first)
        #expect(waiting.field == nil)
        #expect(throws: SyncLayerError.self) { try world.b.replica.resolve(waiting.id, with: "text") }
        try world.b.replica.resolve(waiting.id, with: ["x": "both"])
        try await world.meet()
        #expect(try world.shown(card) == ["x": "both"])
        #expect(world.a.replica.activeConflicts == [])
    }

    @Test func concurrentDecisionsAreANewConflictThatWaits() async throws {
        let world = try await collided()
        let waiting = try #require(world.a.replica.activeConflicts.first)
        try world.a.replica.resolve(waiting.id, with: "a's way")
        world.wait(1)
        try world.b.replica.resolve(waiting.id, with: "b's way")
        try await world.meet()
        #expect(try world.shown(card) == ["x": "b's way"])
        #expect(world.a.replica.activeConflicts.map(\.id) == world.b.replica.activeConflicts.map(\.id))
        #expect(world.a.replica.activeConflicts.count == 1 && world.a.replica.activeConflicts.first?.id != waiting.id)
    }

    @Test func twoRecordsWithOneUniqueValueWaitUntilOneChanges() async throws {
        let world = try World { $0.auditRules.uniqueFields = [ConflictStatistics.FieldKey(type: "card", field: "email")] }
        let other = RecordKey(type: "card", id: "2")
        try world.a.replica.put(["email": "jane@example.com"], to: card)
        world.wait(1)
        try world.b.replica.put(["email": "jane@example.com"], to: other)
        try await world.meet()
        for device in [world.a, world.b] { #expect(device.replica.activeConflicts.map(\.kind) == [.uniqueKey]) }
        let id = try #require(world.a.replica.activeConflicts.first?.id)
        #expect(throws: SyncLayerError.self) { try world.a.replica.resolve(id, with: "x") }
        try world.a.restart()
        try world.a.replica.put(["email": "roe@example.com"], to: other)
        try await world.meet()
        for device in [world.a, world.b] { #expect(device.replica.activeConflicts == []) }
        #expect(world.a.sink.conflicts.map(\.resolution) == [.manualPending, .manualResolved])
    }

    @Test func aSharedUniqueValueIsFoundRightAfterARestart() async throws {
        let world = try World { $0.auditRules.uniqueFields = [ConflictStatistics.FieldKey(type: "card", field: "email")] }
        try world.a.replica.put(["email": "jane@example.com"], to: card)
        world.wait(1)
        try world.b.replica.put(["email": "jane@example.com"], to: RecordKey(type: "card", id: "2"))
        try await world.b.sync()
        try world.a.restart()
        try await world.a.sync()
        #expect(world.a.replica.activeConflicts.map(\.kind) == [.uniqueKey])
    }
}
