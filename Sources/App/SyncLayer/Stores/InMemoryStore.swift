import SyncModel
import SyncSystem

/// A store that lasts as long as the program, for tests and previews.
///
/// ```swift
/// let replica = try Replica(device: "iPhone", store: InMemoryStore())
/// try replica.put(["name": "Ann"], to: key)
/// ```
public final class InMemoryStore: ReplicaStore {
    /// The turn to write.
    ///
    /// Readers take only the short lock, so they never wait for a writer's whole transaction.
    private let turn = Locked(0)
    private let contents = Locked(StoreContents())

    /// An empty store.
    public init() {}

    /// A copy of another store, as a backup is.
    package init(copyOf other: InMemoryStore) {
        let copied = other.contents.withLock { $0 }
        contents.withLock { $0 = copied }
    }

    /// Runs a body alone among all writers.
    ///
    /// - Complexity: beside the body's own, O(*c*) in the number of its changes.
    public func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        try turn.withLock { _ in
            let draft = StoreDraft(contents: contents)
            let result = try body(draft)
            contents.withLock { draft.apply(to: &$0) }
            return result
        }
    }

    /// Runs a body that sees one state of the store throughout.
    public func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result {
        try body(contents.withLock { $0 })
    }
}

/// What an in-memory store holds.
struct StoreContents: ReplicaStoreReader {
    var encodedMetadata: [UInt8]?
    var records: [RecordType: [RecordID: StoredRecord]] = [:]
    var queues: [StoreQueue: [UInt64: StoreEntry]] = [:]
    var indexes: [StoreIndex: SortedRows] = [:]

    func metadata() -> [UInt8]? { encodedMetadata }

    func record(_ key: RecordKey) -> StoredRecord? { records[key.type]?[key.id] }

    func records(ofType type: RecordType, after id: RecordID?, limit: Int) -> [StoredRecord] {
        let records = (records[type] ?? [:]).values.filter { record in record.isLive && id.map { $0 < record.key.id } ?? true }
        return Array(records.sorted { $0.key < $1.key }.prefix(limit))
    }

    func deletedRecords(after key: RecordKey?, limit: Int) -> [StoredRecord] {
        let records = records.values.flatMap { $0.values }.filter { record in !record.isLive && key.map { $0 < record.key } ?? true }
        return Array(records.sorted { $0.key < $1.key }.prefix(limit))
    }

    func allRecords(after key: RecordKey?, limit: Int) -> [StoredRecord] {
        let records = records.values.flatMap { $0.values }.filter { record in key.map { $0 < record.key } ?? true }
        return Array(records.sorted { $0.key < $1.key }.prefix(limit))
    }

    func entries(in queue: StoreQueue, after number: UInt64, limit: Int, bytes: Int) -> [StoreEntry] {
        var entries: [StoreEntry] = []
        var size = 0
        for entry in (queues[queue] ?? [:]).values.sorted(by: { $0.number < $1.number }) where entry.number > number {
            size += entry.content.count
            if entries.count == limit || size > bytes && !entries.isEmpty { break }
            entries.append(entry)
        }
        return entries
    }

    func row(_ key: [UInt8], in index: StoreIndex) -> StoreRow? { indexes[index]?.row(key) }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) -> [StoreRow] {
        indexes[index]?.rows(startingWith: prefix, after: key, limit: limit) ?? []
    }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], before key: [UInt8]?, limit: Int) -> [StoreRow] {
        indexes[index]?.rows(startingWith: prefix, before: key, limit: limit) ?? []
    }
}

/// The changes of one transaction over what was there before.
private final class StoreDraft: ReplicaStoreWriter {
    private let contents: Locked<StoreContents>
    private var encodedMetadata: [UInt8]?
    private var records: [RecordKey: StoredRecord?] = [:]
    private var queues: [StoreQueue: [UInt64: StoreEntry?]] = [:]
    private var indexes: [StoreIndex: [[UInt8]: StoreRow?]] = [:]

    init(contents: Locked<StoreContents>) {
        self.contents = contents
    }

    func apply(to contents: inout StoreContents) {
        if let encodedMetadata { contents.encodedMetadata = encodedMetadata }
        for (key, record) in records { contents.records[key.type, default: [:]][key.id] = record }
        for (queue, entries) in queues {
            for (number, entry) in entries { contents.queues[queue, default: [:]][number] = entry }
        }
        for (index, rows) in indexes {
            for (key, row) in rows { contents.indexes[index, default: SortedRows()].set(row, for: key) }
        }
    }

    /// Everything as it will be.
    ///
    /// Costs a copy of what the transaction changed, and of what is beside it.
    private var all: StoreContents {
        var all = contents.withLock { $0 }
        apply(to: &all)
        return all
    }

    func metadata() -> [UInt8]? { encodedMetadata ?? contents.withLock { $0.encodedMetadata } }

    func record(_ key: RecordKey) -> StoredRecord? { records[key] ?? contents.withLock { $0.record(key) } }

    func records(ofType type: RecordType, after id: RecordID?, limit: Int) -> [StoredRecord] {
        all.records(ofType: type, after: id, limit: limit)
    }

    func deletedRecords(after key: RecordKey?, limit: Int) -> [StoredRecord] { all.deletedRecords(after: key, limit: limit) }

    func allRecords(after key: RecordKey?, limit: Int) -> [StoredRecord] { all.allRecords(after: key, limit: limit) }

    func entries(in queue: StoreQueue, after number: UInt64, limit: Int, bytes: Int) -> [StoreEntry] {
        all.entries(in: queue, after: number, limit: limit, bytes: bytes)
    }

    func row(_ key: [UInt8], in index: StoreIndex) -> StoreRow? {
        indexes[index]?[key] ?? contents.withLock { $0.row(key, in: index) }
    }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) -> [StoreRow] {
        var rows = contents.withLock { $0.indexes[index] } ?? SortedRows()
        for (key, row) in indexes[index] ?? [:] { rows.set(row, for: key) }
        return rows.rows(startingWith: prefix, after: key, limit: limit)
    }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], before key: [UInt8]?, limit: Int) -> [StoreRow] {
        all.rows(in: index, startingWith: prefix, before: key, limit: limit)
    }

    func setMetadata(_ content: [UInt8]) { encodedMetadata = content }

    func setRecord(_ record: StoredRecord) { records[record.key] = .some(record) }

    func removeRecord(_ key: RecordKey) { records[key] = .some(nil) }

    func setEntry(_ entry: StoreEntry, in queue: StoreQueue) { queues[queue, default: [:]][entry.number] = .some(entry) }

    func removeEntry(_ number: UInt64, from queue: StoreQueue) { queues[queue, default: [:]][number] = .some(nil) }

    func setRow(_ row: StoreRow, in index: StoreIndex) { indexes[index, default: [:]][row.key] = .some(row) }

    func removeRow(_ key: [UInt8], from index: StoreIndex) { indexes[index, default: [:]][key] = .some(nil) }
}
