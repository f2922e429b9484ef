import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import SyncSystem
import Testing

/// A hub that was put back or replaced.
@Suite struct HubIdentityTests {
    private static let rules = MergeRules(fields: ["card": ["visits": .counter, "tags": .set]])
    private let clock = ManualClock()
    private let hub: InMemoryHub

    init() { hub = InMemoryHub(wallClock: clock.wallClock) }

    private func device(_ name: DeviceID, _ hub: (any Hub)? = nil) throws -> Device {
        try Device(name, hub: hub ?? self.hub, clock: clock, rules: Self.rules)
    }

    /// Syncs until everyone knows everything, a device that has just joined too, and holds them against each other.
    private func expectEqual(_ devices: [Device], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await RestoredHubs.expectEqual(devices + [device("new")], clock, sourceLocation: sourceLocation)
    }

    private func key(_ id: Int) -> RecordKey { RecordKey(type: "card", id: RecordID(String(id))) }

    /// A hub whose callers are cancelled as soon as they give something back.
    private struct CancellingHub: ForwardingHub {
        let hub: any Hub
        let calls = Locked(0)

        func giveBack(_ writes: GivenBackWrites) async throws -> HubPlace {
            calls.withLock { $0 += 1 }
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await hub.giveBack(writes)
        }
    }

