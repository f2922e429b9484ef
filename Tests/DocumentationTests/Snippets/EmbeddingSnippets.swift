import Foundation
import SyncAudit
import TemporaryDirectory
import Testing

@Suite struct EmbeddingSnippets {
    private let directory: TemporaryDirectory
    private let hub = InMemoryHub()

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func embedding() async throws {
        let folder = directory.path
        let log = try AuditLogWriter(directory: folder, source: "iPhone")  // rotating JSON Lines, values left out unless you ask
        var configuration = ReplicaConfiguration()
        configuration.mergeRules = MergeRules(fields: ["Card": ["visits": .counter, "tags": .set]])
        configuration.sink = log

        let store = try SQLiteStore(path: folder + "/cards.sqlite")
        let replica = try Replica(device: "iPhone", store: store, configuration: configuration)
        try replica.put(["email": "john@new.example"], to: RecordKey(type: "Card", id: "42"))
        try replica.increment("visits", of: RecordKey(type: "Card", id: "42"))

        let engine = SyncEngine(replica: replica, hub: hub)  // SQLiteHub for several processes, or your server behind the Hub protocol
        try await engine.sync()
        print(replica.conflictSummary)

        try replica.write { batch in
            try batch.put(["name": "John Smith"], to: RecordKey(type: "Card", id: "42"))
            try batch.add(["customer"], to: "tags", of: RecordKey(type: "Card", id: "42"))
        }

        if let edits = try replica.edits(of: RecordKey(type: "Card", id: "42")) {
            let seconds = Double(edits.latest.timestamp.milliseconds) / 1000
            print("Last edited on \(edits.latest.device) at \(Date(timeIntervalSince1970: seconds).formatted())")
            print("The name is from \(edits.fields["name"]?.device ?? "nobody")")
        }

        let wantsItBack = folder == directory.path
        for conflict in try replica.lostEdits where conflict.loser.dot.device == replica.device {
            print("Your \(conflict.field ?? "change") \(conflict.loser.value ?? "") was replaced by \(conflict.winner.dot.device)")
            if wantsItBack { try replica.restore(conflict) } else { try replica.dismiss(conflict) }
        }

        let shown = try replica.get(RecordKey(type: "Card", id: "42"))
        #expect(shown == ["email": "john@new.example", "name": "John Smith", "tags": ["customer"], "visits": 1])
        #expect(await hub.devices().map(\.device) == ["iPhone"])
    }

    @Test func showingWhatWasLost() throws {
        let log = CollectingSink()
        let store = InMemoryStore()
        var configuration = ReplicaConfiguration()
        let conflicts = ConflictMonitor()
        configuration.sink = BroadcastingAuditSink([log, conflicts])
        let replica = try Replica(device: "iPhone", store: store, configuration: configuration)
        conflicts.show(replica)
        #expect(conflicts.summary == "No edits lost")
    }

    private struct CollectingSink: AuditSink { func record(_ event: AuditEvent) {} }
}
