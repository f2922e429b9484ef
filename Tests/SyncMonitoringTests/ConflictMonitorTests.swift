import ConflictAudit
import SyncLayer
import SyncMerge
import SyncModel
import SyncMonitoring
import SyncSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConflictMonitorTests {
    private func conflict(
        _ id: UInt64, _ severity: Conflict.Severity = .lossy, _ resolution: Conflict.Resolution = .applyRemote,
        basis: Conflict.Basis = .causal
    ) -> AuditEvent {
        let side = Conflict.Side(
            dot: Dot(device: "phone", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), operation: .put, value: "old")
        return AuditEvent(
            at: 1,
            .conflict(
                Conflict(
                    id: ConflictID(rawValue: id), kind: .updateUpdate, severity: severity, basis: basis,
                    key: RecordKey(type: "Card", id: "1"), field: "title", winner: side, loser: side, gap: .zero,
                    withinWindow: true,
                    window: .seconds(300), policy: "lastWriterWins", resolution: resolution, reason: .newer, clockSuspect: false)))
    }

    private func ids(_ conflicts: [Conflict]) -> [UInt64] { conflicts.map(\.id.rawValue) }

    @Test func nothingIsLostBeforeSomethingIs() {
        let monitor = ConflictMonitor()
        #expect(monitor.summary == "No edits lost")
        monitor.record(conflict(1, .benign))
        monitor.record(AuditEvent(at: 0, .account(status: "available")))
        #expect(monitor.summary == "No edits lost")
        #expect(monitor.statistics.totalConflicts == 1)
    }

    @Test func theLatestLossIsFirstAndTheListIsBounded() {
        let monitor = ConflictMonitor(limit: 3)
        for id in 1...5 { monitor.record(conflict(UInt64(id), id == 4 ? .merged : .lossy, basis: id == 5 ? .window : .causal)) }
        #expect(ids(monitor.lostEdits) == [5, 3, 2])
        #expect(monitor.statistics.dataLost == 4)
        #expect(monitor.summary == "3 edits lost, 1 of them suspected")
    }

    @Test func whatComesAgainCountsOnce() {
        let monitor = ConflictMonitor()
        for _ in 0..<2 { monitor.record(conflict(1, .destructive)) }
        #expect(monitor.statistics.totalConflicts == 1)
        #expect(monitor.summary == "1 edit lost")
        monitor.record(conflict(1, .destructive, .restored))
        #expect(monitor.lostEdits == [])
        #expect(monitor.statistics.totalConflicts == 1)
    }

    @Test func whatWaitsIsActiveUntilItIsDecided() {
        let monitor = ConflictMonitor()
        monitor.record(conflict(1, .lossy, .manualPending))
        monitor.record(conflict(2, .lossy, .manualPending))
        #expect(ids(monitor.activeConflicts) == [2, 1])
        #expect(monitor.summary == "2 conflicts to decide")
        monitor.record(conflict(2, .lossy, .manualResolved))
        #expect(ids(monitor.activeConflicts) == [1])
        #expect(ids(monitor.lostEdits) == [2])
        #expect(monitor.summary == "1 edit lost; 1 conflict to decide")
    }

    /// Keeps lost edits as a store does, and can be damaged.
    private final class Keeper: LostEditKeeper {
        struct Damaged: Error {}
        private let list: Locked<[Conflict]?>
        private let observers = LostEditObservers()
        let reads = Locked(0)

        init(_ list: [Conflict]) { self.list = Locked(list) }

        func set(_ conflicts: [Conflict]?) {
            list.withLock { $0 = conflicts }
            observers.tell()
        }

        func lostEdits(limit: Int) throws -> [Conflict] {
            reads.withLock { $0 += 1 }
            guard let conflicts = list.withLock({ $0 }) else { throw Damaged() }
            return Array(conflicts.prefix(limit))
        }

        func dismiss(_ conflict: Conflict) throws { set(list.withLock { $0 }?.filter { $0.id != conflict.id }) }

        func observeLostEdits(_ body: @escaping @Sendable () -> Void) -> LostEditObservation { observers.add(body) }
    }

    private func lost(_ ids: UInt64...) -> [Conflict] {
        ids.compactMap { if case .conflict(let conflict) = conflict($0).content { conflict } else { nil } }
    }

    @Test func whatAKeeperHasIsShownAndFollowed() {
        let monitor = ConflictMonitor(limit: 3)
        monitor.record(conflict(9))
        let keeper = Keeper(lost(4, 3, 2, 1))
        monitor.show(keeper)
        monitor.show(keeper)
        #expect(ids(monitor.lostEdits) == [4, 3, 2])
        #expect(monitor.summary == "3 edits lost")
        #expect(keeper.reads.withLock { $0 } == 1, "read once for each change")
        keeper.set(lost(4, 2, 1))
        #expect(ids(monitor.lostEdits) == [4, 2, 1])
        keeper.set([])
        #expect(monitor.summary == "No edits lost")
    }

    @Test func whatIsDismissedIsDismissedByItsKeeper() throws {
        let monitor = ConflictMonitor()
        let keepers = [Keeper(lost(1, 3)), Keeper(lost(2))]
        for keeper in keepers { monitor.show(keeper) }
        #expect(ids(monitor.lostEdits) == [3, 2, 1])
        try monitor.dismiss(lost(3)[0])
        #expect(ids(monitor.lostEdits) == [2, 1])
        #expect(ids(try keepers[0].lostEdits) == [1])
    }

    @Test func whatIsDismissedWithoutAKeeperIsGoneUntilTheAppEnds() throws {
        let monitor = ConflictMonitor()
        monitor.record(conflict(1))
        try monitor.dismiss(lost(1)[0])
        #expect(monitor.lostEdits == [])
    }

    @Test func aListThatCannotBeReadIsNoEmptyList() {
        let monitor = ConflictMonitor()
        let keeper = Keeper(lost(1))
        monitor.show(keeper)
        keeper.set(nil)
        #expect(monitor.summary == "The lost edits cannot be read")
        #expect(monitor.failure is Keeper.Damaged)
        keeper.set(lost(1))
        #expect(monitor.summary == "1 edit lost" && monitor.failure == nil)
    }

    @Test func aMonitorKeepsNobodyAlive() {
        let monitor = ConflictMonitor()
        weak var gone: Keeper?
        do {
            let keeper = Keeper(lost(1))
            gone = keeper
            monitor.show(keeper)
            #expect(monitor.lostEdits.count == 1)
        }
        #expect(gone == nil)
    }

    /// A relaunch: the same store, another monitor.
    @Test func theLostEditsOfAReplicaAreShownAfterARelaunch() async throws {
        let (hub, store) = (InMemoryHub(), InMemoryStore())
        func open() throws -> (Replica, ConflictMonitor) {
            let monitor = ConflictMonitor()
            var configuration = ReplicaConfiguration()
            configuration.sink = monitor
            let replica = try Replica(device: "phone", store: store, configuration: configuration)
            monitor.show(replica)
            return (replica, monitor)
        }
        let key = RecordKey(type: "Card", id: "1")
        let tablet = try Replica(device: "tablet", store: InMemoryStore())
        do {
            let (replica, monitor) = try open()
            try replica.put(["title": "phone"], to: key)
            try tablet.put(["title": "tablet"], to: key)
            _ = try await SyncEngine(replica: tablet, hub: hub).sync()
            _ = try await SyncEngine(replica: replica, hub: hub).sync()
            #expect(monitor.summary == "1 edit lost")
        }
        let (replica, monitor) = try open()
        #expect(monitor.summary == "1 edit lost" && monitor.statistics.totalConflicts == 0)
        try replica.restore(try #require(monitor.lostEdits.first))
        #expect(monitor.summary == "No edits lost")
    }

    @Test @MainActor func observersAreToldOfWhatAKeeperHas() async {
        let monitor = ConflictMonitor()
        let keeper = Keeper([])
        monitor.show(keeper)
        let list = lost(1)
        await change(of: { _ = monitor.summary }, when: { keeper.set(list) })
        #expect(ids(monitor.lostEdits) == [1])
    }

    @Test @MainActor func observersAreTold() async {
        let monitor = ConflictMonitor()
        let event = conflict(1)
        await change(of: { _ = monitor.summary }, when: { monitor.record(event) })
        #expect(ids(monitor.lostEdits) == [1])
    }
}
