public import SyncModel

/// A store in which a replica keeps its records, its outbox and its metadata.
///
/// A store keeps bytes and knows nothing of merging. It must be safe to use from any thread, and where its content can be reached by
/// several processes, from any process. `SyncLayerTesting` has the conformance suite.
///
/// ```swift
/// let records = try store.read { reader in
///     try reader.records(ofType: "Card", after: nil, limit: 100)
/// }
/// ```
public protocol ReplicaStore: Sendable {
    /// Runs a body alone among all writers.
    ///
    /// What it changed is kept, all of it, when it returns, and undone, all of it, when it throws. The body must not call the store again.
    ///
    /// - Parameters:
    ///   - durability: What the changes must outlast once this has returned.
    ///   - body: Reads and writes; it sees its own changes.
    /// - Throws: What the body throws, and ``SyncLayerError`` where the store fails.
    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result

    /// Runs a body that sees one state of the store throughout. It neither waits for a writer nor keeps it waiting.
    ///
    /// - Throws: What the body throws, and ``SyncLayerError`` where the store fails.
    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result
}

/// The failure that committed changes outlast.
///
/// ```swift
/// try store.write(.power) { writer in
///     try writer.setMetadata([1])
/// }
/// ```
public enum StoreDurability: Hashable, Sendable {
    /// The end of the program, however sudden. After a power failure the latest transactions may be missing, never torn.
    case process
    /// A power failure too; and with these changes all that were committed before.
    case power
}

/// A snapshot of a store's content, for the length of a closure.
///
/// ```swift
/// let record = try store.read { reader in
///     try reader.record(key)
/// }
/// ```
public protocol ReplicaStoreReader {
    /// The replica's metadata, nil before they were first set.
    func metadata() throws -> [UInt8]?

    /// A record, nil where it was never written.
    func record(_ key: RecordKey) throws -> StoredRecord?

    /// Records of a type in order of identity, deleted ones left out.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - id: Where to go on: only records whose identity sorts after it. Nil to begin.
    ///   - limit: How many at most.
    func records(ofType type: RecordType, after id: RecordID?, limit: Int) throws -> [StoredRecord]

    /// Deleted records in order of key.
    ///
    /// - Parameters:
    ///   - key: Where to go on: only records whose key sorts after it. Nil to begin.
    ///   - limit: How many at most.
    func deletedRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord]

    /// Records of all types in order of key, deleted ones included.
    ///
    /// - Parameters:
    ///   - key: Where to go on: only records whose key sorts after it. Nil to begin.
    ///   - limit: How many at most.
    func allRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord]

    /// Entries of a queue in order of number.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - number: Where to go on: only entries with a greater number. 0 to begin.
    ///   - limit: How many at most.
    ///   - bytes: How many bytes of content at most. The first entry is there whatever its size.
    func entries(in queue: StoreQueue, after number: UInt64, limit: Int, bytes: Int) throws -> [StoreEntry]

    /// A row of an index, nil where there is none of the key.
    func row(_ key: [UInt8], in index: StoreIndex) throws -> StoreRow?

    /// Rows of an index in order of their keys, compared byte by byte.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - prefix: Only rows whose keys begin with it.
    ///   - key: Where to go on: only rows whose key sorts after it. Nil to begin.
    ///   - limit: How many at most.
    /// - Complexity: O(log *n*) and the rows returned.
    func rows(in index: StoreIndex, startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) throws -> [StoreRow]

    /// Rows of an index in descending order of their keys.
    ///
    /// A store that does not say how reads all rows with the prefix for it.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - prefix: Only rows whose keys begin with it.
    ///   - key: Where to go on: only rows whose key sorts before it. Nil to begin with the last.
    ///   - limit: How many at most.
    /// - Complexity: O(log *n*) and the rows returned.
    func rows(in index: StoreIndex, startingWith prefix: [UInt8], before key: [UInt8]?, limit: Int) throws -> [StoreRow]
}

extension ReplicaStoreReader {
    /// Reads all rows with the prefix, and returns the last ones.
    public func rows(in index: StoreIndex, startingWith prefix: [UInt8], before key: [UInt8]?, limit: Int) throws -> [StoreRow] {
        let rows = try rows(in: index, startingWith: prefix, after: nil, limit: .max)
        return rows.reversed().drop { row in key.map { !row.key.lexicographicallyPrecedes($0) } ?? false }.prefix(limit).map(\.self)
    }
}

