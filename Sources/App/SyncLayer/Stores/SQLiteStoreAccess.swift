import SyncModel
import SyncSQLite

/// The statements by which a store's content is read and written, for the length of a transaction.
struct SQLiteStoreAccess: ReplicaStoreWriter {
    let connection: SQLiteConnection

    func metadata() throws -> [UInt8]? {
        let statement = try connection.statement("SELECT content FROM replica WHERE id = 1")
        defer { statement.reset() }
        return try statement.step() ? statement.bytes(0) : nil
    }

    func record(_ key: RecordKey) throws -> StoredRecord? {
        let statement = try connection.statement("SELECT live, content, rowid FROM records WHERE type = ?1 AND id = ?2")
        return try statement.withBound(key) {
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            var record = StoredRecord(key: key, isLive: statement.integer(0) != 0, content: statement.bytes(1))
            record.rowID = statement.integer(2)
            return record
        }
    }

    func records(ofType type: RecordType, after id: RecordID?, limit: Int) throws -> [StoredRecord] {
        let statement = try connection.statement(
            id == nil
                ? "SELECT id, content FROM records WHERE type = ?1 AND live = 1 ORDER BY id LIMIT ?2"
                : "SELECT id, content FROM records WHERE type = ?1 AND live = 1 AND id > ?3 ORDER BY id LIMIT ?2")
        defer { statement.reset() }
        try statement.bind(type.rawValue, at: 1)
        try statement.bind(Int64(limit), at: 2)
        if let id { try statement.bind(id.rawValue, at: 3) }
        var records: [StoredRecord] = []
        while try statement.step() {
            let key = RecordKey(type: type, id: RecordID(statement.text(0)))
            records.append(StoredRecord(key: key, isLive: true, content: statement.bytes(1)))
        }
        return records
    }

