import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSystem
import Synchronization
import Testing

/// The outbox.
@Suite struct OutboxTests {
    private func key(_ id: Int) -> RecordKey { RecordKey(type: "note", id: RecordID(String(id))) }

    @Test func theOutboxSurvivesARestartAndIsSentInBatchesInOrder() async throws {
        let sizes = Locked<[Int]>([])
        let clock = ManualClock()
        let hub = WatchedHub(
            hub: InMemoryHub(wallClock: clock.wallClock), beforePush: { writes in sizes.withLock { $0.append(writes.count) } })
        let device = try Device("a", hub: hub, clock: clock) { $0.outboxLimits = OutboxLimits(writesPerBatch: 4, bytesPerBatch: 2000) }
        for number in 0..<6 { try device.replica.put(["x": "small"], to: key(number)) }
        for number in 6..<9 { try device.replica.put(["x": .string(String(repeating: "x", count: 900))], to: key(number)) }
        try device.restart()
        #expect(try device.replica.outboxStatus().writes == 9)
        let report = try await device.sync()
        #expect(report.pushed == 9)
        #expect(sizes.withLock { $0 } == [4, 4, 1], "four by number; two small and two large by bytes; the rest")
        #expect(try device.replica.outboxStatus() == OutboxStatus(writes: 0, bytes: 0, setAside: 0))
        let writes = try await hub.pull(PullRequest(device: "b", cursor: 0)).writes
        #expect(writes.map(\.dot.sequence) == Array(1...9))
    }

    @Test func moreThan3MBThatWaitAreAWarningAndNothingIsRefused() throws {
        let device = try Device("a", hub: InMemoryHub(), clock: ManualClock())
        let text = FieldValue.string(String(repeating: "x", count: 500_000))
        for number in 0..<5 { try device.replica.put(["x": text], to: key(number)) }
        #expect(try device.replica.outboxStatus().isOverWarningLevel == false)
        try device.replica.put(["x": text], to: key(5))
        let status = try device.replica.outboxStatus()
        #expect(status.isOverWarningLevel && status.writes == 6 && status.bytes > 3_000_000)
    }

    /// What the sink was told of the outbox.
    private func told(_ device: Device) -> [OutboxStatus] {
        device.sink.events.compactMap { if case .outbox(let status) = $0.content { status } else { nil } }
    }

    @Test func passingTheWarningLevelIsLoggedOnceEachWay() async throws {
        let clock = ManualClock()
        let device = try Device("a", hub: InMemoryHub(wallClock: clock.wallClock), clock: clock)
        let first = clock.wallClock()
        for number in 0..<9 {
            try device.replica.put(["x": .string(String(repeating: "x", count: 500_000))], to: key(number))
            clock.advance(by: .seconds(60))
        }
        let told = told(device)
        #expect(told.map(\.writes) == [6])
        #expect(told.first?.isOverWarningLevel == true && told.first?.oldest == first)
        try await device.sync()
        #expect(self.told(device).map(\.isOverWarningLevel) == [true, false], "down again as the hub takes them, and nothing is left")
    }

    @Test func aSyncThatFailsTellsWhatItLeft() async throws {
        let world = try World()
        let hub = WatchedHub(hub: world.hub, beforePush: { _ in throw SyncLayerError(.hubAtFault, "closed for today") })
        let device = try Device("c", hub: hub, clock: world.clock)
        try device.replica.put(["x": 1], to: key(1))
        await #expect(throws: SyncLayerError.self) { try await device.sync() }
        #expect(told(device).map(\.writes) == [1])
        #expect(told(device).first == (try device.replica.outboxStatus()))
        try await world.a.sync()
        #expect(told(world.a).isEmpty, "nothing waits")
    }

    @Test func aCrashBehindTheCommitLosesNoWarning() throws {
        let (clock, store) = (ManualClock(), InMemoryStore())
        let limits = OutboxLimits(queuedBytesWarning: 10)
        let device = try Device("a", hub: InMemoryHub(), clock: clock, store: store) { $0.outboxLimits = limits }
        try device.replica.put(["x": "more than ten bytes"], to: key(1))
        let status = try device.replica.outboxStatus()
        // Opened by another process before this one could say that the event was passed on.
        let other = try Device("a", hub: InMemoryHub(), clock: clock, store: store) { $0.outboxLimits = limits }
        #expect(told(other) == [status] && status.oldest != nil && status.warningBytes == 10)
    }

