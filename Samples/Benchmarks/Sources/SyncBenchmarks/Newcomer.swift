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
        for number in 0..<records {
            try phones[0].put(Card(number).fields, to: key("\(number)"))
        }
        for engine in engines { try await engine.sync() }
        let part = (writes - records) / rounds / phones.count / 100
        for round in 0..<rounds {
            for (index, phone) in phones.enumerated() {
                for batch in 0..<part {
                    try phone.write { changes in
                        for change in 0..<100 {
                            // Neither writes what the other one writes.
                            let number = ((round * part + batch) * 100 + change) * 7919 % (records / 2) * 2 + index
                            try changes.put(["email": .string(Card.email(number, change: round))], to: key("\(number)"))
                        }
                    }
                }
                try await engines[index].sync()
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
        var pulled = 0
        let time = try await seconds { pulled = try await SyncEngine(replica: newcomer, hub: hub).sync().pulled }
        var (bytes, request) = (0, PullRequest(device: "nobody", cursor: 0, limit: 1000))
        while true {
            let page = try await hub.pull(request)
            bytes += page.bytes
            (request.cursor, request.position) = (page.cursor, page.position)
            if !page.hasMore { break }
        }
        let size = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/hub.sqlite")[.size] as? Int ?? 0
        Table.row(
            "a new device", row, Table.seconds(time), "\(pulled)", "", "\(bytes / 1_000_000)", "",
            "hub's file \(size / 1_000_000) MB")
    }

    private func replica(_ name: DeviceID, _ directory: ScratchDirectory) throws -> Replica {
        try Replica(device: name, store: SQLiteStore(path: "\(directory.path)/\(name).sqlite"))
    }
}