extension ReplicaStoreReader {
    /// The entry of a number, from 1, in a queue; nil where there is none.
    func entry(_ number: UInt64, in queue: StoreQueue) throws -> StoreEntry? {
        try entries(in: queue, after: number - 1, limit: 1, bytes: .max).first { $0.number == number }
    }
}

/// A store's content while it is being changed, for the length of a closure.
///
/// ```swift
/// try store.write(.process) { writer in
///     try writer.removeRecord(key)
/// }
/// ```
public protocol ReplicaStoreWriter: ReplicaStoreReader {
    /// Replaces the replica's metadata.
    func setMetadata(_ content: [UInt8]) throws

    /// Inserts a record or replaces it.
    func setRecord(_ record: StoredRecord) throws

    /// Inserts a record unless one of its key is there, deleted ones included.
    ///
    /// Asked where the record is likely to be new: a store that finds out on the way spares itself a search of its own.
    ///
    /// - Returns: Whether it was inserted.
    func insertRecord(_ record: StoredRecord) throws -> Bool

    /// Removes a record, if it is there.
    func removeRecord(_ key: RecordKey) throws

    /// Appends an entry to a queue, or replaces the one with its number.
    func setEntry(_ entry: StoreEntry, in queue: StoreQueue) throws

    /// Removes an entry from a queue, if it is there.
    func removeEntry(_ number: UInt64, from queue: StoreQueue) throws

    /// Inserts a row into an index, or replaces the one of its key.
    func setRow(_ row: StoreRow, in index: StoreIndex) throws

    /// Removes a row from an index, if it is there.
    func removeRow(_ key: [UInt8], from index: StoreIndex) throws
}

extension ReplicaStoreWriter {
    /// Looks for a record of the same key and, where there is none, inserts this one.
    public func insertRecord(_ record: StoredRecord) throws -> Bool {
        guard try self.record(record.key) == nil else { return false }
        try setRecord(record)
        return true
    }
}

/// A record as a store keeps it.
///
/// ```swift
/// let record = StoredRecord(key: key, isLive: true, content: [1, 2, 3])
/// try store.write(.process) { writer in try writer.setRecord(record) }
/// ```
public struct StoredRecord: Hashable, Sendable {
    /// The record's name.
    public let key: RecordKey

    /// Whether the record exists; false for one that is deleted and remembered.
    public let isLive: Bool

    /// The replica's state of the record, encoded.
    public let content: [UInt8]

    /// Where the store that the record was read from had it, nil where that is not known.
    ///
    /// Nothing of the record itself: it may spare that store a search, and may no longer be true.
    package var rowID: Int64?

    /// A record to be kept.
    public init(key: RecordKey, isLive: Bool, content: [UInt8]) {
        self.key = key
        self.isLive = isLive
        self.content = content
    }

    /// Whether both hold equal content of one record.
    public static func == (left: StoredRecord, right: StoredRecord) -> Bool {
        left.key == right.key && left.isLive == right.isLive && left.content == right.content
    }

    /// Feeds the record's name and content into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(content)
    }
}

/// The lists that a store keeps beside the records.
///
/// ```swift
/// let waiting = try store.read { reader in
///     try reader.entries(in: .outbox, after: 0, limit: 100, bytes: 1_000_000)
/// }
/// ```
public enum StoreQueue: String, Hashable, Sendable, CaseIterable {
    /// The device's own writes that no hub has taken yet, by their number.
    case outbox
    /// The device's own writes that the hub refused or that are too large for it, by their number.
    case setAside = "set_aside"
    /// What happened and has not been passed on to the audit yet, oldest first.
    case journal
    /// The conflicts that wait for the app's decision.
    case activeConflicts = "active_conflicts"
    /// What earlier versions kept of deleted records that every device has seen, by a hash of their keys; now ``StoreIndex/traces``.
    case collected
}

/// An entry of a store's list.
///
/// ```swift
/// let entry = StoreEntry(number: 1, content: [1, 2, 3])
/// try store.write(.process) { writer in try writer.setEntry(entry, in: .journal) }
/// ```
public struct StoreEntry: Hashable, Sendable {
    /// The entry's number in the queue, from 1 to `Int64.max`.
    public let number: UInt64

    /// The entry's content.
    public let content: [UInt8]

    /// An entry to be kept.
    ///
    /// - Precondition: `number` is from 1 to `Int64.max`.
    public init(number: UInt64, content: [UInt8]) {
        precondition((1...UInt64(Int64.max)).contains(number), "entries are numbered from 1 to Int64.max")
        self.number = number
        self.content = content
    }
}
