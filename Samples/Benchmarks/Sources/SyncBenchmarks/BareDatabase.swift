import CBareSQLite

/// What a developer writes by hand for an app that syncs: the data, and an outbox.
///
/// WAL and `synchronous = NORMAL` as in the package's store; SQLite's C interface, each statement prepared once. Each write is an upsert of the
/// data and a row of the outbox with the changed fields as JSON. No tag, no merge state, no digest, no audit.
final class BareDatabase {
    private let connection: BareConnection
    private let tables: any BareTables
    private let enqueue: BareStatement
    private let begin: BareStatement
    private let commit: BareStatement
    private var number = 0

    init(path: String, _ tables: (some BareTables).Type) {
        connection = BareConnection(path: path)
        connection.execute("CREATE TABLE outbox (number INTEGER PRIMARY KEY, id TEXT NOT NULL, changes TEXT NOT NULL)")
        self.tables = tables.init(connection)
        enqueue = connection.prepare("INSERT INTO outbox (number, id, changes) VALUES (?1, ?2, ?3)")
        begin = connection.prepare("BEGIN IMMEDIATE")
        commit = connection.prepare("COMMIT")
    }

    func transaction(_ body: () -> Void) {
        begin.run()
        body()
        commit.run()
    }

    func insert(_ card: Card, id: String) {
        tables.insert(card, id: id)
        enqueue(
            "{\"company\":\"\(card.company)\",\"email\":\"\(card.email)\",\"name\":\"\(card.name)\",\"phone\":\"\(card.phone)\"}", id: id)
    }

    func update(email: String, id: String) {
        tables.update(email: email, id: id)
        enqueue("{\"email\":\"\(email)\"}", id: id)
    }

    private func enqueue(_ changes: String, id: String) {
        number += 1
        enqueue.bind(number, at: 1)
        enqueue.run(id, changes, from: 2)
    }
}

/// How the data is kept.
protocol BareTables {
    init(_ connection: BareConnection)
    func insert(_ card: Card, id: String)
    func update(email: String, id: String)
}

/// One row for each record: all that an app needs that never merges.
struct BareRecords: BareTables {
    private let insert: BareStatement
    private let update: BareStatement

    init(_ connection: BareConnection) {
        connection.execute("CREATE TABLE cards (id TEXT PRIMARY KEY, name TEXT, email TEXT, phone TEXT, company TEXT)")
        insert = connection.prepare(
            """
            INSERT INTO cards (id, name, email, phone, company) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, email = excluded.email, phone = excluded.phone, company = excluded.company
            """)
        update = connection.prepare("UPDATE cards SET email = ?2 WHERE id = ?1")
    }

    func insert(_ card: Card, id: String) { insert.run(id, card.name, card.email, card.phone, card.company, from: 1) }

    func update(email: String, id: String) { update.run(id, email, from: 1) }
}

/// One row for each field, with the time of its last change: the least that can be merged field by field.
struct BareFields: BareTables {
    private let upsert: BareStatement

    init(_ connection: BareConnection) {
        connection.execute(
            """
            CREATE TABLE fields (
                id TEXT NOT NULL, field TEXT NOT NULL, changed INTEGER NOT NULL, value TEXT, PRIMARY KEY (id, field)) WITHOUT ROWID
            """)
        upsert = connection.prepare(
            """
            INSERT INTO fields (changed, id, field, value) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id, field) DO UPDATE
            SET changed = excluded.changed, value = excluded.value
            """)
    }

    func insert(_ card: Card, id: String) {
        set("company", card.company, of: id)
        set("email", card.email, of: id)
        set("name", card.name, of: id)
        set("phone", card.phone, of: id)
    }

    func update(email: String, id: String) { set("email", email, of: id) }

    private func set(_ field: String, _ value: String, of id: String) {
        upsert.bind(1_768_485_900_000, at: 1)
        upsert.run(id, field, value, from: 2)
    }
}

/// A connection; it outlives its statements.
final class BareConnection {
    fileprivate var handle: OpaquePointer?

    init(path: String) {
        check(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil))
        execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) { check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    func prepare(_ sql: String) -> BareStatement {
        var statement: OpaquePointer?
        check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return BareStatement(statement, self)
    }

    fileprivate func check(_ status: Int32, wanted: Int32 = SQLITE_OK) {
        if status != wanted { fatalError(String(cString: sqlite3_errmsg(handle))) }
    }
}

/// A prepared statement that returns no rows.
final class BareStatement {
    private let handle: OpaquePointer?
    private let connection: BareConnection

    fileprivate init(_ handle: OpaquePointer?, _ connection: BareConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ number: Int, at index: Int32) { connection.check(sqlite3_bind_int64(handle, index, Int64(number))) }

    func run(_ texts: String..., from index: Int32 = 1) {
        var index = index
        for text in texts {
            var text = text
            text.withUTF8 { bytes in
                let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                connection.check(sqlite3_bind_text(handle, index, start, Int32(bytes.count), transient))
            }
            index += 1
        }
        connection.check(sqlite3_step(handle), wanted: SQLITE_DONE)
        sqlite3_reset(handle)
    }
}
