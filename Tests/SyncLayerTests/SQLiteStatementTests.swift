import SyncSQLite
import Testing

@Suite("A statement of SQLite")
struct SQLiteStatementTests {
    @Test("can be run again with other bytes, and keeps none that it was given")
    func bytes() async throws {
        try await withDirectory { directory in
            let connection = try SQLiteConnection(path: directory + "/db", busyTimeout: 100)
            try connection.execute("CREATE TABLE things (content BLOB)")
            let insert = try connection.statement("INSERT INTO things (content) VALUES (?1)")
            for bytes in [[1, 2], [], [3]] as [[UInt8]] { try insert.run(bytes, at: 1) }
            try insert.run()
            #expect(try connection.text("SELECT group_concat(quote(content), ' ') FROM things") == "X'0102' X'' X'03' NULL")
        }
    }
}
