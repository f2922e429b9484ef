import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import Foundation
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSystem
import Testing

/// A replica.
@Suite struct ReplicaTests {
    private let rules = MergeRules(fields: ["card": ["views": .counter, "tags": .set]])

    private func device(_ rules: MergeRules = MergeRules()) throws -> Device {
        let clock = ManualClock()
        return try Device("a", hub: InMemoryHub(wallClock: clock.wallClock), clock: clock, rules: rules)
    }

    private func writes(_ device: Device) -> [TaggedWrite] {
        device.sink.events.compactMap { if case .write(let write) = $0.content { write } else { nil } }
    }

    @Test func putsReadsAndDeletes() throws {
        let device = try device()
        #expect(try device.replica.get(card) == nil)
        #expect(try device.replica.delete(card) == nil, "there is nothing to delete")
        #expect(try device.replica.put(["name": "Jane", "phone": "1"], to: card) == Dot(device: "a", sequence: 1))
        try device.replica.put(["phone": .null], to: card)
        #expect(try device.replica.get(card) == ["name": "Jane"])
        #expect(try device.replica.delete(card) == Dot(device: "a", sequence: 3))
        #expect(try device.replica.get(card) == nil)
    }

    @Test func recordsOfATypeComeInOrderWithoutDeletedOnes() throws {
        let device = try device()
        for id in ["2", "10", "3"] { try device.replica.put(["n": .string(id)], to: RecordKey(type: "card", id: RecordID(id))) }
        try device.replica.put(["n": "other"], to: RecordKey(type: "note", id: "1"))
        try device.replica.delete(RecordKey(type: "card", id: "3"))
        #expect(try device.replica.records(ofType: "card").map { $0.fields["n"] } == ["10", "2"])
    }

    @Test func lastEditorsAreTheSameOnEveryDevice() async throws {
        let world = try World()
        try world.a.replica.put(["name": "Jane", "phone": "1"], to: card)
        #expect(try world.a.replica.edits(of: card)?.latest.device == "a")
        try await world.meet()
        try world.b.replica.put(["phone": "2"], to: card)
        try await world.meet()
        for device in [world.a, world.b] {
            let edits = try #require(try device.replica.edits(of: card))
            #expect(edits.latest.dot == Dot(device: "b", sequence: 1))
            #expect(edits.fields.mapValues(\.dot) == ["name": Dot(device: "a", sequence: 1), "phone": Dot(device: "b", sequence: 1)])
            let records = try device.replica.records(ofType: card.type, withEdits: true)
            #expect(records.map(\.edits) == [edits])
            #expect(try device.replica.records(ofType: card.type).map(\.edits) == [nil])
        }
        try world.a.replica.delete(card)
        #expect(try world.a.replica.edits(of: card) == nil)
        #expect(try world.a.replica.edits(of: RecordKey(type: "card", id: "none")) == nil)
    }

    @Test func everyWriteHasANumberALaterTimestampAndItsContext() async throws {
        let world = try World()
        try world.a.replica.put(["x": 1], to: card)
        try world.a.replica.put(["x": 2], to: RecordKey(type: "card", id: "other"))
        try world.a.replica.put(["x": 3], to: card)
        try await world.meet()
        try world.b.replica.put(["x": 4], to: card)
        let mine = writes(world.a)
        #expect(mine.map(\.dot.sequence) == [1, 2, 3])
        #expect(mine.map(\.seen) == [[:], [:], ["a": 1]])
        #expect(zip(mine, mine.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
        let theirs = try #require(writes(world.b).last)
        #expect(theirs.seen == ["a": 3], "what is named is the writes to this record")
        #expect(theirs.dot == Dot(device: "b", sequence: 1))
    }

    @Test func aSinkReceivesWritesOnlyWhereThatIsAskedFor() throws {
        for asks in [nil, false, true] {
            let sink = CollectingAuditSink()
            var configuration = ReplicaConfiguration()
            configuration.sink = sink
            if let asks { configuration.reportsWrites = asks }
            let replica = try Replica(device: "a", store: InMemoryStore(), configuration: configuration)
            try replica.put(["x": 1], to: card)
            #expect(sink.events.count == (asks == true ? 1 : 0))
        }
    }

    @Test func timestampsAreMillisecondsSince1970() throws {
        func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
        let replica = try Replica(device: "a", store: InMemoryStore())
        let before = now()
        try replica.put(["x": 1], to: card)
        let written = try #require(try replica.unsentWrites().first).timestamp.milliseconds
        #expect((before - 1...now() + 1).contains(written))
    }

    @Test func timestampsRiseThoughTheClockIsSetBackAlsoAfterARestart() throws {
        let device = try device()
        try device.replica.put(["x": 1], to: card)
        device.clock.advance(by: .seconds(-3600))
        try device.replica.put(["x": 2], to: card)
        try device.restart()
        try device.replica.put(["x": 3], to: card)
        let stamps = writes(device).map(\.timestamp)
        #expect(Set(stamps).count == 3 && stamps.max() == stamps.last)
    }

