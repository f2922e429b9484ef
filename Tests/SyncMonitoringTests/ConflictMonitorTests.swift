import ConflictAudit
import SyncMerge
import SyncModel
import SyncMonitoring
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

    @Test @MainActor func observersAreTold() async {
        let monitor = ConflictMonitor()
        let event = conflict(1)
        await change(of: { _ = monitor.summary }, when: { monitor.record(event) })
        #expect(ids(monitor.lostEdits) == [1])
    }
}
