import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Restarts and interruptions.
@Suite struct RestartTests {
    private static let rules = RestartedDevices.rules

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func restartingBeforeEveryStepChangesNothing(_ seed: UInt64) async throws {
        try await RestartedDevices.check(seed: seed)
    }

    @Test func reopeningSQLiteBeforeEveryStepChangesNothing() async throws {
        try await RestartedDevices.checkSQLite(seed: 1)
    }

    // MARK: A sync that is cut off

    /// Two devices with writes to each other, some of them in conflict.
    private func prepare(store: InMemoryStore) throws -> (hub: InMemoryHub, clock: ManualClock, b: Device) {
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let b = try Device("b", hub: hub, clock: clock, rules: Self.rules)
        for number in 0..<5 {
            try b.replica.put(
                ["title": "b", "body": .number(JSONNumber(number))], to: RecordKey(type: "note", id: RecordID(String(number))))
            try b.replica.increment("views", of: RecordKey(type: "note", id: "0"))
        }
        clock.advance(by: .seconds(1))
        let a = try Device("a", hub: hub, clock: clock, store: store, rules: Self.rules)
        for number in 3..<8 {
            try a.replica.put(
                ["title": "a", "body": .number(JSONNumber(number))], to: RecordKey(type: "note", id: RecordID(String(number))))
            try a.replica.increment("views", of: RecordKey(type: "note", id: "0"))
        }
        return (hub, clock, b)
    }

    private func engine(_ replica: Replica, _ hub: some Hub) -> SyncEngine {
        var configuration = SyncConfiguration()
        configuration.writesPerPull = 3
        return SyncEngine(replica: replica, hub: hub, configuration: configuration)
    }

    private func open(_ store: some ReplicaStore, _ sink: CollectingAuditSink, _ clock: ManualClock) throws -> Replica {
        var configuration = ReplicaConfiguration()
        configuration.mergeRules = Self.rules
        configuration.sink = sink
        configuration.reportsWrites = true
        configuration.wallClock = clock.wallClock
        configuration.outboxLimits.writesPerBatch = 4
        return try Replica(device: "a", store: store, configuration: configuration)
    }

    /// What everybody holds in the end, and each of the device's conflict lines once or more.
    private struct Outcome: Equatable {
        var records: [Record]
        var checkpoint: Checkpoint?
        var conflicts: [String]
        var hubWrites: [Dot]
    }

    private func outcome(_ replica: Replica, _ sink: CollectingAuditSink, _ hub: InMemoryHub, _ b: Device) async throws -> Outcome {
        try await b.sync()
        _ = try await engine(replica, hub).sync()
        let checkpoint = try replica.checkpoint()
        #expect(try b.replica.checkpoint() == checkpoint)
        #expect(try replica.outboxStatus().writes == 0)
        let page = try await hub.pull(PullRequest(device: "c", cursor: 0))
        return Outcome(
            records: try replica.records(ofType: "note"), checkpoint: checkpoint, conflicts: sink.conflicts.map(\.short).sorted(),
            hubWrites: page.writes.map(\.dot))
    }

    @Test(
        arguments: InterruptibleHub.Interruption.allCases)
    func aSyncThatIsCutAtAnyCallIsRunAgainWithoutLoss(_ interruption: InterruptibleHub.Interruption) async throws {
        var wanted: Outcome?
        var calls = 0
        var callsOfWholeSync = 1
        while calls <= callsOfWholeSync {
            let store = InMemoryStore()
            let (hub, clock, b) = try prepare(store: store)
            try await b.sync()
            let sink = CollectingAuditSink()
            let line = InterruptibleHub(hub)
            if calls > 0 { line.fail(afterCalls: calls - 1, interruption) }
            do {
                _ = try await engine(try open(store, sink, clock), line).sync()
                #expect(calls == 0)
                callsOfWholeSync = line.calls
            } catch let error as SyncLayerError {
                #expect(error.code == .hubUnavailable)
                #expect(failures(sink) == 1, "the log has the failure")
            }
            let replica = try open(store, sink, clock)
            _ = try await engine(replica, line).sync()
            let found = try await outcome(replica, sink, hub, b)
            if calls == 0 { wanted = found } else { #expect(found == wanted, "cut at call \(calls)") }
            calls += 1
        }
        #expect(callsOfWholeSync > 8)
        #expect(wanted?.conflicts.count { $0.contains(" title:") || $0.contains(" body:") } == 4, "two fields of two notes")
    }

    private func failures(_ sink: CollectingAuditSink) -> Int {
        sink.events.count { if case .sync(let activity) = $0.content { activity.state == .failed } else { false } }
    }

    @Test(
        arguments: [true, false])
    func aProgramKilledAtAnyTransactionLosesNothing(_ isAfterCommit: Bool) async throws {
        var wanted: Outcome?
        var isDone = false
        var transactions = -1
        while !isDone {
            let store = InMemoryStore()
            let (hub, clock, b) = try prepare(store: store)
            try await b.sync()
            let sink = CollectingAuditSink()
            if transactions >= 0 {
                let stopping = StoppingStore(store, after: transactions, isAfterCommit: isAfterCommit)
                do { _ = try await engine(try open(stopping, sink, clock), hub).sync() } catch is Killed {}
                isDone = !stopping.isStopped
            }
            let replica = try open(store, sink, clock)
            #expect(replica.statistics.writesObserved == 0, "an earlier run has counted what it had to tell")
            _ = try await engine(replica, hub).sync()
            let found = try await outcome(replica, sink, hub, b)
            guard var wantedNow = wanted else {
                wanted = found
                transactions += 1
                continue
            }
            // The one place where a line may come twice: after the sink had it, before the journal forgot it.
            let repeated = Set(found.conflicts).count < found.conflicts.count
            if repeated { wantedNow.conflicts = found.conflicts }
            #expect(found == wantedNow, "killed at transaction \(transactions)")
            #expect(Set(found.conflicts) == Set(wanted?.conflicts ?? []), "killed at transaction \(transactions)")
            transactions += 1
        }
        #expect(transactions > 6)
    }

    @Test(.timeLimit(.minutes(10))) func aCancelledSyncStopsAndCanBeRunAgain() async throws {
        let store = InMemoryStore()
        let (hub, clock, b) = try prepare(store: store)
        try await b.sync()
        let sink = CollectingAuditSink()
        let replica = try open(store, sink, clock)
        let engine = engine(replica, hub)
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await engine.sync()
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(failures(sink) == 0, "it has not begun")

        let slow = self.engine(replica, SlowHub(hub: hub))
        let task = Task { try await slow.sync() }
        while !sink.events.contains(where: { if case .sync = $0.content { true } else { false } }) { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(failures(sink) == 1)
        _ = try await engine.sync()
        #expect(try replica.outboxStatus().writes == 0)
    }
}

/// A hub that never answers.
private struct SlowHub: ForwardingHub {
    let hub: any Hub

    func now() async throws -> WallTime {
        while true {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
