import ConflictAudit
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncModel
import SyncSystem
import Testing

/// Syncs at the same time share a round.
@Suite(.timeLimit(.minutes(10)))
struct SharedSyncTests {
    @Test func tenSyncsAreTwoRoundsAndEarlierWritesAreSent() async throws {
        let world = try World()
        let hub = GatedHub(world.hub)
        let engine = SyncEngine(replica: world.a.replica, hub: hub)
        try world.a.replica.put(["x": 1], to: card)
        let first = Task { try await engine.sync() }
        await hub.waitForCall()
        try world.a.replica.put(["x": 2], to: card)
        let others = (0..<9).map { _ in Task { try await engine.sync() } }
        while await engine.waitingCalls < others.count { await Task.yield() }
        hub.open()
        _ = try await first.value
        for other in others { _ = try await other.value }
        #expect(hub.rounds == 2)
        #expect(try world.a.replica.outboxStatus().writes == 0)
        // The next one begins anew.
        try await engine.sync()
        #expect(hub.rounds == 3)
    }

    @Test func aSyncCancelledWhileItWaitsReturnsAtOnce() async throws {
        let world = try World()
        let hub = GatedHub(world.hub)
        let engine = SyncEngine(replica: world.a.replica, hub: hub)
        let running = Task { try await engine.sync() }
        await hub.waitForCall()
        let (waiting, other) = (Task { try await engine.sync() }, Task { try await engine.sync() })
        while await engine.waitingCalls < 2 { await Task.yield() }
        waiting.cancel()
        // The hub does not answer before this has returned.
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(hub.rounds == 1)
        hub.open()
        _ = try await running.value
        #expect(try await other.value.checkpoint != nil)
    }

    @Test func aFailedRoundFailsForAllThatShareItAndTheNextBeginsAnew() async throws {
        let world = try World()
        let interruptible = InterruptibleHub(world.hub)
        let engine = SyncEngine(replica: world.a.replica, hub: interruptible)
        interruptible.fail(afterCalls: 0, .beforeEffect)
        await #expect(throws: SyncLayerError.self) { try await engine.sync() }
        try await engine.sync()
    }
}

/// A hub that does not say what time it is before it is opened.
private final class GatedHub: ForwardingHub {
    private struct State {
        var isOpen = false
        var rounds = 0
    }

    let hub: any Hub
    private let state = Locked(State())

    init(_ hub: some Hub) { self.hub = hub }

    /// How often it was asked for the time, which a round does once.
    var rounds: Int { state.withLock { $0.rounds } }

    func open() { state.withLock { $0.isOpen = true } }

    func waitForCall() async {
        while rounds == 0 { await Task.yield() }
    }

    func now() async throws -> WallTime {
        state.withLock { $0.rounds += 1 }
        while !state.withLock({ $0.isOpen }) { await Task.yield() }
        return try await hub.now()
    }
}
