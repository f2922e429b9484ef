import CSQLite

/// What a transaction is for.
package enum TransactionKind {
    /// Alone among all writers.
    case writing
    /// One state throughout.
    case reading
}

/// A connection to a database.
///
/// Not thread-safe: ``Exclusive`` lets one caller at a time have it.
///
/// This file and `SQLiteStatement.swift` hold all the pointers of SQLite; what leaves them are values.
@safe package final class SQLiteConnection {
    private let handle: OpaquePointer
    private let path: String
    /// By the address of their SQL, for a literal has one address.
    ///
    /// They are so few that walking over them takes less time than hashing.
    private var statements: [(address: UInt, statement: SQLiteStatement)] = []

    /// What a connection does to its file.
    package enum Access {
        /// Reads and writes; creates the file where there is none.
        case creating
        /// Reads and writes.
        case writing
        /// Reads only.
        case reading
        /// Reads the file itself only, without a lock and without the files that SQLite keeps beside it.
        case looking
        /// Reads a copy of a database that another program has made, and the log beside it, without a lock.
        ///
        /// Nothing is written, removed or created, also at the end. Whoever reads makes sure that nobody writes meanwhile. Views are not
        /// followed, functions that the schema names are not called, and values of more than 16 MiB are refused.
        case copied(hasLog: Bool)
        /// Reads a database of another program by a query that a person has written.
        ///
        /// What the file says is trusted as little as in ``copied(hasLog:)``, but views are followed, and other files cannot be attached.
        ///
        /// Nothing beside the file is written, removed or created either.
        ///
        /// - Parameters:
        ///   - hasLog: Whether there is a log beside it, to be read as in ``copied(hasLog:)``.
        ///   - isLocked: Whether the file is locked while it is read, which only one without a log may be; without that, whoever reads
        ///     makes sure that nobody writes meanwhile.
        case querying(hasLog: Bool, isLocked: Bool)

        /// Whether a log is read without a lock, and without the index that would be a file beside it.
        fileprivate var readsLogAlone: Bool {
            switch self {
            case .copied(let hasLog), .querying(let hasLog, _): hasLog
            default: false
            }
        }
    }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - access: What is done to the file.
    ///   - busyTimeout: How long to wait for other processes, in milliseconds.
    package init(path: String, access: Access = .creating, busyTimeout: Int32) throws(SQLiteError) {
        var handle: OpaquePointer?
        var (name, flags) = (path, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE)
        switch access {
        case .creating: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .writing: flags |= SQLITE_OPEN_READWRITE
        case .reading: flags |= SQLITE_OPEN_READONLY
        case .looking, .copied(hasLog: false), .querying(hasLog: false, isLocked: false):
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = Self.address(of: path) + "?immutable=1"
        case .copied, .querying: flags |= SQLITE_OPEN_READONLY
        }
        // Where nothing is locked and the connection is the only one, the index of the log is kept in memory and not in a file.
        let system: String? = access.readsLogAlone ? "unix-none" : nil
        let status = unsafe sqlite3_open_v2(name, &handle, flags, system)
        guard let handle = unsafe handle, status == SQLITE_OK else {
            unsafe sqlite3_close_v2(handle)
            throw SQLiteError(status: status, message: unsafe String(cString: sqlite3_errstr(status)), path: path)
        }
        unsafe self.handle = unsafe handle
        self.path = path
        unsafe sqlite3_busy_timeout(handle, busyTimeout)
        switch access {
        case .copied:
            try distrust(followsViews: false)
            try execute("PRAGMA locking_mode = EXCLUSIVE")
        case .querying:
            try distrust(followsViews: true)
            if access.readsLogAlone { try execute("PRAGMA locking_mode = EXCLUSIVE") }
            unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        case .creating, .writing, .reading, .looking: break
        }
    }

    /// Takes nothing that the file says for granted.
    private func distrust(followsViews: Bool) throws(SQLiteError) {
        let settings = [
            (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1), (SQLITE_DBCONFIG_ENABLE_VIEW, followsViews ? 1 : 0), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DEFENSIVE, 1),
        ]
        for (option, value) in settings { unsafe sqlite3_db_config_flag(handle, Int32(option), Int32(value)) }
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 16 << 20)
        try execute("PRAGMA cell_size_check = ON")
    }

    /// Lets values of a file that is not trusted be as long as SQLite itself allows unless told otherwise, to be measured: one at a time is
    /// in memory.
    package func allowLongValues() { unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1_000_000_000) }

    /// The path as SQLite's URI, in which three characters have a meaning of their own.
    ///
    /// Source: sqlite.org/uri.html.
    private static func address(of path: String) -> String {
        let escapes: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return (path.hasPrefix("/") ? "file://" : "file:") + path.map { escapes[$0] ?? String($0) }.joined()
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that return nothing, one after the other.
    package func execute(_ sql: String) throws(SQLiteError) {
        let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw error(status) }
    }

    /// Makes sure that the file is still where it was opened: what is written to a deleted file is gone with the last connection.
    package func requireFile() throws(SQLiteError) {
        var isGone: Int32 = 0
        guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isGone) == SQLITE_OK, isGone != 0 else { return }
        throw SQLiteError(fileGone: path)
    }

    /// Runs a body in a transaction: its changes are kept when it returns and undone when it throws.
    ///
    package func transaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
        try requireFile()
        switch kind {
        case .writing: try statement("BEGIN IMMEDIATE").run()
        case .reading: try statement("BEGIN DEFERRED").run()
        }
        do {
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            // A failed commit, a full disk for one, may have ended the transaction already.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// A prepared statement, ready to be bound; the same one for the same literal.
    package func statement(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
        precondition(sql.hasPointerRepresentation, "a statement is a literal of more than one character")
        let address = unsafe UInt(bitPattern: sql.utf8Start)
        for index in statements.indices where statements[index].address == address {
            let known = statements[index].statement
            known.reset()
            return known
        }
        var pointer: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let status = unsafe sqlite3_prepare_v3(handle, sql.description, -1, flags, &pointer, nil)
        guard let pointer = unsafe pointer, status == SQLITE_OK else { throw error(status) }
        let statement = unsafe SQLiteStatement(pointer, connection: self)
        statements.append((address, statement))
        return statement
    }

    /// A prepared statement of a text that is made at run time, which is kept by nobody else.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var pointer: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(handle, sql, -1, 0, &pointer, nil)
        guard let pointer = unsafe pointer, status == SQLITE_OK else { throw error(status) }
        return unsafe SQLiteStatement(pointer, connection: self)
    }

    /// Why a text is no query.
    package enum QueryProblem: Error {
        /// It holds nothing, or nothing but comments.
        case empty
        /// It holds more than one statement.
        case several
        /// It changes something, or returns no rows.
        case noRows
    }

    /// A prepared statement of a text that another person has written: one statement that returns rows and changes nothing.
    ///
    /// - Throws: ``QueryProblem``, and ``SQLiteError`` where SQLite does not understand it.
    package func prepareQuery(_ sql: String) throws -> SQLiteStatement {
        var pointer: OpaquePointer?
        let (status, rest): (Int32, String) = unsafe sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let status = unsafe sqlite3_prepare_v3(handle, text, -1, 0, &pointer, &tail)
            return (status, unsafe tail.map { unsafe String(cString: $0) } ?? "")
        }
        guard status == SQLITE_OK else { throw error(status) }
        guard let pointer = unsafe pointer else { throw QueryProblem.empty }
        let statement = unsafe SQLiteStatement(pointer, connection: self)
        guard unsafe sqlite3_stmt_readonly(pointer) != 0, unsafe sqlite3_column_count(pointer) > 0 else { throw QueryProblem.noRows }
        // Blanks and comments are no statement.
        var other: OpaquePointer?
        let more = unsafe sqlite3_prepare_v3(handle, rest, -1, 0, &other, nil)
        defer { unsafe sqlite3_finalize(other) }
        guard unsafe other == nil, more == SQLITE_OK else { throw QueryProblem.several }
        return statement
    }

    /// The whole number that a query's first row starts with; 0 without a row.
    package func integer(_ sql: StaticString) throws(SQLiteError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// The string that a query's first row starts with; empty without a row.
    package func text(_ sql: StaticString) throws(SQLiteError) -> String {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : ""
    }

    /// How many rows the last statement that writes has inserted, changed or removed.
    package var changedRows: Int64 { unsafe sqlite3_changes64(handle) }

    /// What the last call that failed has to say.
    func error(_ status: Int32) -> SQLiteError {
        SQLiteError(status: status, message: unsafe String(cString: sqlite3_errmsg(handle)), path: path)
    }
}
