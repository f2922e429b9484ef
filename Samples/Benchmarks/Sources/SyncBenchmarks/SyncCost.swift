import AuditLog
import SyncLayer
import SyncModel

/// How fast other devices' writes are merged, and what the audit adds to a sync.
///
/// One device has inserted records, and another takes them over: nothing is in conflict. Then both change every record without a sync in between,
/// and the second syncs: it fetches and merges as many conflicting writes as there are records, and sends as many. Both are measured with the audit's
/// log and without a sink.
struct SyncCost {
    let records: Int
    let rounds: Int

    func run() async throws {
        // With the log first, without it second.
        var takeOvers: [[Double]] = [[], []]
        var syncs: [[Double]] = [[], []]
        var conflicts = 0
        for round in 0..<rounds {
            // In turns, and each first as often as the other.
            for side in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let times = try await measure(isAudited: side == 0)
                takeOvers[side].append(times.takeOver)
                syncs[side].append(times.sync)
                conflicts = times.conflicts
            }
        }
        print("\nSyncs over a SQLite hub, of \(records) writes from each side; median of \(rounds) rounds in turns")
        Table.row("", "", "seconds", "merged a second", "audit")
        row("remote inserts", takeOvers, conflicts: 0)
        row("all in conflict", syncs, conflicts: conflicts)
    }

    private func row(_ name: String, _ times: [[Double]], conflicts: Int) {
        let share = zip(times[0], times[1]).map { ($0 - $1) / $0 }.median
        Table.row(
            name, "\(conflicts) conflicts", Table.seconds(times[0].median), Table.perSecond(records, times[0].median), Table.percent(share))
        Table.row("", "without a log", Table.seconds(times[1].median), Table.perSecond(records, times[1].median))
    }

    private func measure(isAudited: Bool) async throws -> (takeOver: Double, sync: Double, conflicts: Int) {
        let directory = try ScratchDirectory()
        let hub = try SQLiteHub(path: "\(directory.path)/hub.sqlite")
        let phone = try AuditedReplica(directory: directory.path, device: "phone", isAudited: false)
        let tablet = try AuditedReplica(directory: directory.path, device: "tablet", isAudited: isAudited)
        let (phoneEngine, tabletEngine) = (SyncEngine(replica: phone.replica, hub: hub), SyncEngine(replica: tablet.replica, hub: hub))
        try write(phone.replica) { Card($0).fields }
        _ = try await phoneEngine.sync()
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await tabletEngine.sync()
        let takeOver = (clock.now - start) / .seconds(1)
        try write(phone.replica) { ["email": .string(Card.email($0, change: 1))] }
        _ = try await phoneEngine.sync()
        try write(tablet.replica) { ["email": .string(Card.email($0, change: 2))] }
        let second = clock.now
        _ = try await tabletEngine.sync()
        tablet.finish()
        let sync = (clock.now - second) / .seconds(1)
        return (takeOver, sync, tablet.replica.statistics.totalConflicts)
    }

    private func write(_ replica: Replica, _ change: (Int) -> FieldMap) throws {
        for start in stride(from: 0, to: records, by: 100) {
            try replica.write { batch in
                for number in start..<min(records, start + 100) { try batch.put(change(number), to: key(CardNames.random(number))) }
            }
        }
    }
}
