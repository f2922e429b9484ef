import ConflictAudit
import Foundation
package import SyncLayer
import SyncMerge
package import SyncModel
import SyncOracle
package import Testing

/// A device in a process of its own that is killed while it writes and syncs: no acknowledged write is lost, and none is applied twice.
package enum KilledDevice {
    /// How often the process is killed in the life of one store.
    package static let killsPerStore = 3

    /// Kills a device a few times, and holds what it had acknowledged against what is there.
    package static func check(round: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withDirectory { directory in try await check(round, directory, sourceLocation) }
    }

    private static func check(_ round: Int, _ directory: String, _ sourceLocation: SourceLocation) async throws {
        let (path, hub) = (directory + "/a.db", directory + "/hub.db")
        var random = SplitMix64(seed: UInt64(round))
        var acknowledged: [String] = []
        for step in 0..<killsPerStore {
            let helper = try HelperProcess("sync", path, hub, "a", "1000")
            acknowledged += helper.kill(afterBytes: 1 + round % 40 * 40 + step * 13, andMicroseconds: random.below(3000))
        }
        #expect(acknowledged.count >= 3, sourceLocation: sourceLocation)
        try SQLiteStore(path: path).checkIntegrity()
        try SQLiteHub(path: hub).checkIntegrity()
        let replica = try open("a", path)
        let total = try #require(try replica.get(count)?["n"]?.integer, sourceLocation: sourceLocation)
        let seen = try #require(try replica.checkpoint()?.seen["a"], sourceLocation: sourceLocation)
        let named = try acknowledged.map { line in try #require(UInt64(line.dropFirst("wrote a:".count)), sourceLocation: sourceLocation) }
        #expect(Set(named).count == named.count, "no number is given twice", sourceLocation: sourceLocation)
        #expect((named.max() ?? 0) <= seen, sourceLocation: sourceLocation)
        // A count and a note in turn; the last count may stand without its note.
        #expect(Int64(named.count) <= total && UInt64(total) <= (seen + 3) / 2, sourceLocation: sourceLocation)

        let engine = SyncEngine(replica: replica, hub: try SQLiteHub(path: hub))
        _ = try await engine.sync()
        let other = try open("b", directory + "/b.db")
        _ = try await SyncEngine(replica: other, hub: try SQLiteHub(path: hub)).sync()
        #expect(try other.checkpoint() == replica.checkpoint(), sourceLocation: sourceLocation)
        let page = try await SQLiteHub(path: hub).pull(PullRequest(device: "b", cursor: 0, limit: 100_000))
        #expect(page.writes.map(\.dot.sequence) == Array(1...seen), "each once, in order", sourceLocation: sourceLocation)
    }

    /// Kills a device that loses an edit with every write of another one: its list of lost edits says what its records say.
    package static func checkLostEdits(round: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await withDirectory { directory in
            let path = directory + "/a.db"
            var random = SplitMix64(seed: UInt64(round))
            var told = 0
            for step in 0..<killsPerStore {
                let helper = try HelperProcess("lose", path, directory + "/b.db", directory + "/hub.db", "1000")
                told += helper.kill(afterBytes: 1 + round % 40 * 40 + step * 13, andMicroseconds: random.below(3000)).count
                let replica = try open("a", path)
                let notes = try replica.records(ofType: "pair")
                let overwritten = Set(notes.filter { $0.fields["x"] == "theirs" }.map(\.key))
                let listed = try replica.lostEdits.map(\.key)
                #expect(Set(listed) == overwritten, "what was merged is what is listed", sourceLocation: sourceLocation)
                #expect(listed.count == overwritten.count, "each once", sourceLocation: sourceLocation)
                #expect(notes.count >= told, sourceLocation: sourceLocation)
            }
            #expect(told >= 3, sourceLocation: sourceLocation)
            try SQLiteStore(path: path).checkIntegrity()
        }
    }

    /// The record that the helper program counts in.
    package static let count = RecordKey(type: "count", id: "all")

    /// A replica by the rules of the helper program.
    package static func open(_ device: DeviceID, _ path: String) throws -> Replica {
        var configuration = ReplicaConfiguration()
        configuration.mergeRules.fields = ["count": ["n": .counter], "pair": ["x": .preferDevices(["b"])]]
        return try Replica(device: device, store: try SQLiteStore(path: path), configuration: configuration)
    }
}
