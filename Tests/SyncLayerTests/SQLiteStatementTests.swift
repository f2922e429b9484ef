import FleetHistories
import SyncSQLite
import Testing

/// A statement of SQLite.
@Suite struct SQLiteStatementTests {
    @Test func aStatementRunsAgainWithOtherBytesAndKeepsNone() async throws {
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
