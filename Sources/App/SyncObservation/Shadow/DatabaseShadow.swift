import ConflictAudit
import SyncModel
import SyncSQLite

/// A shadow in a SQLite file.
final class DatabaseShadow: ShadowStorage {
    private let database: SQLiteDatabase

    init(path: String) throws(SyncObservationError) {
        do throws(SQLiteError) {
            database = try SQLiteDatabase(path: path, schema: Self.schema, busyTimeout: 30_000, maximumBytes: nil)
        } catch {
            throw SyncObservationError(error)
        }
    }

    func write<Result: Sendable>(isDurable: Bool, _ body: (any ShadowAccess) throws -> Result) throws -> Result {
        do {
            return try database.write(isDurable: isDurable) { try body(Access(connection: $0)) }
        } catch let error as SQLiteError {
            throw SyncObservationError(error)
        }
    }

    static let applicationID: Int64 = 0x5361_4f62

    static let migrations = [
        """
        CREATE TABLE observer (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL);
        CREATE TABLE records (type TEXT NOT NULL, id TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (type, id)) WITHOUT ROWID;
        CREATE TABLE journal (number INTEGER PRIMARY KEY AUTOINCREMENT, content BLOB NOT NULL);
        CREATE TABLE lost (number INTEGER PRIMARY KEY AUTOINCREMENT, conflict INTEGER NOT NULL UNIQUE, content BLOB NOT NULL);
        """,
        """
        CREATE TABLE lost_edits (number INTEGER PRIMARY KEY, content BLOB NOT NULL);
        """,
    ]

    private static let schema = SQLiteDatabase.Schema(applicationID: applicationID, migrations: migrations)

    private struct Access: ShadowAccess {
        let connection: SQLiteConnection

        func state() throws -> [UInt8]? { try content(try connection.statement("SELECT content FROM observer WHERE id = 1")) }

        func setState(_ content: [UInt8]) throws {
            try connection.statement("INSERT OR REPLACE INTO observer (id, content) VALUES (1, ?1)").run(content, at: 1)
        }

        func record(_ key: RecordKey) throws -> [UInt8]? {
            let statement = try connection.statement("SELECT content FROM records WHERE type = ?1 AND id = ?2")
            try statement.bind(key.type.rawValue, at: 1)
            try statement.bind(key.id.rawValue, at: 2)
            return try content(statement)
        }

        func setRecord(_ key: RecordKey, _ content: [UInt8]) throws {
            let statement = try connection.statement("INSERT OR REPLACE INTO records (type, id, content) VALUES (?1, ?2, ?3)")
            try statement.bind(key.type.rawValue, at: 1)
            try statement.bind(key.id.rawValue, at: 2)
            try statement.run(content, at: 3)
        }

        func records(after key: RecordKey?, limit: Int) throws -> [(key: RecordKey, content: [UInt8])] {
            let statement =
                if key == nil {
                    try connection.statement("SELECT type, id, content FROM records ORDER BY type, id LIMIT ?1")
                } else {
                    try connection.statement("SELECT type, id, content FROM records WHERE (type, id) > (?2, ?3) ORDER BY type, id LIMIT ?1")
                }
            defer { statement.reset() }
            try statement.bind(Int64(limit), at: 1)
            if let key {
                try statement.bind(key.type.rawValue, at: 2)
                try statement.bind(key.id.rawValue, at: 3)
            }
            var records: [(key: RecordKey, content: [UInt8])] = []
            while try statement.step() {
                records.append((RecordKey(type: RecordType(statement.text(0)), id: RecordID(statement.text(1))), statement.bytes(2)))
            }
            return records
        }

        func journal() throws -> [(number: Int64, content: [UInt8])] {
            let statement = try connection.statement("SELECT number, content FROM journal ORDER BY number")
            defer { statement.reset() }
            var rows: [(number: Int64, content: [UInt8])] = []
            while try statement.step() { rows.append((statement.integer(0), statement.bytes(1))) }
            return rows
        }

        func appendToJournal(_ content: [UInt8]) throws -> Int64 {
            try connection.statement("INSERT INTO journal (content) VALUES (?1)").run(content, at: 1)
            return try connection.integer("SELECT last_insert_rowid()")
        }

        func removeFromJournal(through number: Int64) throws {
            let statement = try connection.statement("DELETE FROM journal WHERE number <= ?1")
            try statement.bind(number, at: 1)
            try statement.run()
        }

        func lostValue(_ conflict: UInt64) throws -> [UInt8]? {
            let statement = try connection.statement("SELECT content FROM lost WHERE conflict = ?1")
            try statement.bind(Int64(bitPattern: conflict), at: 1)
            return try content(statement)
        }

        func setLostValue(_ conflict: UInt64, _ content: [UInt8], maximum: Int) throws {
            let statement = try connection.statement("INSERT OR REPLACE INTO lost (conflict, content) VALUES (?1, ?2)")
            try statement.bind(Int64(bitPattern: conflict), at: 1)
            try statement.run(content, at: 2)
            let old = try connection.statement("DELETE FROM lost WHERE number <= (SELECT max(number) FROM lost) - ?1")
            try old.bind(Int64(max(0, maximum)), at: 1)
            try old.run()
        }

        func lostEditRow(_ number: UInt64) throws -> [UInt8]? {
            let statement = try connection.statement("SELECT content FROM lost_edits WHERE number = ?1")
            try statement.bind(Int64(number), at: 1)
            return try content(statement)
        }

        func lostEditRows(before number: UInt64?, limit: Int) throws -> [(number: UInt64, content: [UInt8])] {
            let statement = try connection.statement(
                "SELECT number, content FROM lost_edits WHERE number > 0 AND number < ?1 ORDER BY number DESC LIMIT ?2")
            defer { statement.reset() }
            try statement.bind(number.map { Int64($0) } ?? .max, at: 1)
            try statement.bind(Int64(limit), at: 2)
            var rows: [(number: UInt64, content: [UInt8])] = []
            while try statement.step() { rows.append((UInt64(statement.integer(0)), statement.bytes(1))) }
            return rows
        }

        func setLostEditRow(_ number: UInt64, _ content: [UInt8]) throws {
            let statement = try connection.statement("INSERT OR REPLACE INTO lost_edits (number, content) VALUES (?1, ?2)")
            try statement.bind(Int64(number), at: 1)
            try statement.run(content, at: 2)
        }

        func removeLostEditRow(_ number: UInt64) throws {
            let statement = try connection.statement("DELETE FROM lost_edits WHERE number = ?1")
            try statement.bind(Int64(number), at: 1)
            try statement.run()
        }

        private func content(_ statement: SQLiteStatement) throws -> [UInt8]? {
            defer { statement.reset() }
            return try statement.step() ? statement.bytes(0) : nil
        }
    }
}

extension SyncObservationError {
    fileprivate init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case .damaged: .damaged
            case .newerSchema: .newerSchema
            case .readOnly, .cannotOpen, .diskFull, .busy, .fileGone, .notFound, .storage: .storage
            }
        self.init(code, error.description, underlying: error.underlying)
    }
}
