import AuditLog
import SyncLayer
import SyncModel

/// How fast other devices' writes are merged, and what the audit adds to a sync.
///
/// One device has inserted records, and another takes them over: nothing is in conflict. Then the first changes every record and the second every
/// tenth without a sync in between, and the second syncs: it fetches as many writes as there are records, and a tenth of them are in conflict. Then
/// the same with changes to every record on both sides. Each is measured without a log, with a log of conflicts, and with one of every write too.
struct SyncCost {
    let records: Int
    let rounds: Int
    /// How many seconds the audit may add until what it tells is on the disk; nil for no bound.
    var bound: Double?

    /// The seconds of a sync, those until its log is on the disk as well, and the conflicts that it found.
    private typealias Sync = (seconds: Double, durable: Double, conflicts: Int)

    func run() async throws {
        var syncs: [LogExtent: [[Sync]]] = [:]
        for round in 0..<rounds {
            // In turns, and each first as often as the others.
            let extents = LogExtent.allCases
            for index in extents.indices {
                let extent = extents[(index + round) % extents.count]
                syncs[extent, default: []].append(try await measure(extent))
            }
        }
        print("\nSyncs over a SQLite hub, \(records) writes fetched; mean of the fastest third of \(rounds) rounds in turns")
        Table.row("", "", "milliseconds", "merged a second", "audit", "adds, on disk")
        for (index, name) in ["remote inserts", "changes", "changes"].enumerated() {
            show(name, syncs.mapValues { $0.map { $0[index] } })
        }
    }

    private func show(_ name: String, _ syncs: [LogExtent: [Sync]]) {
        func row(_ name: String, _ log: String, _ extent: LogExtent) {
            guard let measured = syncs[extent], let bare = syncs[.nothing] else { return }
            let (with, without) = (typical(measured.map(\.seconds)), typical(bare.map(\.seconds)))
            guard extent != .nothing else { return Table.row(name, log, Table.milliseconds(with), Table.perSecond(records, with)) }
            let adds = typical(measured.map(\.durable)) - without
            Table.row(
                name, log, Table.milliseconds(with), Table.perSecond(records, with), Table.percent((with - without) / with),
                Table.milliseconds(adds) + (bound.map { adds <= $0 ? " ms, in bounds" : " ms, TOO MUCH" } ?? " ms"))
        }
        row(name, "without a log", .nothing)
        row("\(syncs[.everything]?.last?.conflicts ?? 0) conflicts", "log of conflicts", .conflicts)
        row("", "and of all writes", .everything)
    }

    /// What disturbs a round only ever adds to it, and few are not disturbed at all.
    private func typical(_ seconds: [Double]) -> Double {
        let fastest = seconds.sorted().prefix(max(1, seconds.count / 3))
        return fastest.reduce(0, +) / Double(fastest.count)
    }

    private func measure(_ extent: LogExtent) async throws -> [Sync] {
        let directory = try ScratchDirectory()
        let hub = try SQLiteHub(path: "\(directory.path)/hub.sqlite")
        let phone = try AuditedReplica(directory: directory.path, device: "phone", extent: .nothing)
        let tablet = try AuditedReplica(directory: directory.path, device: "tablet", extent: extent)
        let (phoneEngine, tabletEngine) = (SyncEngine(replica: phone.replica, hub: hub), SyncEngine(replica: tablet.replica, hub: hub))
        func sync() async throws -> Sync {
            let before = tablet.replica.statistics.totalConflicts
            let sync = try await seconds { _ = try await tabletEngine.sync() }
            let finish = seconds { tablet.finish() }
            return (sync, sync + finish, tablet.replica.statistics.totalConflicts - before)
        }
        try write(phone.replica) { Card($0).fields }
        _ = try await phoneEngine.sync()
        var syncs = [try await sync()]
        for (change, step) in [10, 1].enumerated() {
            _ = try await phoneEngine.sync()
            try write(phone.replica) { ["email": .string(Card.email($0, change: 2 * change))] }
            _ = try await phoneEngine.sync()
            try write(tablet.replica, every: step) { ["email": .string(Card.email($0, change: 2 * change + 1))] }
            syncs.append(try await sync())
        }
        return syncs
    }

    private func write(_ replica: Replica, every step: Int = 1, _ change: (Int) -> FieldMap) throws {
        for start in stride(from: 0, to: records, by: 100) {
            try replica.write { batch in
                for number in stride(from: start, to: min(records, start + 100), by: step) {
                    try batch.put(change(number), to: key(CardNames.random(number)))
                }
            }
        }
    }
}