    @Test func aWriteOfMoreThan1MBIsSetAsideAndBlocksNothing() async throws {
        let world = try World()
        try world.a.replica.put(["x": "before"], to: key(1))
        try world.a.replica.put(["x": .string(String(repeating: "x", count: 1_000_001))], to: key(2))
        try world.a.replica.put(["photo": AssetWrite(text: String(repeating: "x", count: 2_000_000)).value], to: key(3))
        try world.a.replica.put(["x": "after"], to: key(4))
        let report = try await world.a.sync()
        #expect(report.pushed == 3)
        #expect(report.setAside.map(\.write.dot.sequence) == [2])
        #expect(report.setAside.first?.reason.contains("1000000 are allowed") == true)
        #expect(report.checkpoint == nil, "it holds what the others do not")
        let failures = world.a.sink.events.compactMap { event -> SyncActivity? in
            if case .sync(let activity) = event.content, activity.state == .failed { activity } else { nil }
        }
        #expect(failures.count == 1 && failures[0].error?.hasPrefix("the write a:2 to note/2 was set aside") == true)
        #expect(failures.map(\.writes) == [1])
        try world.a.restart()
        #expect(try world.a.replica.setAsideWrites() == report.setAside)
        try await world.b.sync()
        #expect(try world.b.replica.records(ofType: "note").map(\.key) == [key(1), key(3), key(4)])

        try world.a.replica.put(["x": "shorter"], to: key(2))
        #expect(try world.a.replica.reissue(Dot(device: "a", sequence: 2)) == nil, "the app has replaced all of it")
        try await world.meet()
        #expect(try world.shown(key(2)) == ["x": "shorter"])
        #expect(try world.a.replica.checkpoint() != nil)
    }

    @Test func anAssetAboveItsLimitIsSetAside() async throws {
        let device = try Device("a", hub: InMemoryHub(), clock: ManualClock()) { $0.outboxLimits.bytesPerAsset = 10 }
        try device.replica.put(["photo": AssetWrite(text: "12345678901").value], to: key(1))
        #expect(try await device.sync().setAside.first?.reason.contains("the asset \"photo\" has 11 bytes") == true)
    }

    @Test(arguments: [
        ("", 0), ("QQ==", 1), ("QUI=", 2), ("QUJD", 3), ("data:image/png;base64,QUJDRA==", 4), ("QUJ", 3), ("Q=JD", 4), ("not base64!", 11),
        ("data:text/plain,QUJD", 20),
    ]) func anAssetCountsItsDecodedBytes(text: String, count: Int) {
        #expect(AssetWrite(text: text).byteCount == count)
    }

    @Test func aRefusedWriteIsSetAsideAndCanBeIssuedAgain() async throws {
        let isStrict = Atomic(true)
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock) { write in
            isStrict.load(ordering: .relaxed) && write.value(of: "x") == "bad" ? "bad values are not taken" : nil
        }
        let rules = MergeRules(fields: ["note": ["tags": .set]])
        let a = try Device("a", hub: hub, clock: clock, rules: rules)
        let b = try Device("b", hub: hub, clock: clock, rules: rules)
        try a.replica.put(["x": "bad", "y": 1, "tags": SetWrite(added: ["t"]).value], to: key(1))
        try a.replica.put(["y": 2], to: key(1))
        let report = try await a.sync()
        #expect(report.pushed == 1 && report.setAside.map(\.reason) == ["bad values are not taken"])
        try await b.sync()
        #expect(try b.replica.get(key(1)) == ["y": 2])

