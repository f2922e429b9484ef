import SyncSystem

/// A database file with one connection to write and as many to read as there are readers.
///
/// In WAL mode readers neither wait for the writer nor keep it waiting, in this process and in others.
package final class SQLiteDatabase: Sendable {
    /// What the file is for, and how its tables came to be.
    package struct Schema {
        /// Marks the file as one of this package; see `PRAGMA application_id`.
        let applicationID: Int64
        /// The statements that lead from each version to the next.
        ///
        /// What has been released is never changed, only added to.
        let migrations: [String]

        package init(applicationID: Int64, migrations: [String]) {
            self.applicationID = applicationID
            self.migrations = migrations
        }
    }

    private let path: String
    private let busyTimeout: Int32
    private let writer: Exclusive<SQLiteConnection>
    private let idleReaders = Locked<[Exclusive<SQLiteConnection>]>([])

    /// Readers kept open while nobody reads.
    private static let maximumIdleReaders = 4

    /// Opens a database and brings its tables up to date.
    ///
    /// A file that is there is looked at first: nothing of one that is not ours is changed, nor are files made beside it.
    ///
    /// - Parameters:
    ///   - mustExist: Whether a file that is not there, or has no tables yet, is an error.
    ///   - busyTimeout: How long to wait for other processes, in milliseconds.
    ///   - maximumBytes: How large the file may become; nil for no limit of its own.
    package init(path: String, schema: Schema, busyTimeout: Int, maximumBytes: Int?, mustExist: Bool = false) throws(SQLiteError) {
        self.path = path
        self.busyTimeout = Int32(clamping: busyTimeout)
        let known = try Self.look(at: path, schema, busyTimeout: self.busyTimeout)
        if mustExist, known == 0 {
            throw SQLiteError(
                .notFound, "\(path) holds no tables of this package; nothing was changed: name the file that the app writes")
        }
        let connection = try Self.open(path, busyTimeout: self.busyTimeout, creates: true)
        try Self.migrate(connection, schema, path: path)
        if let maximumBytes {
            let pageSize = try connection.integer("PRAGMA page_size")
            try connection.execute("PRAGMA max_page_count = \(max(1, Int64(maximumBytes) / max(1, pageSize)))")
        }
        // In KiB: SQLite's own 2 MB are soon too few for records written all over a large store.
        try connection.execute("PRAGMA cache_size = -8192")
        // Records written all over a large store are in the log again and again: the fewer times it is copied over, the less is copied.
        try connection.execute("PRAGMA wal_autocheckpoint = 4096")
        writer = Exclusive(connection)
    }

    /// Runs a body alone among all writers of all processes; its changes are kept when it returns and undone when it throws.
    ///
    /// - Parameter isDurable: Whether the changes, and all before them, must outlast a power failure before this returns.
    package func write<Result: Sendable>(isDurable: Bool = false, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try writer.use { connection in
            guard isDurable else { return try connection.transaction(.writing) { try body(connection) } }
            try connection.execute("PRAGMA synchronous = FULL")
            defer { try? connection.execute("PRAGMA synchronous = NORMAL") }
            return try connection.transaction(.writing) { try body(connection) }
        }
    }

    /// Runs a body that sees one state of the database throughout.
    package func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let reader = try idleReaders.withLock { $0.popLast() } ?? openReader()
        defer {
            idleReaders.withLock { idle in
                if idle.count < Self.maximumIdleReaders { idle.append(reader) }
            }
        }
        return try reader.use { connection in
            try connection.transaction(.reading) { try body(connection) }
        }
    }

    private func openReader() throws(SQLiteError) -> Exclusive<SQLiteConnection> {
        do throws(SQLiteError) {
            let connection = try Self.open(path, busyTimeout: busyTimeout, creates: false)
            try connection.execute("PRAGMA query_only = ON")
            return Exclusive(connection)
        } catch {
            throw error.code == .cannotOpen ? SQLiteError(fileGone: path) : error
        }
    }

    private static func open(_ path: String, busyTimeout: Int32, creates: Bool) throws(SQLiteError) -> sending SQLiteConnection {
        // SQLite does not wait for other processes while it changes the journal's mode, so this does.
        let deadline = ContinuousClock.now + .milliseconds(Int(busyTimeout))
        while true {
            do throws(SQLiteError) {
                let connection = try SQLiteConnection(path: path, access: creates ? .creating : .writing, busyTimeout: busyTimeout)
                // NORMAL: a crash of the program loses nothing; after a power failure the last transactions may be missing, never torn.
                try connection.execute("PRAGMA synchronous = NORMAL")
                // Apple's `fsync` leaves what it was given in the drive's cache; where there is nothing better this changes nothing.
                try connection.execute("PRAGMA fullfsync = ON")
                if try connection.text("PRAGMA journal_mode") != "wal" {
                    _ = try connection.text("PRAGMA journal_mode = WAL")
                }
                return connection
            } catch {
                guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
                pauseBriefly()
            }
        }
    }

    /// The version of the tables in a file, which stays as it is; 0 where it is empty or there is none.
    private static func look(at path: String, _ schema: Schema, busyTimeout: Int32) throws(SQLiteError) -> Int64 {
        guard let size = (try? FileStatus(path: path))?.size, size > 0 else { return 0 }
        var looks = 1
        while true {
            do throws(SQLiteError) {
                let connection = try SQLiteConnection(path: path, access: access(to: path, size: size), busyTimeout: busyTimeout)
                return try versionInOneState(connection, schema, path: path)
            } catch {
                // Another process may have been making the file: what is read without locks may be half of it.
                guard error.code == .damaged, looks < 4 else { throw error }
                looks += 1
                pauseBriefly()
            }
        }
    }

    /// How a file is looked at so that nothing beside it is made or removed.
    private static func access(to path: String, size: Int64) -> SQLiteConnection.Access {
        // What a process has written lately may be in the log alone; where there is none, reading it would make one. The log of a file
        // without a header would be removed.
        guard size >= headerLength, (try? FileStatus(path: path + "-wal"))?.size ?? 0 > 0 else { return .looking }
        // A process that has the file open keeps an index of the log; where nobody does, none is made.
        return (try? FileStatus(path: path + "-shm")) == nil ? .copied(hasLog: true) : .reading
    }

    /// How many bytes a database begins with at least; source: sqlite.org/fileformat2.html.
    private static let headerLength: Int64 = 100

    /// The version of the tables as of one state of the file: another process could make them between one question and the next.
    private static func versionInOneState(
        _ connection: SQLiteConnection, _ schema: Schema, path: String
    ) throws(SQLiteError) -> Int64 {
        do {
            return try connection.transaction(.reading) { try version(connection, schema, path: path) }
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw SQLiteError(.storage, "\(path) cannot be read", underlying: error)
        }
    }

    private static func migrate(_ connection: SQLiteConnection, _ schema: Schema, path: String) throws(SQLiteError) {
        let latest = Int64(schema.migrations.count)
        do {
            if try versionInOneState(connection, schema, path: path) == latest { return }
            try connection.transaction(.writing) {
                // Asked again: another process may have done it in the meantime.
                let version = try version(connection, schema, path: path)
                for migration in schema.migrations[Int(clamping: version)...] { try connection.execute(migration) }
                try connection.execute("PRAGMA application_id = \(schema.applicationID); PRAGMA user_version = \(latest)")
            }
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw SQLiteError(.storage, "\(path) cannot be brought up to date", underlying: error)
        }
    }

    /// The version of the tables, 0 in an empty database.
    private static func version(_ connection: SQLiteConnection, _ schema: Schema, path: String) throws(SQLiteError) -> Int64 {
        let application = try connection.integer("PRAGMA application_id")
        let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        guard application == schema.applicationID || application == 0 && isEmpty else {
            throw SQLiteError(.damaged, "\(path) is a database of another program; nothing was changed: choose another file")
        }
        let version = try connection.integer("PRAGMA user_version")
        guard (0...Int64(schema.migrations.count)).contains(version) else {
            throw SQLiteError(
                .newerSchema,
                "\(path) has schema version \(version), and this program knows versions up to \(schema.migrations.count); nothing "
                    + "was changed: update the program")
        }
        return version
    }
}

extension SQLiteDatabase {
    /// Looks through the whole file for damage.
    package func checkIntegrity() throws {
        let verdict = try writer.use { connection in try connection.text("PRAGMA integrity_check(1)") }
        guard verdict == "ok" else {
            throw SQLiteError(.damaged, "\(path) is damaged (\(verdict)): restore it from a backup, or move it away and sync again")
        }
    }
}
