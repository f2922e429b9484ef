import ConflictAudit
import Foundation
import SyncLayer
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Several processes at once.
@Suite struct ProcessTests {
    private func open(_ device: DeviceID, _ path: String) throws -> Replica {
        var configuration = ReplicaConfiguration()
        configuration.mergeRules.fields = ["count": ["n": .counter]]
        return try Replica(device: device, store: try SQLiteStore(path: path), configuration: configuration)
    }

    private let count = RecordKey(type: "count", id: "all")

    @Test func twoProcessesOnOneStoreLoseNoUpdateAndReuseNoNumber() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let helpers = try ["p", "q"].map { try HelperProcess("write", path, $0, "150") }
            let lines = helpers.map { $0.lines() }
            #expect(helpers.map(\.status) == [0, 0], "\(lines.map { $0.last ?? "" })")
            #expect(lines.map(\.count) == [150, 150])
            #expect(Set(lines.joined()).count == 300, "every write has a name of its own")
            let replica = try open("shared", path)
            #expect(try replica.get(count) == ["n": 300])
            #expect(try replica.records(ofType: "note").count == 300)
            #expect(try replica.checkpoint()?.seen == ["shared": 600])
            #expect(try replica.checkpoint()?.records == 301)
            #expect(try replica.outboxStatus().writes == 600)
            try SQLiteStore(path: path).checkIntegrity()
        }
    }

    @Test func aReplicaNoticesWhatAnotherProcessHasWritten() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let replica = try open("shared", path)
            try replica.increment("n", of: count)
            #expect(try HelperProcess("write", path, "p", "5").lines().count == 5)
            try replica.increment("n", of: count)
            #expect(try replica.get(count) == ["n": 7])
        }
    }

    @Test func eightProcessesOnOneHubEndWithEverything() async throws {
        try await withDirectory { directory in
            let hub = directory + "/hub.db"
            let names = (1...8).map { "d\($0)" }
            let helpers = try names.map { try HelperProcess("sync", "\(directory)/\($0).db", hub, $0, "12") }
            let lines = helpers.map { $0.lines() }
            #expect(helpers.allSatisfy { $0.status == 0 }, "\(lines.map { $0.last ?? "" })")
            #expect(lines.allSatisfy { $0.last == "synced" && $0.count == 13 })
            var checkpoints: Set<String> = []
            for name in names {
                let replica = try open(DeviceID(name), "\(directory)/\(name).db")
                _ = try await SyncEngine(replica: replica, hub: try SQLiteHub(path: hub)).sync()
                #expect(try replica.get(count) == ["n": 96])
                #expect(try replica.records(ofType: "note").count == 96)
                checkpoints.insert(try replica.checkpoint()?.digest ?? "none")
                try SQLiteStore(path: "\(directory)/\(name).db").checkIntegrity()
            }
            #expect(checkpoints.count == 1)
            try SQLiteHub(path: hub).checkIntegrity()
        }
    }

    /// How often the helper is killed in the life of one store.
    private static let killsPerStore = 3

    /// `SYNCAUDIT_KILLS`, or as many as take some seconds.
    private static let stores = 0..<(ProcessInfo.processInfo.environment["SYNCAUDIT_KILLS"].flatMap(Int.init) ?? 36) / killsPerStore

    @Test(arguments: stores)
    func aKilledProcessLosesNoAcknowledgedWriteAndAppliesNoneTwice(_ round: Int) async throws {
        try await withDirectory { directory in
            let (path, hub) = (directory + "/a.db", directory + "/hub.db")
            var random = SplitMix64(seed: UInt64(round))
            var acknowledged: [String] = []
            for step in 0..<Self.killsPerStore {
                let helper = try HelperProcess("sync", path, hub, "a", "1000")
                acknowledged += helper.kill(afterBytes: 1 + round % 40 * 40 + step * 13, andMicroseconds: random.below(3000))
            }
            #expect(acknowledged.count >= 3)
            try SQLiteStore(path: path).checkIntegrity()
            try SQLiteHub(path: hub).checkIntegrity()
            let replica = try open("a", path)
            let total = try #require(try replica.get(count)?["n"]?.integer)
            let seen = try #require(try replica.checkpoint()?.seen["a"])
            let named = try acknowledged.map { line in try #require(UInt64(line.dropFirst("wrote a:".count))) }
            #expect(Set(named).count == named.count, "no number is given twice")
            #expect((named.max() ?? 0) <= seen)
            // A count and a note in turn; the last count may stand without its note.
            #expect(Int64(named.count) <= total && UInt64(total) <= (seen + 3) / 2)

            let engine = SyncEngine(replica: replica, hub: try SQLiteHub(path: hub))
            _ = try await engine.sync()
            let other = try open("b", directory + "/b.db")
            _ = try await SyncEngine(replica: other, hub: try SQLiteHub(path: hub)).sync()
            #expect(try other.checkpoint() == replica.checkpoint())
            let page = try await SQLiteHub(path: hub).pull(PullRequest(device: "b", cursor: 0, limit: 100_000))
            #expect(page.writes.map(\.dot.sequence) == Array(1...seen), "each once, in order")
        }
    }
}
