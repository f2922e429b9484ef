import CBareSQLite

/// What a developer writes by hand for an app that syncs: one table with a column for each field, and an outbox.
///
/// WAL and `synchronous = NORMAL` as in the package's store; SQLite's C interface, statements prepared once, values bound without a copy where they can be.
/// Each write is an upsert of the record and a row of the outbox with the changed fields as JSON. No tag, no merge state, no audit.
final class BareDatabase {
    private var handle: OpaquePointer?
    private var insert: OpaquePointer?
    private var update: OpaquePointer?
    private var enqueue: OpaquePointer?
    private var begin: OpaquePointer?
    private var commit: OpaquePointer?
    private var number: Int64 = 0

    init(path: String) {
        check(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil))
        check(
            sqlite3_exec(
                handle,
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192;
                CREATE TABLE cards (id TEXT PRIMARY KEY, name TEXT, email TEXT, phone TEXT, company TEXT);
                CREATE TABLE outbox (number INTEGER PRIMARY KEY, id TEXT NOT NULL, changes TEXT NOT NULL);
                """, nil, nil, nil))
        insert = prepare(
            """
            INSERT INTO cards (id, name, email, phone, company) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, email = excluded.email, phone = excluded.phone, company = excluded.company
            """)
        update = prepare("UPDATE cards SET email = ?2 WHERE id = ?1")
        enqueue = prepare("INSERT INTO outbox (number, id, changes) VALUES (?1, ?2, ?3)")
        begin = prepare("BEGIN IMMEDIATE")
        commit = prepare("COMMIT")
    }

    deinit {
        for statement in [insert, update, enqueue, begin, commit] { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func transaction(_ body: () -> Void) {
        run(begin)
        body()
        run(commit)
    }

    func insert(_ card: Card, id: String) {
        bind(id, insert, 1)
        bind(card.name, insert, 2)
        bind(card.email, insert, 3)
        bind(card.phone, insert, 4)
        bind(card.company, insert, 5)
        run(insert)
        enqueue(
            "{\"company\":\"\(card.company)\",\"email\":\"\(card.email)\",\"name\":\"\(card.name)\",\"phone\":\"\(card.phone)\"}", id: id)
    }

    func update(email: String, id: String) {
        bind(id, update, 1)
        bind(email, update, 2)
        run(update)
        enqueue("{\"email\":\"\(email)\"}", id: id)
    }

    private func enqueue(_ changes: String, id: String) {
        number += 1
        sqlite3_bind_int64(enqueue, 1, number)
        bind(id, enqueue, 2)
        bind(changes, enqueue, 3)
        run(enqueue)
    }

    private func prepare(_ sql: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return statement
    }

    private func bind(_ text: String, _ statement: OpaquePointer?, _ index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            check(sqlite3_bind_text(statement, index, start, Int32(bytes.count), transient))
        }
    }

    private func run(_ statement: OpaquePointer?) {
        let status = sqlite3_step(statement)
        precondition(status == SQLITE_DONE, String(cString: sqlite3_errmsg(handle)))
        sqlite3_reset(statement)
    }

    private func check(_ status: Int32) {
        precondition(status == SQLITE_OK, String(cString: sqlite3_errmsg(handle)))
    }
}
