import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncMerge
import SyncModel
import Testing

@Suite struct ReplicaVisitorTests {
    /// Two devices that put the field at once; the conflict as the first of them logged it.
    private func clash(rules: MergeRules = MergeRules(), _ mine: FieldValue = "mine", _ theirs: FieldValue = "theirs") async throws -> (
        World, Conflict
    ) {
        let world = try World(rules: rules)
        try await world.meet()
        try world.a.replica.put(["f": mine], to: card)
        world.wait(1)
        try world.b.replica.put(["f": theirs], to: card)
        try await world.meet()
        return (world, try #require(world.a.sink.conflicts.first))
    }

    private func visit(_ device: Device) throws -> ReplicaVisitor {
        var configuration = device.configuration
        configuration.sink = nil
        return try ReplicaVisitor(store: device.store, configuration: configuration)
    }

    @Test(arguments: [false, true]) func theRestoredValueWinsOnEveryDevice(isWinnersDevice: Bool) async throws {
        let (world, conflict) = try await clash()
        let device = isWinnersDevice ? world.b : world.a
        let write = try visit(device).restore(conflict)
        #expect(write.dot.device == device.name)
        #expect(conflict.isRestored(by: write))
        #expect(try device.replica.outboxStatus().writes == 1)
        try await world.meet()
        #expect(try world.shown(card) == ["f": "mine"])
        #expect(world.a.sink.conflicts.count + world.b.sink.conflicts.count == 2)
    }

    @Test func theAppsOwnLogTellsOfItWhenTheAppNextOpensTheStore() async throws {
        let (world, conflict) = try await clash()
        let before = world.a.sink.events.count
        let write = try visit(world.a).restore(conflict)
        #expect(world.a.sink.events.count == before)
        try world.a.restart()
        #expect(world.a.sink.events.dropFirst(before).contains { $0.content == .write(write) })
    }

    /// What the store holds for the app's log, it holds after the visit too.
    @Test func aJournalThatTheAppHasNotReadStays() async throws {
        let (world, conflict) = try await clash()
        try world.a.replica.put(["g": 1], to: card)
        let waiting = try world.a.store.read { try $0.entries(in: .journal, after: 0, limit: .max, bytes: .max) }
        #expect(!waiting.isEmpty)
        _ = try visit(world.a).restore(conflict)
        let after = try world.a.store.read { try $0.entries(in: .journal, after: 0, limit: .max, bytes: .max) }
        #expect(after.prefix(waiting.count) == waiting[...])
        #expect(after.count == waiting.count + 1)
    }

    @Test func whatHasMovedOnNeedsForce() async throws {
        let (world, conflict) = try await clash()
        try world.b.replica.put(["f": "later"], to: card)
        try await world.meet()
        #expect { try self.visit(world.a).restore(conflict) } throws: { ($0 as? SyncLayerError)?.code == .superseded }
        #expect(try world.a.replica.outboxStatus().writes == 0)
        _ = try visit(world.a).restore(conflict, force: true)
        try await world.meet()
        #expect(try world.shown(card) == ["f": "mine"])
    }

    @Test func aReplicaThatHasNotMergedBothSidesIsLeftAlone() async throws {
        let (world, conflict) = try await clash()
        let late = try Device("c", hub: world.hub, clock: world.clock)
        try late.replica.put(["x": 1], to: RecordKey(type: "card", id: "9"))
        #expect { try self.visit(late).restore(conflict) } throws: { ($0 as? SyncLayerError)?.code == .notFound }
        #expect(throws: SyncLayerError.self) { try ReplicaVisitor(store: InMemoryStore()) }
    }

    /// Both fleets have a device a and a device b, which count from 1.
    @Test(arguments: [false, true]) func aStoreOfAnotherFleetIsLeftAlone(hasTheRecord: Bool) async throws {
        let (_, conflict) = try await clash()
        let other = try World()
        other.wait(60)
        // What was overwritten since is known by its number alone.
        for number in 1...(hasTheRecord ? 1 : 3) {
            let key = hasTheRecord ? card : RecordKey(type: "card", id: RecordID("other \(number)"))
            try other.a.replica.put(["f": .number(JSONNumber(number))], to: key)
            try other.b.replica.put(["f": .number(JSONNumber(-number))], to: key)
            try await other.meet()
        }
        for device in [other.a, other.b] {
            #expect { try self.visit(device).restore(conflict, force: true) } throws: {
                ($0 as? SyncLayerError)?.code == .notFound && "\($0)".contains("the log is not that of its fleet")
            }
            #expect(try device.replica.outboxStatus().writes == 0)
        }
    }

    /// The same names and times, but not what was written.
    @Test func aStoreWithOtherContentIsLeftAlone() async throws {
        let (_, conflict) = try await clash()
        let (other, same) = try await clash("other mine", "other theirs")
        #expect(conflict.id == same.id && conflict.loser.timestamp == same.loser.timestamp)
        // Where the losing write is gone from the store, its name is all there is to hold it against.
        let keeps = try visit(other.a)
        let error = #expect(throws: SyncLayerError.self) { try keeps.restore(conflict, force: true) }
        #expect(error?.code == .notFound)
    }

    @Test func otherRulesThanTheStoresAreRefused() async throws {
        let (world, conflict) = try await clash(rules: MergeRules(standard: .fields(.firstWriterWins)))
        let error = #expect(throws: SyncLayerError.self) { try ReplicaVisitor(store: world.a.store, configuration: ReplicaConfiguration()) }
        #expect(error?.code == .rulesDiffer)
        #expect(try world.a.replica.outboxStatus().writes == 0)
        // Those that the store keeps need not be given.
        #expect(try ReplicaVisitor(store: world.a.store).restore(conflict).fields == ["f": "theirs"])
    }

    @Test func theAppsOwnPolicyNeedsTheApp() async throws {
        let first = CustomPolicy(name: "first") { $0.candidates.first.map { .winner($0.dot) } ?? .undecided }
        let (world, conflict) = try await clash(rules: MergeRules(fields: ["card": ["f": .custom(first)]], version: 3))
        let error = #expect(throws: SyncLayerError.self) { try ReplicaVisitor(store: world.a.store).restore(conflict) }
        #expect(error?.code == .rulesDiffer)
        #expect(error?.description.contains("\"first\"") == true)
        #expect(try visit(world.a).restore(conflict).fields == ["f": "theirs"])
    }

    @Test func aDeletedRecordComesBackWithTheFieldThatWasLost() async throws {
        let world = try World()
        try world.a.replica.put(["f": 1], to: card)
        try await world.meet()
        try world.a.replica.put(["f": 2], to: card)
        try world.b.replica.delete(card)
        try await world.meet()
        let conflict = try #require(world.b.sink.conflicts.first)
        #expect(conflict.severity == .destructive)
        _ = try visit(world.b).restore(conflict)
        try await world.meet()
        #expect(try world.shown(card) == ["f": 2])
    }

    @Test func theRestoredWriteIsOfNoOtherConflict() async throws {
        let (_, conflict) = try await clash()
        let key = RecordKey(type: "card", id: "2")
        let write = TaggedWrite(
            dot: Dot(device: "c", sequence: 1), timestamp: conflict.winner.timestamp, key: key, operation: .put(["f": "mine"]),
            seen: [conflict.winner.dot.device: 9, conflict.loser.dot.device: 9])
        #expect(!conflict.isRestored(by: write))
    }
}
