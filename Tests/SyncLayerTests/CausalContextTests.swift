import ConflictAudit
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// What a write says that its writer had seen.
@Suite struct CausalContextTests {
    private static let card = RecordKey(type: "card", id: "1")

    /// The write that a device makes to a record of which it has a stranger's write, as the hub then has it.
    private func write(after seen: VersionVector) async throws -> (write: TaggedWrite, report: SyncReport) {
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let phone = try Device("phone", hub: hub, clock: clock)
        try phone.replica.put(["name": "Ada"], to: Self.card)
        try await phone.sync()
        let strange = TaggedWrite(
            dot: Dot(device: "stranger", sequence: 1), timestamp: HybridTimestamp(milliseconds: clock.now.millisecondsSince1970 + 1),
            key: Self.card,
            operation: .delete, seen: seen)
        #expect(try await hub.push([strange], from: "stranger").count == 1)
        try await phone.sync()
        clock.advance(by: .seconds(1))
        let dot = try phone.replica.put(["name": "Grace"], to: Self.card)
        let report = try await phone.sync()
        let found = try await hub.pull(PullRequest(device: "other", cursor: 0)).writes.first { $0.dot == dot }
        return (try #require(found), report)
    }

    @Test func aWriteNamesWhatTheWritersOfMergedWritesHadSeen() async throws {
        let (write, _) = try await write(after: ["phone": 1, "lost": 7])
        #expect(write.seen == ["lost": 7, "phone": 1, "stranger": 1])
    }

    @Test func aWriteNamesOnlyThoseOfItsOwnWritesThatWereMade() async throws {
        let (write, report) = try await write(after: ["phone": 900, "lost": 7])
        #expect(write.seen == ["lost": 7, "phone": 1, "stranger": 1])
        #expect(report.setAside.isEmpty)
    }

    @Test func aWriteDoesNotCarryOnHundredsOfInventedNames() async throws {
        let madeUp = (0..<1000).map { Dot(device: DeviceID("made up \($0)"), sequence: 1) }
        let names = VersionVector(madeUp + [Dot(device: "phone", sequence: 1)])
        let (write, _) = try await write(after: names)
        #expect(write.seen == ["phone": 1, "stranger": 1])
    }
}