    func deletedRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
        try records(
            key == nil
                ? "SELECT type, id, live, content, rowid FROM records WHERE live = 0 ORDER BY type, id LIMIT ?3"
                : "SELECT type, id, live, content, rowid FROM records WHERE live = 0 AND (type, id) > (?1, ?2) ORDER BY type, id LIMIT ?3",
            after: key, limit: limit)
    }

    func allRecords(after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
        try records(
            key == nil
                ? "SELECT type, id, live, content, rowid FROM records ORDER BY type, id LIMIT ?3"
                : "SELECT type, id, live, content, rowid FROM records WHERE (type, id) > (?1, ?2) ORDER BY type, id LIMIT ?3",
            after: key, limit: limit)
    }

    private func records(_ query: StaticString, after key: RecordKey?, limit: Int) throws -> [StoredRecord] {
        let statement = try connection.statement(query)
        defer { statement.reset() }
        if let key { try statement.bind(key) }
        try statement.bind(Int64(limit), at: 3)
        var records: [StoredRecord] = []
        while try statement.step() {
            let key = RecordKey(type: RecordType(statement.text(0)), id: RecordID(statement.text(1)))
            var record = StoredRecord(key: key, isLive: statement.integer(2) != 0, content: statement.bytes(3))
            record.rowID = statement.integer(4)
            records.append(record)
        }
        return records
    }

    func entries(in queue: StoreQueue, after number: UInt64, limit: Int, bytes: Int) throws -> [StoreEntry] {
        let statement = try connection.statement(queue.statements.read)
        defer { statement.reset() }
        try statement.bind(Int64(number), at: 1)
        try statement.bind(Int64(limit), at: 2)
        var entries: [StoreEntry] = []
        var size = 0
        while try statement.step() {
            let entry = StoreEntry(number: UInt64(statement.integer(0)), content: statement.bytes(1))
            size += entry.content.count
            if size > bytes, !entries.isEmpty { break }
            entries.append(entry)
        }
        return entries
    }

    func setMetadata(_ content: [UInt8]) throws {
        let statement = try connection.statement(
            "INSERT INTO replica (id, content) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET content = excluded.content")
        try statement.run(content, at: 1)
    }

    func setRecord(_ record: StoredRecord) throws {
        if let rowID = record.rowID, try replace(record, at: rowID) { return }
        let statement = try connection.statement(
            """
            INSERT INTO records (type, id, live, content) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (type, id) DO UPDATE SET live = excluded.live, content = excluded.content
            """)
        try statement.bind(record.isLive ? 1 : 0, at: 3)
        try statement.withBound(record.key) { try statement.run(record.content, at: 4) }
    }

    /// Replaces a record where it was found, without a search for its key.
    ///
    /// - Returns: False, and nothing is changed, where it is no longer there.
    private func replace(_ record: StoredRecord, at rowID: Int64) throws -> Bool {
        // The row is asked for its key: rows are numbered anew when a database is vacuumed.
        let statement = try connection.statement(
            "UPDATE records SET live = ?3, content = ?4 WHERE rowid = ?5 AND type = ?1 AND id = ?2")
        try statement.bind(record.isLive ? 1 : 0, at: 3)
        try statement.bind(rowID, at: 5)
        try statement.withBound(record.key) { try statement.run(record.content, at: 4) }
        return connection.changedRows > 0
    }

    func insertRecord(_ record: StoredRecord) throws -> Bool {
        let statement = try connection.statement(
            "INSERT INTO records (type, id, live, content) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (type, id) DO NOTHING")
        try statement.bind(record.isLive ? 1 : 0, at: 3)
        try statement.withBound(record.key) { try statement.run(record.content, at: 4) }
        return connection.changedRows > 0
    }

    func removeRecord(_ key: RecordKey) throws {
        let statement = try connection.statement("DELETE FROM records WHERE type = ?1 AND id = ?2")
        try statement.bind(key)
        try statement.run()
    }

    func setEntry(_ entry: StoreEntry, in queue: StoreQueue) throws {
        let statement = try connection.statement(queue.statements.set)
        try statement.bind(Int64(entry.number), at: 1)
        try statement.run(entry.content, at: 2)
    }

    func removeEntry(_ number: UInt64, from queue: StoreQueue) throws {
        let statement = try connection.statement(queue.statements.remove)
        try statement.bind(Int64(number), at: 1)
        try statement.run()
    }

    func row(_ key: [UInt8], in index: StoreIndex) throws -> StoreRow? {
        let statement = try connection.statement("SELECT content FROM index_rows WHERE list = ?1 AND key = ?2")
        defer { statement.reset() }
        try statement.bind(Int64(index.rawValue), at: 1)
        try statement.bind(key, at: 2)
        return try statement.step() ? StoreRow(key: key, content: statement.bytes(0)) : nil
    }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], after key: [UInt8]?, limit: Int) throws -> [StoreRow] {
        // No limit and no end: rows are read as they are asked for.
        let statement = try connection.statement("SELECT key, content FROM index_rows WHERE list = ?1 AND key >= ?2 ORDER BY key")
        defer { statement.reset() }
        try statement.bind(Int64(index.rawValue), at: 1)
        try statement.bind(key ?? prefix, at: 2)
        var rows: [StoreRow] = []
        while rows.count < limit, try statement.step() {
            let row = StoreRow(key: statement.bytes(0), content: statement.bytes(1))
            guard row.key.starts(with: prefix) else { break }
            if row.key != key { rows.append(row) }
        }
        return rows
    }

    func rows(in index: StoreIndex, startingWith prefix: [UInt8], before key: [UInt8]?, limit: Int) throws -> [StoreRow] {
        guard let end = key ?? prefix.successor else { return try lastRows(in: index, startingWith: prefix, limit: limit) }
        let statement = try connection.statement("SELECT key, content FROM index_rows WHERE list = ?1 AND key < ?2 ORDER BY key DESC")
        defer { statement.reset() }
        try statement.bind(Int64(index.rawValue), at: 1)
        try statement.bind(end, at: 2)
        return try rows(of: statement, startingWith: prefix, limit: limit)
    }

    /// The last rows of an index whose prefix has nothing behind it.
    private func lastRows(in index: StoreIndex, startingWith prefix: [UInt8], limit: Int) throws -> [StoreRow] {
        let statement = try connection.statement("SELECT key, content FROM index_rows WHERE list = ?1 ORDER BY key DESC")
        defer { statement.reset() }
        try statement.bind(Int64(index.rawValue), at: 1)
        return try rows(of: statement, startingWith: prefix, limit: limit)
    }

    private func rows(of statement: SQLiteStatement, startingWith prefix: [UInt8], limit: Int) throws -> [StoreRow] {
        var rows: [StoreRow] = []
        while rows.count < limit, try statement.step() {
            let row = StoreRow(key: statement.bytes(0), content: statement.bytes(1))
            guard row.key.starts(with: prefix) else { break }
            rows.append(row)
        }
        return rows
    }

    func setRow(_ row: StoreRow, in index: StoreIndex) throws {
        let statement = try connection.statement("INSERT OR REPLACE INTO index_rows (list, key, content) VALUES (?1, ?2, ?3)")
        try statement.bind(Int64(index.rawValue), at: 1)
        try statement.bind(row.key, at: 2)
        try statement.run(row.content, at: 3)
    }

    func removeRow(_ key: [UInt8], from index: StoreIndex) throws {
        let statement = try connection.statement("DELETE FROM index_rows WHERE list = ?1 AND key = ?2")
        try statement.bind(Int64(index.rawValue), at: 1)
        try statement.bind(key, at: 2)
        try statement.run()
    }
}

