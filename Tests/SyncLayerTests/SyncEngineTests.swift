import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSystem
import Testing

@testable import SyncLayer

/// A sync.
@Suite struct SyncEngineTests {
    private func activities(_ device: Device) -> [String] {
        device.sink.events.compactMap { event in
            guard case .sync(let activity) = event.content else { return nil }
            return "\(activity.phase.rawValue) \(activity.state.rawValue) \(activity.writes)"
        }
    }

    @Test func aSyncReportsWhatItDoesStepByStep() async throws {
        let world = try World()
        try world.b.replica.put(["x": 1], to: card)
        try await world.b.sync()
        try world.a.replica.put(["y": 1], to: card)
        let report = try await world.a.sync()
        #expect(
            activities(world.a) == [
                "setup started 0", "setup succeeded 0", "import started 0", "import succeeded 1", "export started 0", "export succeeded 1",
            ])
        let changes = world.a.sink.events.compactMap { if case .remoteChange(let change) = $0.content { change } else { nil } }
        #expect(changes == [RemoteChange(changes: 1, refreshVersion: 1)])
        #expect(report.pushed == 1 && report.pulled == 1 && report.setAside == [])
        #expect(
            world.a.sink.events.contains { $0.content == .checkpoint(report.checkpoint ?? Checkpoint(seen: [:], records: 9, digest: "")) })
        let bytes = world.a.sink.events.compactMap { if case .sync(let activity) = $0.content { activity.bytes } else { nil } }
        #expect(bytes.filter { $0 > 0 }.count == 2)
    }

    /// What the ends of an import and an export say of how old the writes were, in minutes.
    private func delays(_ device: Device) -> [String] {
        device.sink.events.compactMap { event in
            guard case .sync(let activity) = event.content, let delays = activity.delays else { return nil }
            let minutes = [0, 0.5, 1].map { share in (delays.percentileMilliseconds(share) ?? -1) / 60_000 }
            return "\(activity.phase.rawValue) \(activity.state.rawValue) \(delays.count) of \(minutes)"
        }
    }

    @Test func aSyncTellsHowOldTheWritesWere() async throws {
        let world = try World()
        try world.a.replica.put(["x": 1], to: card)
        world.wait(3)
        try world.a.replica.put(["x": 2], to: card)
        world.wait(1)
        try await world.a.sync()
        world.wait(2)
        try await world.b.sync()
        #expect(delays(world.a) == ["export succeeded 2 of [1, 1, 4]"])
        #expect(delays(world.b) == ["import succeeded 2 of [3, 3, 6]"])
        // Nobody's writes come twice, and its own are no arrivals.
        try await world.meet()
        #expect(delays(world.a).count == 1 && delays(world.b).count == 1)
    }

    @Test func whatIsFetchedAnewIsNoNewArrival() async throws {
        let world = try World()
        try world.a.replica.put(["x": 1], to: card)
        try await world.meet()
        let before = delays(world.b)
        try world.b.replica.startHealing()
        world.wait(60)
        try await world.b.sync()
        #expect(before.count == 1 && delays(world.b) == before)
    }

    @Test func writesAreReportedOnceWhenMadeAndWhenTheyArrive() async throws {
        let world = try World()
        try world.a.replica.put(["x": 1], to: card)
        try world.b.replica.put(["x": 2], to: card)
        try await world.meet()
        try await world.meet()
        let story = world.a.sink.events.compactMap { event in
            switch event.content {
            case .write(let write): "write \(write.dot)"
            case .conflict(let conflict): conflict.kind.rawValue
            default: nil
            }
        }
        #expect(story == ["write a:1", "write b:1", "insert_insert"])
        #expect(world.a.replica.statistics.writesObserved == 2)
        #expect(world.a.replica.statistics.writesWithContext == 2)
        #expect(world.a.replica.statistics.totalConflicts == 1)
        #expect(world.a.replica.conflictSummary == "1 conflict: 1 resolved automatically, 0 waiting, 1 lost an edit")
    }

    @Test func severalSyncsAtOnceShareRoundsWhichTakeTurns() async throws {
        let world = try World()
        for number in 0..<10 { try world.a.replica.put(["x": 1], to: RecordKey(type: "note", id: RecordID(String(number)))) }
        let engine = world.a.engine
        let pushed = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await engine.sync().pushed } }
            return try await group.reduce(0, +)
        }
        #expect(pushed == 10)
        let states = activities(world.a).map { $0.contains("started") }
        #expect(states == (0..<states.count / 2).flatMap { _ in [true, false] }, "no step begins before the last has ended")
    }

    // MARK: Checkpoints

    @Test func equalKnowledgeMeansAnEqualDigestAnyDifferenceShows() async throws {
        let world = try World()
        try world.a.replica.put(["x": 1], to: card)
        try world.b.replica.put(["y": 1], to: RecordKey(type: "note", id: "1"))
        #expect(try world.a.replica.checkpoint() != world.b.replica.checkpoint())
        try await world.meet()
        let first = try #require(try world.a.replica.checkpoint())
        #expect(try world.b.replica.checkpoint() == first)
        #expect(first.seen == ["a": 1, "b": 1] && first.records == 2 && first.digest.utf8.count == 32)
        try world.a.replica.put(["x": 2], to: card)
        #expect(try world.a.replica.checkpoint()?.digest != first.digest)
        try world.a.replica.put(["x": 1], to: card)
        #expect(try world.a.replica.checkpoint()?.digest == first.digest, "the digest is of what is shown")
        try world.a.replica.delete(card)
        try world.a.replica.delete(RecordKey(type: "note", id: "1"))
        let empty = try #require(try world.a.replica.checkpoint())
        #expect(empty.records == 0 && empty.digest == String(repeating: "0", count: 32))
    }

    // MARK: Clocks

    @Test func theClockIsMeasuredAgainstTheHubsWithinHalfTheRoundTrip() async throws {
        let clock = ManualClock()
        let ahead = ManualClock(clock.now + .seconds(5))
        let hub = InMemoryHub(wallClock: { [clock] in
            // The answer takes ten milliseconds, four of them on the way there.
            clock.advance(by: .milliseconds(4))
            defer { clock.advance(by: .milliseconds(6)) }
            ahead.advance(by: .milliseconds(10))
            return clock.now
        })
        let a = try Device("a", hub: hub, clock: ahead)
        let report = try await a.sync()
        #expect(report.clock == ClockMeasurement(device: "a", offset: .milliseconds(5001), uncertainty: .milliseconds(5)))
        #expect(
            a.sink.events.contains {
                $0.content == .clock(report.clock ?? ClockMeasurement(device: "", offset: .zero, uncertainty: .zero))
            })
        #expect(await hub.devices().map(\.clock) == [report.clock])
    }

    @Test(arguments: [true, false])
    func aWinnerByAFastClockIsSuspectOnBothDevices(_ isAhead: Bool) async throws {
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let wrong = ManualClock(clock.now + (isAhead ? .milliseconds(1500) : .zero))
        let a = try Device("a", hub: hub, clock: wrong)
        let b = try Device("b", hub: hub, clock: clock)
        try a.replica.put(["x": "first"], to: card)
        clock.advance(by: .seconds(1))
        wrong.advance(by: .seconds(1))
        try b.replica.put(["x": "second"], to: card)
        for device in [a, b, a] { try await device.sync() }
        #expect(try a.replica.get(card) == ["x": isAhead ? "first" : "second"])
        #expect(a.sink.conflicts.map(\.clockSuspect) == [isAhead])
        #expect(b.sink.conflicts.map(\.clockSuspect) == [isAhead])
        #expect(b.replica.statistics.clockSuspect == (isAhead ? 1 : 0))
    }

    @Test func aTimestampFarAheadIsMergedAndDoesNotDragTheClock() async throws {
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let year = Duration.seconds(365 * 86_400)
        let a = try Device("a", hub: hub, clock: ManualClock(clock.now + year))
        let b = try Device("b", hub: hub, clock: clock)
        try a.replica.put(["x": "from the future"], to: card)
        try await a.sync()
        #expect(try await b.sync().writesTooFarAhead == 1)
        #expect(try b.replica.get(card) == ["x": "from the future"])
        try b.replica.put(["x": "now"], to: card)
        let written = b.sink.events.compactMap { if case .write(let write) = $0.content { write } else { nil } }.last
        #expect(written?.timestamp.wallTime == clock.now)
        for device in [b, a] { try await device.sync() }
        #expect(try a.replica.get(card) == ["x": "now"])
        #expect(b.conflicts == [])
    }

    // MARK: Tombstones

    @Test func aDeleteIsRememberedUntilEveryKnownDeviceHasSeenIt() async throws {
        let world = try World()
        let c = try Device("c", hub: world.hub, clock: world.clock)
        try world.a.replica.put(["secret": "xyzzy"], to: card)
        for device in [world.a, world.b, c] { try await device.sync() }
        try world.a.replica.delete(card)
        for _ in 0..<3 { for device in [world.a, world.b] { #expect(try await device.sync().collectedTombstones == 0) } }
        #expect(try world.a.store.read { try $0.record(card) } != nil, "c has not seen it")
        let before = try world.a.replica.checkpoint()
        try await c.sync()
        #expect(try await world.a.sync().collectedTombstones == 1)
        #expect(try await world.b.sync().collectedTombstones == 1)
        #expect(try world.a.store.read { try $0.record(card) } == nil)
        let left = try world.a.store.read { try $0.rows(in: .traces, startingWith: [], after: nil, limit: 9) }
        #expect(left.count == 1 && !String(decoding: left[0].content, as: UTF8.self).contains("xyzzy"))
        #expect(try world.a.replica.checkpoint() == before)
    }

    @Test func aSyncWithNothingNewlySettledLooksThroughNoTombstones() async throws {
        let world = try World()
        let store = CountingStore()
        let a = try Device("a", hub: world.hub, clock: world.clock, store: store)
        func reads(_ collected: Int) async throws -> Int {
            store.deletedReads.withLock { $0 = 0 }
            #expect(try await a.sync().collectedTombstones == collected)
            return store.deletedReads.withLock { $0 }
        }
        try a.replica.put(["x": 1], to: card)
        for device in [a, world.b, a] { try await device.sync() }
        try a.replica.delete(card)
        // The first sends the delete, the second learns of what b has merged.
        for _ in 0..<2 { _ = try await reads(0) }
        #expect(try await reads(0) == 0)
        try await world.b.sync()
        #expect(try await reads(1) > 0)
    }

    @Test func aRecordWrittenAgainAfterItsTombstoneComesBackOnBoth() async throws {
        let world = try World()
        try world.a.replica.put(["x": "old"], to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try await world.meet()
        #expect(try await world.b.sync().collectedTombstones == 1)
        #expect(try world.a.store.read { try $0.record(card) } != nil, "a still remembers")
        // By the other device: two writes of one device are in order whatever they say.
        try world.b.replica.put(["x": "new"], to: card)
        for device in [world.b, world.a] { try await device.sync() }
        #expect(try world.shown(card) == ["x": "new"])
        #expect(world.a.conflicts == [], "the new put had seen the delete")
    }

    @Test func anEditBeforeTheDeleteIsAtTheHubBeforeItIsForgotten() async throws {
        let world = try World()
        try world.a.replica.put(["x": "old"], to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try await world.a.sync()
        try world.b.replica.put(["x": "edit"], to: card)
        for _ in 0..<4 { for device in [world.b, world.a] { try await device.sync() } }
        #expect(try world.shown(card) == nil)
        #expect(world.a.conflicts == ["delete_update x: a:2 over b:1, delete_wins"])
        #expect(try world.a.store.read { try $0.record(card) } == nil)
    }

    @Test func additionsConcurrentWithADeleteAreThereAgainWithTheRecord() async throws {
        let world = try World(rules: MergeRules(fields: ["card": ["tags": .set, "visits": .counter, "start": .counter]]))
        try world.a.replica.put(["x": "old"], to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try world.b.replica.add(["green"], to: "tags", of: card)
        try world.b.replica.increment("visits", of: card, by: 2)
        try world.b.replica.put(["start": 10], to: card)
        try await world.meet()
        #expect(try world.shown(card) == nil)
        // By now the first device could have forgotten the record, the second not yet.
        try await world.a.sync()
        try world.b.replica.add(["red"], to: "tags", of: card)
        try world.b.replica.increment("visits", of: card)
        try world.a.replica.increment("start", of: card)
        try await world.meet()
        #expect(try world.shown(card) == ["tags": ["green", "red"], "visits": 3, "start": 1])
    }

    @Test func aForgottenDeviceIsTurnedAwayAndDeletesWithItForgotten() async throws {
        let world = try World()
        let lost = try Device("lost", hub: world.hub, clock: world.clock)
        try await lost.sync()
        try world.a.replica.put(["x": 1], to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try await world.meet()
        #expect(try await world.a.sync().collectedTombstones == 0)
        await world.hub.forget("lost")
        #expect(try await world.a.sync().collectedTombstones == 1)
        let error = await #expect(throws: SyncLayerError.self) { try await lost.engine.sync(attempts: 5) }
        #expect(error?.code == .deviceForgotten)
    }

    @Test func aDeviceThatJoinsLaterIsGivenEverything() async throws {
        let world = try World()
        for number in 0..<700 {
            try world.a.replica.put(["n": .number(JSONNumber(number))], to: RecordKey(type: "note", id: RecordID(String(number % 50))))
        }
        try world.a.replica.delete(RecordKey(type: "note", id: "7"))
        try await world.meet()
        let late = try Device("late", hub: world.hub, clock: world.clock)
        #expect(try await late.sync().pulled == 701)
        #expect(try late.replica.checkpoint() == world.a.replica.checkpoint())
    }
}
