import ConflictAudit
import FleetHistories
import SyncLayer
import SyncModel
import Testing

/// Several processes at once.
@Suite struct ProcessTests {
    private func open(_ device: DeviceID, _ path: String) throws -> Replica { try KilledDevice.open(device, path) }

    private let count = KilledDevice.count

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

    /// Many more are killed among the tests of programs.
    @Test func aKilledProcessLosesNoAcknowledgedWriteAndAppliesNoneTwice() async throws {
        try await KilledDevice.check(round: 3)
    }
}
