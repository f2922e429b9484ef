import FleetHistories
import SyncSQLite
import Testing

@testable import SyncLayer

/// Schemas.
@Suite struct MigrationTests {
    private let first = "CREATE TABLE things (name TEXT)"
    private let second = "ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7"

    private func open(_ path: String, _ migrations: [String]) throws -> StoreFile {
        try StoreFile(
            path: path, schema: SQLiteDatabase.Schema(applicationID: 5, migrations: migrations), busyTimeout: .milliseconds(100),
            maximumBytes: nil)
    }

    @Test func anEarlierVersionsTablesAreMigratedWithTheirContent() async throws {
        try await withDirectory { directory in
            let path = directory + "/db"
            try open(path, [first]).write { try $0.execute("INSERT INTO things (name) VALUES ('old')") }
            let database = try open(path, [first, second])
            #expect(try database.read { try $0.text("SELECT name || size FROM things") } == "old7")
            #expect(try database.read { try $0.integer("PRAGMA user_version") } == 2)
            #expect(#expect(throws: SyncLayerError.self) { try open(path, [first]) }?.code == .newerSchema)
        }
    }

    @Test func aStepThatFailsLeavesTheVersionBeforeIt() async throws {
        try await withDirectory { directory in
            let path = directory + "/db"
            try open(path, [first]).write { try $0.execute("INSERT INTO things (name) VALUES ('old')") }
            #expect(throws: SyncLayerError.self) { try open(path, [first, "CREATE TABLE more (x); NONSENSE"]) }
            let database = try open(path, [first])
            #expect(try database.read { try $0.text("SELECT name FROM things") } == "old")
            #expect(try database.read { try $0.integer("SELECT count(*) FROM sqlite_schema") } == 1)
        }
    }

    @Test func theFileIsInWALModeAndACommitSyncsOnlyWhereItMust() async throws {
        try await withDirectory { directory in
            let database = try open(directory + "/db", [first])
            #expect(try database.write { try $0.text("PRAGMA journal_mode") } == "wal")
            #expect(try database.write { try $0.integer("PRAGMA synchronous") } == 1)
            #expect(try database.write { try $0.integer("PRAGMA fullfsync") } == 1)
            #expect(try database.write(isDurable: true) { try $0.integer("PRAGMA synchronous") } == 2)
            #expect(try database.write { try $0.integer("PRAGMA synchronous") } == 1)
            #expect(throws: SyncLayerError.self) { try database.read { try $0.execute("INSERT INTO things (name) VALUES ('x')") } }
        }
    }
}
