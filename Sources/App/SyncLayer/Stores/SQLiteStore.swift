import SyncSQLite

/// A replica's store in a SQLite file; the default.
///
/// The file is in WAL mode with `synchronous = NORMAL`: whatever was committed outlasts the end of the program, and a power failure may
/// take the latest transactions but never tears one. One writer and any number of readers work at a time; other processes wait their turn
/// instead of failing.
///
/// The `-wal` file beside it grows to about 16 MB, or to the size of the largest transaction, before its pages are copied into the file
/// itself. The last connection to be closed removes it.
///
/// ```swift
/// let store = try SQLiteStore(path: "cards.sqlite")
/// let replica = try Replica(device: "iPhone", store: store)
/// ```
public final class SQLiteStore: ReplicaStore {
    private let database: StoreFile

    /// Opens a store; makes the file where there is none, and brings the tables of an earlier version up to date.
    ///
    /// - Parameters:
    ///   - path: The file. Its directory must exist and allow writing: SQLite keeps `-wal` and `-shm` files beside it.
    ///   - busyTimeout: How long to wait for other processes, in whole milliseconds; 30 s unless given.
    ///   - maximumBytes: How large the file may become before writes fail with ``SyncLayerError/Code/diskFull``; nil for no limit of its
    ///     own.
    /// - Throws: ``SyncLayerError``: the file is damaged, was written by a later version, or cannot be written to. It is then unchanged.
    public init(path: String, busyTimeout: Duration = .seconds(30), maximumBytes: Int? = nil) throws(SyncLayerError) {
        database = try StoreFile(path: path, schema: Self.schema, busyTimeout: busyTimeout, maximumBytes: maximumBytes)
    }

    /// Opens a store that an app has made.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - busyTimeout: How long to wait for other processes, in whole milliseconds; 30 s unless given.
    /// - Throws: ``SyncLayerError``, with ``SyncLayerError/Code/notFound`` where there is no file or one without a store. It is then
    ///   unchanged.
    public init(existing path: String, busyTimeout: Duration = .seconds(30)) throws(SyncLayerError) {
        database = try StoreFile(path: path, schema: Self.schema, busyTimeout: busyTimeout, maximumBytes: nil, mustExist: true)
    }

    /// Runs a body alone among all writers of all processes.
    public func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        try database.write(isDurable: durability == .power) { try body(SQLiteStoreAccess(connection: $0)) }
    }

    /// Runs a body that sees one state of the store throughout.
    public func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result {
        try database.read { try body(SQLiteStoreAccess(connection: $0)) }
    }

    /// Looks through the whole file for damage.
    ///
    /// - Throws: ``SyncLayerError`` that names what was found.
    /// - Complexity: O(*n*) in the size of the file.
    public func checkIntegrity() throws {
        try database.checkIntegrity()
    }

    private static let schema = SQLiteDatabase.Schema(
        applicationID: 0x5361_5265,
        migrations: [
            """
            CREATE TABLE replica (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL);
            CREATE TABLE records (type TEXT NOT NULL, id TEXT NOT NULL, live INTEGER NOT NULL, content BLOB NOT NULL);
            CREATE UNIQUE INDEX records_by_key ON records (type, id);
            CREATE INDEX deleted_records ON records (type, id) WHERE live = 0;
            CREATE TABLE outbox (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
            CREATE TABLE set_aside (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
            CREATE TABLE journal (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
            CREATE TABLE active_conflicts (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
            CREATE TABLE collected (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
            """,
            """
            CREATE TABLE index_rows (list INTEGER NOT NULL, key BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY (list, key)) WITHOUT ROWID;
            """,
        ])
}
