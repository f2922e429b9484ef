import SyncLayer
import SyncModel
import SyncSystem

/// A store in memory that counts how often pages of records are read, of deleted ones, and of rows.
final class CountingStore: ReplicaStore {
    private let store = InMemoryStore()
    let reads = Locked(0)
    let deletedReads = Locked(0)
    let rowReads = Locked(0)

    private struct Writer: ReplicaStoreWriter {
        let writer: any ReplicaStoreWriter
        let reads: Locked<Int>
        let deletedReads: Locked<Int>
        let rowReads: Locked<Int>

        func records(ofType type: RecordType, after id: RecordID?, limit: Int) throws -> [StoredRecord] {
            reads.withLock { $0 += 1 }
            return try writer.records(ofType: type, after: id, limit: limit)
        }

        func allRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
            reads.withLock { $0 += 1 }
            return try writer.allRecords(after: key, limit: limit)
        }

        func metadata() throws -> [UInt8]? { try writer.metadata() }
        func record(_ key: RecordKey) throws -> StoredRecord? { try writer.record(key) }
        func deletedRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
            deletedReads.withLock { $0 += 1 }
            return try writer.deletedRecords(after: key, limit: limit)
        }
        func entries(in queue: StoreQueue, after number: UInt64, limit: Int, bytes: Int) throws -> [StoreEntry] {
            try writer.entries(in: queue, after: number, limit: limit, bytes: bytes)
        }
        func row(_ key: [UInt8], in index: StoreIndex) throws -> StoreRow? { try writer.row(key, in: index) }
        func rows(in index: StoreIndex, startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) throws -> [StoreRow] {
            rowReads.withLock { $0 += 1 }
            return try writer.rows(in: index, startingWith: prefix, after: key, limit: limit)
        }
        func setMetadata(_ content: [UInt8]) throws { try writer.setMetadata(content) }
        func setRecord(_ record: StoredRecord) throws { try writer.setRecord(record) }
        func removeRecord(_ key: RecordKey) throws { try writer.removeRecord(key) }
        func setEntry(_ entry: StoreEntry, in queue: StoreQueue) throws { try writer.setEntry(entry, in: queue) }
        func removeEntry(_ number: UInt64, from queue: StoreQueue) throws { try writer.removeEntry(number, from: queue) }
        func setRow(_ row: StoreRow, in index: StoreIndex) throws { try writer.setRow(row, in: index) }
        func removeRow(_ key: [UInt8], from index: StoreIndex) throws { try writer.removeRow(key, from: index) }
    }

    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        try store.write(durability) { try body(Writer(writer: $0, reads: reads, deletedReads: deletedReads, rowReads: rowReads)) }
    }

    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result { try write(.process) { try body($0) } }
}
