import AuditLog
import SyncLayer
import SyncModel

/// How fast other devices' writes are merged, and what the audit adds to a sync.
///
/// One device has inserted records, and another takes them over: nothing is in conflict. Then both change every record without a sync in between,
/// and the second syncs: it fetches and merges as many conflicting writes as there are records, and sends as many. Both are measured without a log,
/// with a log of conflicts, and with one of every write too.
struct SyncCost {
    let records: Int
    let rounds: Int

    private typealias Times = (takeOver: Double, sync: Double, conflicts: Int)

    func run() async throws {
        var rows: [LogExtent: [Times]] = [:]
        for round in 0..<rounds {
            // In turns, and each first as often as the others.
            let extents = LogExtent.allCases
            for index in extents.indices {
                let extent = extents[(index + round) % extents.count]
                rows[extent, default: []].append(try await measure(extent))
            }
        }
        print("\nSyncs over a SQLite hub, of \(records) writes from each side; median of \(rounds) rounds in turns")
        Table.row("", "", "seconds", "merged a second", "audit")
        show("remote inserts", rows, conflicts: 0, \.takeOver)
        show("all in conflict", rows, conflicts: rows[.everything]?.last?.conflicts ?? 0, \.sync)
    }

    private func show(_ name: String, _ rows: [LogExtent: [Times]], conflicts: Int, _ part: KeyPath<Times, Double>) {
        let times = rows.mapValues { $0.map { $0[keyPath: part] } }
        func row(_ name: String, _ log: String, _ extent: LogExtent) {
            guard let with = times[extent], let without = times[.nothing] else { return }
            let share = zip(with, without).map { ($0 - $1) / $0 }.median
            Table.row(
                name, log, Table.seconds(with.median), Table.perSecond(records, with.median),
                extent == .nothing ? "" : Table.percent(share))
        }
        row(name, "log of conflicts", .conflicts)
        row("\(conflicts) conflicts", "and of all writes", .everything)
        row("", "without a log", .nothing)
    }

    private func measure(_ extent: LogExtent) async throws -> Times {
        let directory = try ScratchDirectory()
        let hub = try SQLiteHub(path: "\(directory.path)/hub.sqlite")
        let phone = try AuditedReplica(directory: directory.path, device: "phone", extent: .nothing)
        let tablet = try AuditedReplica(directory: directory.path, device: "tablet", extent: extent)
        let (phoneEngine, tabletEngine) = (SyncEngine(replica: phone.replica, hub: hub), SyncEngine(replica: tablet.replica, hub: hub))
        try write(phone.replica) { Card($0).fields }
        _ = try await phoneEngine.sync()
        let takeOver = try await seconds { _ = try await tabletEngine.sync() }
        try write(phone.replica) { ["email": .string(Card.email($0, change: 1))] }
        _ = try await phoneEngine.sync()
        try write(tablet.replica) { ["email": .string(Card.email($0, change: 2))] }
        let sync = try await seconds { _ = try await tabletEngine.sync() }
        tablet.finish()
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