    @Test func aBatchIsOneTransaction() throws {
        struct Stop: Error {}
        let device = try device(rules)
        try device.replica.put(["x": 1], to: card)
        #expect(throws: Stop.self) {
            try device.replica.write { batch in
                try batch.put(["x": 2], to: card)
                #expect(try batch.get(card) == ["x": 2])
                try batch.increment("views", of: card)
                try batch.put(["x": 2], to: RecordKey(type: "card", id: "2"))
                throw Stop()
            }
        }
        #expect(try device.replica.get(card) == ["x": 1])
        #expect(try device.replica.outboxStatus().writes == 1)
        #expect(try device.replica.checkpoint()?.seen == ["a": 1])
        let dots = try device.replica.write { batch in
            [try batch.put(["x": 3], to: card), try batch.put(["y": 4], to: card)]
        }
        #expect(dots.map(\.sequence) == [2, 3], "the numbers of a batch that failed are given again: nobody has seen them")
        #expect(try device.replica.get(card) == ["x": 3, "y": 4])
        #expect(writes(device).map(\.dot.sequence) == [1, 2, 3])
    }

    @Test func concurrentCountsAddUpAndConcurrentAdditionsUnite() async throws {
        let world = try World(rules: rules)
        try world.a.replica.increment("views", of: card, by: 2)
        try world.a.replica.add(["x", "y"], to: "tags", of: card)
        try await world.meet()
        try world.a.replica.increment("views", of: card)
        try world.b.replica.increment("views", of: card, by: 10)
        try world.b.replica.increment("views", of: card, by: -3)
        try world.a.replica.remove(["x"], from: "tags", of: card)
        try world.b.replica.add(["x", "z"], to: "tags", of: card)
        try await world.meet()
        #expect(try world.shown(card) == ["views": 10, "tags": ["x", "y", "z"]])
        #expect(world.a.replica.statistics.dataLost == 0)
    }

    @Test func aWriteAgainstAFieldsPolicyIsRefusedAndNothingIsWritten() throws {
        let device = try device(rules)
        let refused = #expect(throws: SyncLayerError.self) { try device.replica.increment("name", of: card) }
        #expect(refused?.code == .wrongPolicy)
        #expect(refused?.description.contains("\"name\"") == true)
        #expect(throws: SyncLayerError.self) { try device.replica.add([1], to: "views", of: card) }
        try device.replica.increment("views", of: card, by: .max)
        #expect(throws: SyncLayerError.self) { try device.replica.increment("views", of: card) }
        let deep = (0..<300).reduce(FieldValue.null) { value, _ in [value] }
        #expect(#expect(throws: SyncLayerError.self) { try device.replica.put(["x": deep], to: card) }?.code == .invalidValue)
        #expect(try device.replica.get(card) == ["views": .number(JSONNumber(Int64.max))])
        #expect(try device.replica.outboxStatus().writes == 1)
    }

    @Test func changesNameTheirWriterAndASlowReaderGetsThemMerged() async throws {
        let world = try World()
        var changes = world.b.replica.changes.makeAsyncIterator()
        try world.b.replica.put(["x": 1], to: card)
        #expect(await changes.next() == ReplicaChange(keys: [card], origin: .local, refreshVersion: 0))
        let other = RecordKey(type: "card", id: "2")
        try world.a.replica.put(["x": 1], to: other)
        try await world.meet()
        #expect(await changes.next() == ReplicaChange(keys: [other], origin: .remote, refreshVersion: 1))
        try world.b.replica.put(["x": 2], to: card)
        try world.a.replica.put(["x": 2], to: other)
        try await world.meet()
        #expect(await changes.next() == ReplicaChange(keys: [card, other], origin: .both, refreshVersion: 2))
    }

    @Test func aStoreBelongsToOneDevice() throws {
        let store = InMemoryStore()
        _ = try Replica(device: "a", store: store)
        let refused = #expect(throws: SyncLayerError.self) { try Replica(device: "b", store: store) }
        #expect(refused?.code == .wrongDevice)
    }

    @Test func aRecordNeedsNoMoreRoomAfterAThousandWrites() async throws {
        let world = try World()
        var sizes: [Int] = []
        for number in 1...1000 as ClosedRange<Int64> {
            try (number.isMultiple(of: 2) ? world.a : world.b).replica.put(["x": .number(JSONNumber(1_000_000 + number))], to: card)
            if number.isMultiple(of: 10) { try await world.meet() }
            if number == 400 || number == 1000 {
                sizes.append(try world.a.store.read { try $0.record(card)?.content.count ?? 0 })
            }
        }
        #expect(abs(sizes[0] - sizes[1]) <= 2, "\(sizes): a digest may take a byte more or less")
    }

    @Test func aLargeTransactionIsPassedOnInPartsWithAFlushAfterEach() throws {
        let flushes = Locked(0)
        let sink = CollectingAuditSink()
        var configuration = ReplicaConfiguration()
        configuration.sink = sink
        configuration.reportsWrites = true
        configuration.flushSink = { flushes.withLock { $0 += 1 } }
        let replica = try Replica(device: "a", store: InMemoryStore(), configuration: configuration)
        try replica.write { batch in
            for number in 0..<9000 { try batch.put(["x": 1], to: RecordKey(type: "note", id: RecordID(String(number)))) }
        }
        #expect(flushes.withLock { $0 } == 2)
        #expect(sink.events.count == 9000)
    }

    @Test func withoutReportedWritesConflictsAreReportedAndWritesCounted() async throws {
        let world = try World { $0.reportsWrites = false }
        try world.a.replica.put(["x": 1], to: card)
        try world.b.replica.put(["x": 2], to: card)
        for device in [world.a, world.b, world.a] { try await device.sync() }
        for device in [world.a, world.b] {
            #expect(device.sink.conflicts.count == 1)
            #expect(!device.sink.events.contains { if case .write = $0.content { true } else { false } })
            #expect(
                device.replica.statistics.writesObserved == 2 && device.replica.statistics.writesWithContext == 2
                    && device.replica.statistics.totalConflicts == 1)
        }
    }
}
