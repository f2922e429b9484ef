import ConflictAudit
import FleetHistories
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncSQLite
import SyncSystem
import Testing

@testable import SyncLayer

/// What was merged of each device.
@Suite struct SeenDevicesTests {
    private func write(_ number: UInt64, of device: DeviceID, at place: UInt64) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: 1), operation: .put(["x": 1]), at: place)
    }

    private func page(_ writes: [TaggedWrite]) -> PullPage {
        PullPage(writes: writes, bytes: 0, cursor: writes.last?.receipt?.hubSequence ?? 0, hasMore: false)
    }

    @Test func aPutWritesNoMoreWithTwoThousandKnownDevices() throws {
        let store = InMemoryStore()
        let replica = try Replica(device: "me", store: store)
        try replica.put(["x": 1], to: card)
        let alone = try #require(try store.read { try $0.metadata() }).count
        let writes = (1...2000).map { write(1, of: DeviceID("device-\($0)"), at: $0) }
        #expect(try replica.merge(page(writes)).tooFarAhead == 0)
        try replica.put(["x": 2], to: card)
        #expect(try #require(try store.read { try $0.metadata() }).count <= alone + 8)

        let seen = try #require(try replica.checkpoint()?.seen)
        #expect(seen == VersionVector(writes.map(\.dot) + [Dot(device: "me", sequence: 2)]))
        let other = try Replica(device: "me", store: store)
        #expect(try other.checkpoint()?.seen == seen, "the next run finds it")
        #expect(try other.merge(page([write(2, of: "device-7", at: 2001)])).tooFarAhead == 0)
        #expect(try replica.checkpoint()?.seen["device-7"] == 2, "so does another process")
    }

    @Test func numbersNeverFallAndFailedTransactionsDoNotCount() throws {
        let store = FailingStore()
        let replica = try Replica(device: "me", store: store)
        _ = try replica.merge(page([write(1, of: "you", at: 1), write(5, of: "you", at: 2)]))
        store.failsNext.withLock { $0 = true }
        #expect(throws: Killed.self) { try replica.merge(page([write(1, of: "they", at: 3)])) }
        try replica.put(["x": 1], to: card)
        #expect(try replica.checkpoint()?.seen == ["me": 1, "you": 5])
        _ = try replica.merge(page([write(4, of: "you", at: 4)]))
        #expect(try replica.checkpoint()?.seen == ["me": 1, "you": 5])
    }

    @Test func aStoreThatKeptTheWholeVectorInOneRowIsMigrated() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let seen: VersionVector = ["me": 3, "tablet": 7, "you": 2]
            var metadata = ReplicaMetadata(device: "me")
            (metadata.sequence, metadata.earlierSeen, metadata.ownSeen) = (3, seen, 3)
            try SQLiteStore(path: path).write(.process) { [metadata] in try $0.setMetadata(metadata.encoded) }
            try SQLiteConnection(path: path, busyTimeout: 0).execute("DROP TABLE index_rows; PRAGMA user_version = 1")

            let replica = try Replica(device: "me", store: try SQLiteStore(path: path))
            #expect(try replica.checkpoint()?.seen == seen)
            #expect(try replica.store.read { try ReplicaMetadata($0.metadata() ?? []).earlierSeen.isEmpty })
            #expect(try replica.store.read { try $0.rows(in: .seen, startingWith: [], after: nil, limit: 9).count } == 2)
            try replica.put(["x": 1], to: card)
            #expect(try replica.checkpoint()?.seen == ["me": 4, "tablet": 7, "you": 2])
        }
    }

    @Test func aFailedMigrationIsBegunAgainByTheNextTransaction() throws {
        let store = FailingStore()
        let replica = try Replica(device: "me", store: store)
        var metadata = ReplicaMetadata(device: "me")
        metadata.earlierSeen = ["you": 2]
        try store.write(.process) { [metadata] in try $0.setMetadata(metadata.encoded) }
        store.failsNext.withLock { $0 = true }
        #expect(throws: Killed.self) { try replica.put(["x": 1], to: card) }
        try replica.put(["x": 1], to: card)
        #expect(try replica.checkpoint()?.seen == ["me": 1, "you": 2])
    }
}

/// A store whose next transaction, when told so, comes to nothing at its end.
private final class FailingStore: ReplicaStore {
    private let store = InMemoryStore()
    let failsNext = Locked(false)

    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        try store.write(durability) { writer in
            let result = try body(writer)
            let fails = failsNext.withLock { fails in
                defer { fails = false }
                return fails
            }
            if fails { throw Killed() }
            return result
        }
    }

    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result { try store.read(body) }
}

extension TaggedWrite {
    fileprivate init(dot: Dot, timestamp: HybridTimestamp, operation: Operation, at place: UInt64) {
        self.init(
            dot: dot, timestamp: timestamp, key: RecordKey(type: "note", id: RecordID("\(dot)")), operation: operation, seen: [:],
            receipt: Receipt(milliseconds: 1, hubSequence: place))
    }
}
