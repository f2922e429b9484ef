import Foundation
import SyncModel
import SyncSQLite
import TemporaryDirectory
import Testing

@testable import TraceImport

/// A database that belongs to somebody else is only read, whatever it holds and whatever is asked of it.
@Suite struct SQLiteRowsTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("app.db")
        let database = try SQLiteConnection(path: path, busyTimeout: 0)
        try database.execute(
            """
            CREATE TABLE "group" (id INTEGER, device TEXT, ts REAL, "select" TEXT, data BLOB);
            INSERT INTO "group" VALUES (1, 'a', 1.5, 'x', x'00ff'), (1, 'b', 2, '', NULL);
            CREATE VIEW seen AS SELECT * FROM "group";
            CREATE TRIGGER unseen INSTEAD OF INSERT ON seen BEGIN DELETE FROM "group"; END;
            """)
    }

    private func rows(_ query: String?, at path: String? = nil) throws -> [[String]] {
        let rows = try SQLiteRows(path ?? self.path, query: query)
        var result: [[String]] = []
        while true {
            do throws(RowProblem) {
                guard let row = try rows.next() else { return result }
                result.append(row.values.map { "\($0)" })
            } catch {
                throw TraceImportError(.badData, error.sentence)
            }
        }
    }

    private func problem(_ query: String?, at path: String? = nil) -> String {
        do {
            return "\(try rows(query, at: path))"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [#"SELECT * FROM "group""#, "SELECT * FROM seen; -- and no more", "/* all */ SELECT * FROM seen;;"])
    func rowsKeepTheirTypes(query: String) throws {
        var reading = RowReading()
        reading.times = .epoch(.seconds)
        let trace = try RowTrace(sqlite: path, query: query, reading)
        var bytes: [UInt8] = []
        while try trace.append(to: &bytes) {}
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"event":"write","ts":"1970-01-01T00:00:01.500Z","device":"a","recordType":"app","recordID":"1","op":"put","fields":{"data":"x'00FF'","select":"x"}}
                {"event":"write","ts":"1970-01-01T00:00:02.000Z","device":"b","recordType":"app","recordID":"1","op":"put","fields":{"select":""}}

                """)
    }

    @Test(arguments: [
        "INSERT INTO seen VALUES (1, 2, 3, 4, 5)", #"DELETE FROM "group" RETURNING *"#, "ATTACH 'other.db' AS other",
        "VACUUM INTO 'other.db'",
        "PRAGMA journal_mode = WAL", "DROP TABLE \"group\"", "BEGIN",
    ])
    func aQueryThatIsNoSelectIsRefused(query: String) throws {
        #expect(problem(query).contains("it returns no rows, or would change something"))
        #expect(directory.names == ["app.db"])
        #expect(try rows("SELECT count(*) FROM seen").count == 1)
    }

    @Test func whatIsWrongWithAQueryIsSaid() {
        #expect(problem("SELECT 1; SELECT 2").contains("more than one statement"))
        #expect(problem("SELECT 1; nonsense").contains("more than one statement"))
        #expect(problem(" -- nothing").contains("it is empty"))
        #expect(problem("SELECT missing FROM seen").contains("the query fails: no such column"))
        #expect(problem("SELECT abs(-9223372036854775807 - 1)").contains("the query fails: integer overflow"))
        #expect(problem("SELECT zeroblob(20000000)").contains("too big"))
        #expect(problem(nil).contains(#"--query 'SELECT * FROM "group"'. It has "group"(id, device, ts, select, data), "seen"("#))
    }

    @Test func whatIsNoDatabaseIsSaid() throws {
        try directory.create("noise", String(repeating: "noise ", count: 1000))
        try directory.create("nothing")
        for (name, sentence) in [
            ("noise", "no database of SQLite"), ("nothing", "the file is empty"), ("none", "there is no such file"),
            ("", "this is a directory; name the file of a database"),
        ] {
            #expect(problem("SELECT 1", at: directory.file(name)).contains(sentence), "\(name)")
        }
    }

    @Test func aLockedDatabaseIsSaidToBeLocked() throws {
        let other = try SQLiteConnection(path: path, busyTimeout: 0)
        try other.execute("BEGIN EXCLUSIVE")
        #expect(problem("SELECT * FROM seen").contains("another process has locked the database"))
        try other.execute("ROLLBACK")
        #expect(try rows("SELECT * FROM seen").count == 2)
    }

    /// A copy of a database with a log that holds the last row, and what is beside it.
    private func copyWithLog(_ name: String) throws -> String {
        let other = try SQLiteConnection(path: path, busyTimeout: 0)
        _ = try other.text("PRAGMA journal_mode = WAL")
        try other.execute(#"INSERT INTO "group" VALUES (2, 'a', 3, 'new', NULL)"#)
        let copy = directory.file(name)
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) }
        return copy
    }

    @Test func nothingIsLeftBesideACopyWithALog() throws {
        let copy = try copyWithLog("copy.db")
        let log = try Data(contentsOf: URL(filePath: copy + "-wal"))
        #expect(try rows("SELECT * FROM seen", at: copy).count == 3)
        #expect(directory.names.filter { $0.hasPrefix("copy") } == ["copy.db", "copy.db-wal"])
        #expect(try Data(contentsOf: URL(filePath: copy + "-wal")) == log)
    }

    /// SQLite removes the log of a file that has no page.
    @Test(arguments: ["", "x", "SQLite format 3", "SQLite format 3\0", "SQLite format 3\0" + String(repeating: "\u{1}", count: 83)])
    func theLogBesideWhatIsNoDatabaseStays(_ content: String) throws {
        let copy = try copyWithLog("copy.db")
        try Data(content.utf8).write(to: URL(filePath: copy))
        #expect(problem("SELECT * FROM seen", at: copy).contains(content.isEmpty ? "the file is empty" : "this is no database of SQLite"))
        #expect(directory.names.filter { $0.hasPrefix("copy") } == ["copy.db", "copy.db-wal"])
    }

    @Test func aCopyInAFolderThatCannotBeWrittenIsRead() throws {
        let copy = try copyWithLog("copy.db")
        let folder = directory.file("sealed")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] { try FileManager.default.moveItem(atPath: copy + ending, toPath: folder + "/copy.db" + ending) }
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        #expect(try rows("SELECT * FROM seen", at: folder + "/copy.db").count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["copy.db", "copy.db-wal"])
    }

    @Test func aDatabaseThatWasBeingWrittenWhenItWasCopiedIsRefused() throws {
        try directory.create("app.db-journal", "rolled back")
        #expect(problem("SELECT * FROM seen").contains("the database was not closed by its writer"))
        #expect(directory.names == ["app.db", "app.db-journal"])
    }

    @Test func aLogBesideTheDatabaseIsReadAndNoneIsMade() throws {
        let other = try SQLiteConnection(path: path, busyTimeout: 0)
        _ = try other.text("PRAGMA journal_mode = WAL")
        try other.execute(#"INSERT INTO "group" VALUES (2, 'a', 3, 'new', NULL)"#)
        #expect(directory.names.contains("app.db-wal"))
        #expect(try rows("SELECT * FROM seen").count == 3)
        try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        // As a copy would be that was made after the app had ended.
        let copy = directory.file("copy.db")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try rows("SELECT * FROM seen", at: copy).count == 3)
        #expect(directory.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    }
}
