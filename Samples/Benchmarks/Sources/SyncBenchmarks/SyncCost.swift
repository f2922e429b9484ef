import AuditLog
import SyncLayer
import SyncModel

/// How fast other devices' writes are merged, and what the audit adds to a sync.
///
/// One device has inserted records; another takes them over, both change every record without a sync in between, and the second syncs: that sync sends,
/// fetches and merges as many conflicting writes as there are records. It is measured with the audit's log and without.
struct SyncCost {
    let records: Int
    let rounds: Int

    func run() async throws {
        var audited: [Double] = []
        var silent: [Double] = []
        var merges: [Double] = []
        var conflicting = 0
        for round in 0..<rounds {
            // In turns, and each first as often as the other.
            for isAudited in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                let times = try await measure(isAudited: isAudited)
                if isAudited {
                    audited.append(times.sync)
                    merges.append(times.takeOver)
                    conflicting = times.conflicts
                } else {
                    silent.append(times.sync)
                }
            }
        }
        print("\nSyncs over a SQLite hub, of \(records) writes; median of \(rounds) rounds in turns")
        Table.row("", "", "seconds", "writes a second")
        Table.row("remote inserts", "fetched, merged", Table.seconds(merges.median), Table.perSecond(records, merges.median))
        Table.row("both sides edited", "with the audit", Table.seconds(audited.median), Table.perSecond(2 * records, audited.median))
        Table.row("", "without a log", Table.seconds(silent.median), Table.perSecond(2 * records, silent.median))
        let share = zip(audited, silent).map { ($0 - $1) / $0 }.median
        print("  \(conflicting) conflicts were logged; the audit's log is \(Table.percent(share)) of the sync")
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