extension StoreQueue {
    /// The statements of the queue's table.
    fileprivate var statements: (read: StaticString, set: StaticString, remove: StaticString) {
        switch self {
        case .outbox:
            (
                "SELECT number, content FROM outbox WHERE number > ?1 ORDER BY number LIMIT ?2",
                "INSERT OR REPLACE INTO outbox (number, content) VALUES (?1, ?2)", "DELETE FROM outbox WHERE number = ?1"
            )
        case .setAside:
            (
                "SELECT number, content FROM set_aside WHERE number > ?1 ORDER BY number LIMIT ?2",
                "INSERT OR REPLACE INTO set_aside (number, content) VALUES (?1, ?2)", "DELETE FROM set_aside WHERE number = ?1"
            )
        case .journal:
            (
                "SELECT number, content FROM journal WHERE number > ?1 ORDER BY number LIMIT ?2",
                "INSERT OR REPLACE INTO journal (number, content) VALUES (?1, ?2)", "DELETE FROM journal WHERE number = ?1"
            )
        case .activeConflicts:
            (
                "SELECT number, content FROM active_conflicts WHERE number > ?1 ORDER BY number LIMIT ?2",
                "INSERT OR REPLACE INTO active_conflicts (number, content) VALUES (?1, ?2)",
                "DELETE FROM active_conflicts WHERE number = ?1"
            )
        case .collected:
            (
                "SELECT number, content FROM collected WHERE number > ?1 ORDER BY number LIMIT ?2",
                "INSERT OR REPLACE INTO collected (number, content) VALUES (?1, ?2)", "DELETE FROM collected WHERE number = ?1"
            )
        }
    }
}

extension SQLiteStatement {
    /// Binds a record's name to the first two parameters.
    func bind(_ key: RecordKey) throws(SQLiteError) {
        try bind(key.type.rawValue, at: 1)
        try bind(key.id.rawValue, at: 2)
    }

    /// Binds a record's name to the first two parameters for the length of a body, which runs the statement to its end or resets it.
    func withBound<Result>(_ key: RecordKey, _ body: () throws -> Result) throws -> Result {
        try withBound(key.type.rawValue, at: 1) { try withBound(key.id.rawValue, at: 2, body) }
    }
}
