import ConflictAudit
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncSystem
import Testing

/// The loop syncs when there is reason to.
@Suite(.timeLimit(.minutes(10)))
struct SyncLoopTests {
    private let clock = ManualClock()
    private let sleep = ManualSleep()
    private let hub: InterruptibleHub
    private let replica: Replica
    private let loop: SyncLoop
    private let syncs: AsyncStream<Void>
    private let endsOfSyncs: AsyncStream<Void>.Continuation

    init() throws { try self.init(beforePull: {}) }

    private init(beforePull: @escaping @Sendable () async throws -> Void) throws {
        hub = InterruptibleHub(InMemoryHub(wallClock: clock.wallClock))
        var rules = ReplicaConfiguration()
        rules.wallClock = clock.wallClock
        replica = try Replica(device: "iphone", store: InMemoryStore(), configuration: rules)
        (syncs, endsOfSyncs) = AsyncStream.makeStream(of: Void.self)
        var configuration = SyncLoopConfiguration()
        configuration.backoff = Backoff(base: .seconds(1), maximum: .seconds(60), jitter: 0.5)
        configuration.random = { 0.5 }
        configuration.sleep = sleep.sleep
        configuration.wallClock = clock.wallClock
        configuration.flushLog = { [endsOfSyncs] in endsOfSyncs.yield() }
        let engine = SyncEngine(replica: replica, hub: WatchedHub(hub: hub, beforePull: beforePull))
        loop = SyncLoop(replica: replica, engine: engine, configuration: configuration)
    }

    /// Waits until the log was flushed once more.
    private func flushed() async {
        for await _ in syncs { return }
    }

    /// Waits until the loop means to wait for just so long.
    private func waits(_ milliseconds: Int64) async {
        while sleep.sleeping != [.milliseconds(milliseconds)] { await Task.yield() }
    }

    private func write(_ text: String) throws { try replica.put(["name": .string(text)], to: card) }

    private var waiting: Int { get throws { try replica.outboxStatus().writes } }

    private func network(_ status: String) -> AuditEvent { AuditEvent(at: 0, .network(status: status, interface: nil)) }

    /// In the foreground, with a first sync behind it.
    private func awake() async {
        loop.enterForeground()
        await flushed()
    }

    @Test func theLoopSyncsAtOnceInTheForeground() async throws {
        try write("before")
        #expect(try waiting == 1)
        await awake()
        #expect(try waiting == 0)
        #expect(sleep.sleeping == [])
    }

    @Test func theLoopSyncsOnceWritingPausesOrTheFirstWriteIsOldEnough() async throws {
        await awake()
        try write("a")
        await waits(2000)
        clock.advance(by: .milliseconds(9500))
        try write("ab")
        await waits(500)
        #expect(try waiting == 2)
        let calls = hub.calls
        sleep.wake()
        await flushed()
        #expect(try waiting == 0)
        #expect(hub.calls > calls)
        try write("abc")
        await waits(2000)
    }

    @Test func theLoopSyncsLaterAfterEachFailureWhateverIsWritten() async throws {
        await awake()
        hub.fail(afterCalls: 0, .beforeEffect)
        try write("a")
        await waits(2000)
        for delay: Int64 in [750, 1500, 3000] {
            hub.fail(afterCalls: 0, .beforeEffect)
            sleep.wake()
            await flushed()
            await waits(delay)
            try write("while it waits for \(delay)")
        }
        let calls = hub.calls
        try await loop.beat()
        #expect(hub.calls == calls)
        sleep.wake()
        await flushed()
        #expect(try waiting == 0)
        // The count of failures begins anew.
        hub.fail(afterCalls: 0, .beforeEffect)
        await #expect(throws: SyncLayerError.self) { try await loop.sync() }
        await waits(750)
    }

    @Test func theLoopSyncsAtOnceWhenTheNetworkIsBack() async throws {
        await awake()
        hub.fail(afterCalls: 0, .beforeEffect)
        await #expect(throws: SyncLayerError.self) { try await loop.sync() }
        await flushed()
        await waits(750)
        loop.record(network("disconnected"))
        #expect(sleep.sleeping == [])
        try write("offline")
        let calls = hub.calls
        try await loop.beat()
        #expect(hub.calls == calls)
        loop.record(network("connected"))
        await flushed()
        #expect(try waiting == 0)
        // That it is still there is no news.
        let callsByThen = hub.calls
        loop.record(network("connected"))
        for _ in 0..<100 { await Task.yield() }
        #expect(hub.calls == callsByThen)
    }

    @Test func theLoopDoesNotSyncInTheBackgroundUnlessToldTo() async throws {
        await awake()
        try write("a")
        await waits(2000)
        await loop.enterBackground()
        await flushed()
        #expect(sleep.sleeping == [])
        let calls = hub.calls
        try await loop.beat()
        loop.record(network("disconnected"))
        loop.record(network("connected"))
        #expect(hub.calls == calls)
        #expect(try waiting == 1)
        try await loop.sync()
        await flushed()
        #expect(try waiting == 0)
        try write("b")
        await awake()
        #expect(try waiting == 0)
    }

    @Test func aSyncIsCancelledInTheBackgroundAndDoneOnReturn() async throws {
        let gate = ManualSleep()
        let other = try SyncLoopTests(beforePull: { try await gate.sleep(.milliseconds(1)) })
        try other.write("a")
        other.loop.enterForeground()
        await gate.somebodySleeps()
        await other.loop.enterBackground()
        #expect(gate.sleeping == [])
        #expect(other.sleep.sleeping == [])
        #expect(try other.waiting == 1)
        other.loop.enterForeground()
        await gate.somebodySleeps()
        gate.wake()
        while try other.waiting > 0 { await Task.yield() }
    }

    @Test func aForgottenDeviceDoesNotSyncUntilTheAppComesBack() async throws {
        await awake()
        try await hub.forget("iphone")
        await #expect(throws: SyncLayerError.self) { try await loop.sync() }
        await flushed()
        try write("a")
        for _ in 0..<100 { await Task.yield() }
        #expect(sleep.sleeping == [])
        try await loop.beat()
        try replica.rejoin()
        await loop.enterBackground()
        await flushed()
        await awake()
        #expect(try waiting == 0)
    }

    @Test func changesByASyncCauseNoOtherSync() async throws {
        var rules = ReplicaConfiguration()
        rules.wallClock = clock.wallClock
        let other = try Replica(device: "ipad", store: InMemoryStore(), configuration: rules)
        try other.put(["name": "theirs"], to: card)
        try await SyncEngine(replica: other, hub: hub).sync()
        await awake()
        #expect(try replica.get(card)?["name"] == "theirs")
        for _ in 0..<100 { await Task.yield() }
        #expect(sleep.sleeping == [])
    }

    @Test func aLoopThatNobodyHoldsEnds() async throws {
        var loop: SyncLoop?
        let released = ManualSleep()
        var configuration = SyncLoopConfiguration()
        configuration.sleep = released.sleep
        configuration.flushLog = { [endsOfSyncs] in endsOfSyncs.yield() }
        loop = SyncLoop(replica: replica, engine: SyncEngine(replica: replica, hub: hub), configuration: configuration)
        loop?.enterForeground()
        await flushed()
        try write("a")
        await released.somebodySleeps()
        weak let kept = loop
        loop = nil
        while kept != nil { await Task.yield() }
        #expect(released.sleeping == [])
    }
}
