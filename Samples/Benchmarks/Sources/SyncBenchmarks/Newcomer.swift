import Foundation
import SyncLayer
import SyncModel

/// How long a new device takes, and how much it fetches, from a hub that keeps every write and from one that has let go of what nobody needs.
///
/// Two phones write the same records, each a part of the writes, syncing now and then; a third replica decides what can go.
struct Newcomer {
    let writes: Int
    let records: Int

    func run() async throws {
        print("\n\(writes) writes to \(records) records by two devices, over a SQLite hub")
        let directory = try ScratchDirectory()
        let hub = try SQLiteHub(path: "\(directory.path)/hub.sqlite")
        let phones = try ["phone", "tablet"].map { try replica($0, directory) }
        let engines = phones.map { SyncEngine(replica: $0, hub: hub) }
        let rounds = 40
        for round in 0..<rounds {
            for (phone, engine) in zip(phones, engines) {
                let part = writes / rounds / 2
                for batch in 0..<part / 100 {
                    try phone.write { changes in
                        for index in 0..<100 {
                            let number = (round * part + batch * 100 + index) &* 7919 % records
                            if round == 0, batch * 100 + index < records {
                                try changes.put(Card(batch * 100 + index).fields, to: key("\(batch * 100 + index)"))
                            } else {
                                try changes.put(["email": .string(Card.email(number, change: round))], to: key("\(number)"))
                            }
                        }
                    }
                }
                try await engine.sync()
            }
        }
        for engine in engines { try await engine.sync() }
        Table.row("", "", "seconds", "writes fetched", "", "MB fetched")
        try await join("first", hub, directory, "from all writes")
        // It has not everything until it has said so.
        try await hub.forget("first")
        let auditor = try replica("auditor", directory)
        try await SyncEngine(replica: auditor, hub: ReadingHub(hub)).sync()
        var done = Compaction()
        let time = try await seconds { done = try await auditor.compact(hub) }
        Table.row("compaction", "", Table.seconds(time), "\(done.compacted) let go of")
        try await join("second", hub, directory, "from what is kept")
    }

    private func join(_ name: DeviceID, _ hub: SQLiteHub, _ directory: ScratchDirectory, _ row: String) async throws {
        let newcomer = try replica(name, directory)
        var report = SyncReport()
        let time = try await seconds { report = try await SyncEngine(replica: newcomer, hub: hub).sync() }
        var (bytes, request) = (0, PullRequest(device: "nobody", cursor: 0, limit: 1000))
        while true {
            let page = try await hub.pull(request)
            bytes += page.bytes
            (request.cursor, request.position) = (page.cursor, page.position)
            if !page.hasMore { break }
        }
        let size = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/hub.sqlite")[.size] as? Int ?? 0
        Table.row(
            "a new device", row, Table.seconds(time), "\(report.pulled)", "", "\(bytes / 1_000_000)", "",
            "hub's file \(size / 1_000_000) MB")
    }

    private func replica(_ name: DeviceID, _ directory: ScratchDirectory) throws -> Replica {
        try Replica(device: name, store: SQLiteStore(path: "\(directory.path)/\(name).sqlite"))
    }
}
