import SyncLayer
import SyncModel

/// A store whose program may end before, within and after every transaction.
///
/// What was committed before stays; a transaction that the end cuts short leaves nothing.
struct MortalStore: ReplicaStore {
    let store: any ReplicaStore
    let life: Life

    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        try life.step()
        let result = try store.write(durability) { writer in
            let result = try body(MortalWriter(writer: writer, life: life))
            try life.step()
            return result
        }
        // Committed, and nobody is told.
        try life.step()
        return result
    }

    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result {
        try life.step()
        return try store.read(body)
    }
}

/// A transaction that the end of its program may cut short.
private struct MortalWriter: ReplicaStoreWriter {
    let writer: any ReplicaStoreWriter
    let life: Life

    func metadata() throws -> [UInt8]? { try writer.metadata() }

    func record(_ key: RecordKey) throws -> StoredRecord? { try writer.record(key) }

    func records(ofType type: RecordType, after id: RecordID?, limit: Int) throws -> [StoredRecord] {
        try writer.records(ofType: type, after: id, limit: limit)
    }

    func deletedRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
        try writer.deletedRecords(after: key, limit: limit)
    }

    func allRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord] { try writer.allRecords(after: key, limit: limit) }

    func entries(in queue: StoreQueue, after number: UInt64, limit: Int, bytes: Int) throws -> [StoreEntry] {
        try writer.entries(in: queue, after: number, limit: limit, bytes: bytes)
    }

    func row(_ key: [UInt8], in index: StoreIndex) throws -> StoreRow? { try writer.row(key, in: index) }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) throws -> [StoreRow] {
        try writer.rows(in: index, startingWith: prefix, after: key, limit: limit)
    }

    func setMetadata(_ content: [UInt8]) throws {
        try life.step()
        try writer.setMetadata(content)
    }

    func setRecord(_ record: StoredRecord) throws {
        try life.step()
        try writer.setRecord(record)
    }

    func insertRecord(_ record: StoredRecord) throws -> Bool {
        try life.step()
        return try writer.insertRecord(record)
    }

    func removeRecord(_ key: RecordKey) throws {
        try life.step()
        try writer.removeRecord(key)
    }

    func setEntry(_ entry: StoreEntry, in queue: StoreQueue) throws {
        try life.step()
        try writer.setEntry(entry, in: queue)
    }

    func removeEntry(_ number: UInt64, from queue: StoreQueue) throws {
        try life.step()
        try writer.removeEntry(number, from: queue)
    }

    func setRow(_ row: StoreRow, in index: StoreIndex) throws {
        try life.step()
        try writer.setRow(row, in: index)
    }

    func removeRow(_ key: [UInt8], from index: StoreIndex) throws {
        try life.step()
        try writer.removeRow(key, from: index)
    }
}