    private func write(_ number: UInt64, _ value: FieldValue, to id: Int) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: "x", sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number)), key: key(id),
            operation: .put(["x": value]), seen: VersionVector())
    }

    private func giveBack(_ writes: TaggedWrite...) async throws {
        _ = try await hub.giveBack(GivenBackWrites(device: "giver", writes: writes, acknowledged: 0, isLast: true))
    }

    @Test func aLowerNumberThatIsGivenBackLaterArrives() async throws {
        let a = try device("a")
        try await giveBack(write(2, "later", to: 2))
        try await a.sync()
        try await giveBack(write(1, "earlier", to: 1))
        #expect(try await a.sync().pulled == 1)
        #expect(try a.replica.get(key(1)) == ["x": "earlier"] && a.replica.get(key(2)) == ["x": "later"])
        try await expectEqual([a])
    }

    @Test func anotherWriteOfOneNameIsToldAndMergedByNobodyTwice() async throws {
        let (a, empty) = (try device("a"), InMemoryHub(wallClock: clock.wallClock).backup())
        try await giveBack(write(1, "first", to: 1))
        try await a.sync()
        hub.restore(empty)
        clock.advance(by: .milliseconds(10))
        try await giveBack(write(1, "second", to: 1))
        let report = try await a.sync()
        #expect(report.skipped.map(\.dot) == [Dot(device: "x", sequence: 1)] && report.skipped.first?.hubSequence == 1)
        #expect(report.skipped.first?.reason.contains("another write was merged here under this name") == true)
        #expect(try a.replica.get(key(1)) == ["x": "first"])
    }

    @Test func aSyncCancelledWhileGivingBackIsContinuedByAnother() async throws {
        var configuration = ReplicaConfiguration()
        configuration.wallClock = clock.wallClock
        configuration.mergeRules = Self.rules
        configuration.outboxLimits.writesPerBatch = 2
        let replica = try Replica(device: "a", store: InMemoryStore(), configuration: configuration)
        let empty = InMemoryHub(wallClock: clock.wallClock).backup()
        for number in 0..<10 { try replica.put(["x": .number(JSONNumber(number))], to: key(number)) }
        _ = try await SyncEngine(replica: replica, hub: hub).sync()
        hub.restore(empty)
        clock.advance(by: .milliseconds(10))
        let cancelling = CancellingHub(hub: hub)
        await #expect(throws: CancellationError.self) {
            try await Task { try await SyncEngine(replica: replica, hub: cancelling).sync() }.value
        }
        #expect(cancelling.calls.withLock { $0 } == 1)
        _ = try await SyncEngine(replica: replica, hub: hub).sync()
        let b = try device("b")
        try await b.sync()
        #expect(try b.replica.records(ofType: "card").count == 10)
    }

    @Test(arguments: [false, true])
    func anEmptyReplacedHubIsGivenEverythingBack(_ isRestored: Bool) async throws {
        let (a, b) = (try device("a"), try device("b"))
        let empty = InMemoryHub(wallClock: clock.wallClock).backup()
        for number in 0..<10 { try a.replica.put(["x": .number(JSONNumber(number))], to: key(number)) }
        try a.replica.increment("visits", of: key(0), by: 2)
        for device in [a, b] { try await device.sync() }
        let backup = hub.backup()
        try b.replica.increment("visits", of: key(0), by: 3)
        try b.replica.add(["red"], to: "tags", of: key(1))
        try a.replica.delete(key(2))
        for _ in 0..<2 { for device in [a, b] { try await device.sync() } }
        hub.restore(isRestored ? backup : empty)
        clock.advance(by: .milliseconds(10))
        try a.replica.put(["x": "a"], to: key(3))
        try b.replica.put(["x": "b"], to: key(4))
        let report = try await a.sync()
        #expect(report.pushed == 1)
        try await expectEqual([a, b])
        #expect(try b.replica.get(key(0)) == ["x": 0, "visits": 5])
        #expect(try b.replica.get(key(2)) == nil && b.replica.get(key(3)) == ["x": "a"] && a.replica.get(key(4)) == ["x": "b"])
        #expect(a.conflicts == [] && b.conflicts == [])
        let failures = a.sink.events.compactMap { if case .sync(let activity) = $0.content { activity.error } else { nil } }
        #expect(failures.count == 1, "it is noticed once")
    }

    @Test func aRestoredHubThatHasGrownSinceIsNoticedToo() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try a.replica.put(["x": 1], to: key(1))
        for device in [a, b] { try await device.sync() }
        let backup = hub.backup()
        try a.replica.put(["x": 2], to: key(1))
        for device in [a, b, a] { try await device.sync() }
        hub.restore(backup)
        clock.advance(by: .milliseconds(10))
        let c = try device("c")
        for number in 5..<15 { try c.replica.put(["x": "c"], to: key(number)) }
        try await c.sync()
        try await expectEqual([a, b, c])
        #expect(try c.replica.get(key(1)) == ["x": 2])
    }

    @Test func aDeviceWhosePushedWritesAreGonePushesThemAgain() async throws {
        let a = try device("a")
        try a.replica.put(["x": 1], to: key(1))
        for _ in 0..<2 { try await a.sync() }
        let backup = hub.backup()
        try a.replica.put(["x": 2], to: key(1))
        try await a.sync()
        hub.restore(backup)
        try await expectEqual([a])
        #expect(await hub.devices().count == 2)
    }

    @Test func aRemovalReachesADeviceThatNeverHeardOfTheAddition() async throws {
        let empty = hub.backup()
        let (a, b) = (try device("a"), try device("b"))
        try a.replica.add(["red"], to: "tags", of: key(1))
        for device in [a, b] { try await device.sync() }
        try b.replica.remove(["red"], from: "tags", of: key(1))
        try await b.sync()
        hub.restore(empty)
        let c = try device("c")
        for device in [b, c] { try await device.sync() }
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.map(\.dot) == [Dot(device: "b", sequence: 1)])
        #expect(try c.replica.get(key(1)) == b.replica.get(key(1)))
        try await expectEqual([a, b, c])
    }

    @Test func aForgottenRemovalIsGivenBackToWhoHasTheElement() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try a.replica.add(["red", "blue"], to: "tags", of: key(1))
        for device in [a, b] { try await device.sync() }
        let backup = hub.backup()
        try b.replica.remove(["red"], from: "tags", of: key(1))
        for _ in 0..<2 { for device in [b, a] { try await device.sync() } }
        try a.replica.put(["x": 1], to: key(1))
        for _ in 0..<2 { for device in [b, a] { try await device.sync() } }
        hub.restore(backup)
        try await expectEqual([a, b])
        #expect(try a.replica.get(key(1)) == ["x": 1, "tags": ["blue"]])
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.contains { $0.dot == Dot(device: "b", sequence: 1) })
    }

    @Test func theLastRemovalOfTheSameElementsIsKept() async throws {
        let empty = hub.backup()
        let a = try device("a")
        func kept() throws -> Int { try a.store.read { try $0.rows(in: .removals, startingWith: [], after: nil, limit: .max).count } }
        try a.replica.add(["blue"], to: "tags", of: key(1))
        for _ in 0..<3 {
            try a.replica.add(["red"], to: "tags", of: key(1))
            try a.replica.remove(["red"], from: "tags", of: key(1))
        }
        #expect(try kept() == 1)
        try a.replica.remove(["blue"], from: "tags", of: key(1))
        #expect(try kept() == 2)
        await hub.forget("a")
        try a.replica.rejoin()
        try await a.sync()
        try a.replica.put(["tags": ["white"]], to: key(1))
        try await a.sync()
        hub.restore(empty)
        try await a.sync()
        let writer = try a.replica.writer
        let writes = try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.map(\.dot)
        #expect(writer != "a" && writes == [7, 8, 9].map { Dot(device: writer, sequence: $0) })
    }

    @Test func aHubRestoredBetweenFetchAndPushTakesNothingTooEarly() async throws {
        let empty = hub.backup()
        let isDue = Locked(false)
        let line = WatchedHub(
            hub: hub,
            beforePush: { [hub] _ in
                if isDue.withLock({ $0 }) { hub.restore(empty) }
                isDue.withLock { $0 = false }
            })
        let (a, b) = (try device("a", line), try device("b"))
        for number in 0..<3 { try a.replica.put(["x": .number(JSONNumber(number))], to: key(number)) }
        for _ in 0..<2 { for device in [a, b] { try await device.sync() } }
        try a.replica.put(["x": "late"], to: key(9))
        isDue.withLock { $0 = true }
        try await a.sync()
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.map(\.dot.sequence) == [1, 2, 3, 4])
        try await expectEqual([a, b])
    }

    @Test func aHubReplacedAmidSyncLeavesTheDeviceItsName() async throws {
        let empty = hub.backup()
        let isDue = Locked(false)
        let b = try device("b")
        let line = WatchedHub(
            hub: hub,
            beforePull: { [hub, engine = b.engine] in
                let isNow = isDue.withLock { isDue in
                    defer { isDue = false }
                    return isDue
                }
                guard isNow else { return }
                hub.restore(empty)
                _ = try await engine.sync()
            })
        let a = try device("a", line)
        try a.replica.put(["x": 1], to: key(1))
        for device in [a, b] { try await device.sync() }
        try a.replica.put(["x": 2], to: key(2))
        isDue.withLock { $0 = true }
        try await a.sync()
        #expect(try a.replica.writer == "a")
        let page = try await hub.pull(PullRequest(device: "x", cursor: 0))
        #expect(page.writes.map(\.dot) == [Dot(device: "a", sequence: 1), Dot(device: "a", sequence: 2)])
        #expect(page.isWhole)
        try await expectEqual([a, b])
    }

    @Test func aLastWriteTooLargeToGiveBackLeavesTheOthersComplete() async throws {
        let empty = hub.backup()
        let line = WatchedHub(
            hub: hub,
            beforeGivingBack: { given in
                if given.writes.contains(where: { $0.dot.sequence == 3 }) { throw SyncLayerError(.batchTooLarge, "it is too large") }
            })
        let a = try device("a", line)
        for number in 0..<3 { try a.replica.put(["x": .number(JSONNumber(number))], to: key(number)) }
        try await a.sync()
        hub.restore(empty)
        #expect(try await a.sync().checkpoint != nil)
        let page = try await hub.pull(PullRequest(device: "x", cursor: 0))
        #expect(page.writes.map(\.dot.sequence) == [1, 2])
        #expect(page.isWhole)
        #expect(a.sink.events.contains { "\($0.content)".contains("the write a:3 was not given back: ") })
    }

    @Test func aHubThatTakesNothingBackEndsTheSync() async throws {
        let empty = hub.backup()
        let calls = Locked(0)
        let line = WatchedHub(
            hub: hub,
            beforeGivingBack: { _ in
                calls.withLock { $0 += 1 }
                // A sync that does not end would ask for ever.
                throw calls.withLock({ $0 }) < 20 ? SyncLayerError(.batchTooLarge, "too much") : SyncLayerError(.hubUnavailable, "enough")
            })
        let a = try device("a", line)
        try a.replica.put(["x": 1], to: key(1))
        try await a.sync()
        hub.restore(empty)
        let error = await #expect(throws: SyncLayerError.self) { try await a.sync() }
        #expect(error?.code == .batchTooLarge)
        #expect(calls.withLock { $0 } == 2, "the write, then nothing")
    }

    @Test func whatAHubRefusedIsNotGivenBackToIt() async throws {
        let strict = InMemoryHub(wallClock: clock.wallClock, refusal: { $0.value(of: "x") == "bad" ? "it is bad" : nil })
        let empty = strict.backup()
        let a = try device("a", strict)
        try a.replica.put(["x": "bad"], to: key(1))
        try a.replica.put(["x": "good"], to: key(2))
        try await a.sync()
        #expect(try a.replica.setAsideWrites().map(\.write.dot.sequence) == [1])
        strict.restore(empty)
        try await a.sync()
        #expect(try await strict.pull(PullRequest(device: "x", cursor: 0)).writes.map(\.dot.sequence) == [2])
    }

    @Test func anUnconfirmedOverwrittenWriteDoesNotComeBackRenamed() async throws {
        let line = InterruptibleHub(hub)
        let empty = hub.backup()
        let (a, b) = (try device("a", line), try device("b"))
        try a.replica.put(["x": "a"], to: key(1))
        try a.replica.increment("visits", of: key(2), by: 5)
        try a.replica.increment("visits", of: key(2), by: 3)
        // The answer to the push is lost.
        line.fail(afterCalls: 5, .afterEffect)
        _ = try? await a.sync()
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.count == 3)
        #expect(try a.replica.unsentWrites().count == 3)
        try await b.sync()
        clock.advance(by: .milliseconds(10))
        try b.replica.delete(key(1))
        try await b.sync()
        hub.restore(empty)
        try await b.sync()
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.map(\.dot.description).sorted() == ["a:3", "b:1"])
        try await expectEqual([a, b])
        #expect(try a.replica.writer == "a")
        #expect(try a.replica.get(key(1)) == nil && b.replica.get(key(2)) == ["visits": 8])
        #expect(a.conflicts == [] && b.conflicts == [])
    }

    @Test(
        arguments: InterruptibleHub.Interruption.allCases)
    func aHealingThatIsCutAtAnyCallGoesOnLater(_ interruption: InterruptibleHub.Interruption) async throws {
        for calls in 0..<12 {
            let hub = InMemoryHub(wallClock: clock.wallClock)
            let empty = hub.backup()
            let line = InterruptibleHub(hub)
            let (a, b) = (try device("a", line), try device("b", hub))
            a.configuration.outboxLimits.writesPerBatch = 2
            try a.restart()
            for number in 0..<6 { try a.replica.put(["x": .number(JSONNumber(number))], to: key(number)) }
            for device in [a, b, a] { try await device.sync() }
            hub.restore(empty)
            line.fail(afterCalls: calls, interruption)
            _ = try? await a.sync()
            let c = try device("c", hub)
            try await c.sync()
            if let checkpoint = try c.replica.checkpoint() {
                #expect([0, 6].contains(checkpoint.records), "all or nothing is vouched for")
            }
            try a.restart()
            // The line may be cut in the second sync only.
            for _ in 0..<3 { for device in [a, b, c] { _ = try? await device.sync() } }
            let checkpoint = try #require(try a.replica.checkpoint())
            for device in [b, c] { #expect(try device.replica.checkpoint()?.digest == checkpoint.digest, "\(calls)") }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func nothingKnownIsLostWheneverAHubIsRestored(seed: UInt64) async throws {
        try await RestoredHubs.check(seed: seed)
    }
}