        isStrict.store(false, ordering: .relaxed)
        #expect(throws: SyncLayerError.self) { try a.replica.reissue(Dot(device: "a", sequence: 2)) }
        #expect(try a.replica.reissue(Dot(device: "a", sequence: 1)) == Dot(device: "a", sequence: 3))
        #expect(try a.replica.setAsideWrites() == [])
        try await a.sync()
        try await b.sync()
        #expect(try b.replica.get(key(1)) == ["x": "bad", "y": 2, "tags": ["t"]])
        #expect(try a.replica.checkpoint() == b.replica.checkpoint())
    }

    @Test func aRefusedWriteGoesOutAgainUnderTheNextName() async throws {
        let isStrict = Atomic(true)
        let hub = InMemoryHub(refusal: { _ in isStrict.load(ordering: .relaxed) ? "not yet" : nil })
        let (a, b) = (try Device("a", hub: hub, clock: ManualClock()), try Device("b", hub: hub, clock: ManualClock()))
        try a.replica.put(["x": 1], to: key(1))
        #expect(try await a.sync().setAside.count == 1)
        isStrict.store(false, ordering: .relaxed)
        try a.replica.put(["y": 2], to: key(2))
        try await a.sync()
        try a.replica.rejoin()
        try await a.sync()
        #expect(try a.replica.setAsideWrites() == [])
        try await b.sync()
        #expect(try b.replica.records(ofType: "note").map(\.fields) == [["x": 1], ["y": 2]])
    }

    @Test func aRefusedIncrementCountsOnceUnderTheNextName() async throws {
        let isStrict = Atomic(false)
        let hub = InMemoryHub(refusal: { _ in isStrict.load(ordering: .relaxed) ? "not yet" : nil })
        let rules = MergeRules(fields: ["note": ["visits": .counter]])
        let (a, b) = (
            try Device("a", hub: hub, clock: ManualClock(), rules: rules), try Device("b", hub: hub, clock: ManualClock(), rules: rules)
        )
        for _ in 0..<2 { try a.replica.increment("visits", of: key(1), by: 5) }
        try await a.sync()
        isStrict.store(true, ordering: .relaxed)
        try a.replica.increment("visits", of: key(1), by: 3)
        #expect(try await a.sync().setAside.count == 1)
        isStrict.store(false, ordering: .relaxed)
        try a.replica.rejoin()
        for device in [a, b, a] { try await device.sync() }
        #expect(try a.replica.get(key(1)) == ["visits": 13] && b.replica.get(key(1)) == ["visits": 13])
        #expect(try a.store.read { try $0.rows(in: .unsentTotals, startingWith: [], after: nil, limit: 9) }.isEmpty)
    }

    @Test func batchesAreHalvedUntilTheHubTakesThem() async throws {
        let device = try Device("a", hub: InMemoryHub(limits: HubLimits(writesPerPush: 3)), clock: ManualClock())
        for number in 0..<20 { try device.replica.put(["x": 1], to: key(number)) }
        #expect(try await device.sync().pushed == 20)
        let closed = try Device("a", hub: InMemoryHub(limits: HubLimits(writesPerPush: 0)), clock: ManualClock())
        try closed.replica.put(["x": 1], to: key(1))
        try closed.replica.put(["x": 1], to: key(2))
        #expect(try await closed.sync().setAside.count == 2)
    }

    @Test func aHubThatTakesOneWriteAtOnceIsGivenBackOneByOne() async throws {
        let hub = InMemoryHub(limits: HubLimits(writesPerPush: 1))
        let empty = hub.backup()
        let device = try Device("a", hub: hub, clock: ManualClock()) { $0.outboxLimits.writesPerBatch = 4 }
        for number in 0..<5 { try device.replica.put(["x": 1], to: key(number)) }
        try await device.sync()
        hub.restore(empty)
        try await device.sync()
        #expect(hub.writes.map(\.dot.sequence) == Array(1...5))
    }

    @Test func aNumberThatTheHubHasPassedIsSentTwiceThenRenamed() async throws {
        let pushes = Locked<[Int]>([])
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let empty = hub.backup()
        let tablet = try Device("tablet", hub: hub, clock: clock)
        let phone = try Device("phone", hub: hub, clock: clock)
        let counting = WatchedHub(hub: hub, beforePush: { writes in pushes.withLock { $0.append(writes.count) } })
        let other = try Device("phone", hub: counting, clock: clock)
        for value in 1...2 { try phone.replica.put(["x": .number(JSONNumber(value))], to: key(1)) }
        for device in [phone, tablet] { try await device.sync() }
        try tablet.replica.put(["x": 3], to: key(1))
        for device in [tablet, phone] { try await device.sync() }
        // Nobody has the phone's writes any more, and the phone says that there were two.
        hub.restore(empty)
        try await phone.sync()
        #expect(hub.writes.map(\.dot) == [Dot(device: "tablet", sequence: 1)])

        try other.replica.put(["x": 4], to: key(2))
        try await other.sync()
        #expect(pushes.withLock { $0 } == [1, 1, 1])
        #expect(try other.replica.writer.rawValue.hasPrefix("phone~"))
        try await tablet.sync()
        #expect(try tablet.replica.get(key(2)) == ["x": 4])
    }

    @Test func waitsDoubleUpToTheLimitLessTheJitter() {
        let backoff = Backoff(base: .seconds(1), maximum: .seconds(60), jitter: 0.5)
        #expect((1...8).map { backoff.delay(afterFailures: $0, random: 0) } == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
        #expect(backoff.delay(afterFailures: 3, random: 0.5) == 3000)
        #expect(backoff.delay(afterFailures: 100_000, random: 0.999) >= 30_000)
        #expect(Backoff(base: .milliseconds(Int64.max), maximum: .milliseconds(Int64.max)).delay(afterFailures: 2, random: 0) == .max)
    }

    @Test func aFailedSyncIsRetriedAfterEachWaitUntilTheLastAttempt() async throws {
        let clock = ManualClock()
        let hub = InterruptibleHub(InMemoryHub(wallClock: clock.wallClock))
        let waits = Locked<[Duration]>([])
        var configuration = SyncConfiguration()
        configuration.random = { 0.5 }
        configuration.sleep = { wait in
            waits.withLock { $0.append(wait) }
            hub.fail(afterCalls: 0, .beforeEffect)
        }
        let engine = SyncEngine(replica: try Replica(device: "a", store: InMemoryStore()), hub: hub, configuration: configuration)
        hub.fail(afterCalls: 0, .beforeEffect)
        await #expect(throws: SyncLayerError.self) { try await engine.sync(attempts: 4) }
        #expect(waits.withLock { $0 } == [.milliseconds(750), .milliseconds(1500), .milliseconds(3000)])
        hub.fail(afterCalls: 1000, .beforeEffect)
        _ = try await engine.sync(attempts: 1)
    }
}
