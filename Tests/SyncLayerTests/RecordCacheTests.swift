import FleetHistories
import SyncModel
import Testing

@testable import SyncLayer

/// The records used lately.
@Suite struct RecordCacheTests {
    private func key(_ number: Int) -> RecordKey { RecordKey(type: "card", id: RecordID(String(number))) }

    @Test func recordsStayCachedUntilTooManyOthersWereUsed() {
        var cache = RecordCache(capacity: 8)
        /// A transaction that uses one record.
        func use(_ number: Int) {
            if cache.record(key(number)) == nil { cache.insert(WorkingRecord(ReplicaRecord(key: key(number)))) }
            cache.trim()
        }
        func kept() -> [Int] {
            var copy = cache
            return (0..<10).filter { copy.record(key($0)) != nil }
        }
        for number in [0, 1, 2, 3, 0, 4, 5] { use(number) }
        #expect(kept() == [0, 1, 2, 3, 4, 5])
        use(6)
        #expect(kept() == [0, 4, 5, 6])
    }

    @Test func anEvictedRecordIsReadFromTheStoreAgain() throws {
        let store = InMemoryStore()
        var configuration = ReplicaConfiguration()
        configuration.cachedRecords = 8
        let replica = try Replica(device: "a", store: store, configuration: configuration)
        for number in 0..<20 { for value in [1, 2] as [FieldValue] { try replica.put(["x": value], to: key(number)) } }
        try store.write(.process) { writer in
            for number in [0, 19] { try writer.setRecord(StoredRecord(key: key(number), isLive: true, content: [1, 200])) }
        }
        try replica.put(["x": 3], to: key(19))
        #expect(#expect(throws: SyncLayerError.self) { try replica.put(["x": 3], to: key(0)) }?.code == .damaged)
    }
}
