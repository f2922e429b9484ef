import ConflictAudit
import CoreDataStore
import Foundation
import SyncModel
import SyncOracle
import TemporaryDirectory
import Testing

@testable import TraceImport

/// A store that is not as it should be.
@Suite struct HostileStoreTests {
    private func complaint(_ path: String) -> String {
        do {
            _ = try events(of: path)
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// What is done to a store, and what is said of it.
    private static let damages: [(sql: String, complaint: String)] = [
        ("DROP TABLE ACHANGE", "there is no table ACHANGE, the store keeps no history"),
        ("DROP TABLE ATRANSACTION", "there is no table ATRANSACTION"),
        ("DROP TABLE Z_PRIMARYKEY", "there is no table Z_PRIMARYKEY, so it is no store of Core Data or SwiftData"),
        ("DROP TABLE ACHANGE; CREATE VIEW ACHANGE AS SELECT * FROM ATRANSACTION", "ACHANGE is a view"),
        (
            "DROP TABLE ANSCKEVENT; CREATE VIEW ANSCKEVENT AS SELECT 1 AS ZCLOUDKITEVENTTYPE, randomblob(1000000000) AS ZSTARTEDAT",
            "is a view"
        ),
        ("DROP TABLE ACHANGE; CREATE VIRTUAL TABLE ACHANGE USING fts5(ZCOLUMNS)", "ACHANGE is no ordinary table"),
        ("ALTER TABLE ACHANGE RENAME COLUMN ZCOLUMNS TO ZOTHER", "the table ACHANGE has no column ZCOLUMNS"),
        (
            "DROP TABLE ATRANSACTION; CREATE TABLE ATRANSACTION (Z_PK INTEGER, ZTIMESTAMP FLOAT)",
            "the key of the table ATRANSACTION is not Z_PK"
        ),
        ("UPDATE ATRANSACTION SET ZAUTHORTS = NULL, ZAUTHOR = zeroblob(17000000)", "the store cannot be read (SQLite 18"),
    ]

    @Test(arguments: 0..<9)
    func aDamagedStoreIsRefusedAndTheErrorNamesWhatIsMissing(_ index: Int) throws {
        let (sql, expected) = Self.damages[index]
        let store = try CoreDataStore()
        try store.transaction(at: 1)
        try store.insert(1)
        do {
            try store.execute(sql)
        } catch {
            // SQLite may have been built without the module.
            guard sql.contains("VIRTUAL") else { throw error }
            return
        }
        let path = try store.copy()
        let said = complaint(path)
        #expect(said.contains(expected) && said.contains(path), "\(said)")
    }

    @Test func rowsOfWrongTypesAreSkippedAndCounted() throws {
        let store = try CoreDataStore()
        try store.transaction(at: 1)
        try store.execute(
            """
            INSERT INTO ACHANGE (ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES
                ('update', 1, 1, 1, x'20'), (1, 'Card', 1, 1, x'20'), (1, 1, x'00', 1, x'20'), (1, 1, 1, 99, x'20'), (7, 1, 1, 1, x'20'),
                (1, 55, 1, 1, x'20'), (1, 1, 1, 1, zeroblob(100000)), (1, 1, 1, NULL, x'20'), (1, 1, 1, 9223372036854775807, x'20'),
                (1, 16002, 1, 1, x'20'), (1, 1, -9223372036854775808, 1, 'text'), (1, 1, 9223372036854775807, 1, 3.5);
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) VALUES (50, 1e308), (51, -1e308), (52, 'soon'), (53, 9223372036854775807);
            INSERT INTO ACHANGE (ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (0, 1, 2, 50), (0, 1, 3, 51), (0, 1, 4, 52), (0, 1, 5, 53);
            INSERT INTO ANSCKEVENT (ZCLOUDKITEVENTTYPE, ZSTARTEDAT, ZENDEDAT) VALUES ('x', 1, 2), (9, 1, 2), (1, 'x', 2), (2, 1e308, -1e308);
            INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK, ZCKRECORDNAME) VALUES ('x', 1, 'n'), (1, 2, x'00'), (1, 3, '');
            """)
        var counts = CoreDataHistory.Counts()
        var history = try CoreDataHistory(store.copy(), device: "phone")
        var times: [Int64] = []
        try history.forEach { times.append($0.milliseconds) }
        counts = history.counts
        #expect(counts.unreadable == 10 && counts.local == 5 && counts.events == 1)
        #expect(times.max() == 253_402_300_799_999 && times.min() == -62_167_219_200_000)
    }

    @Test func hostileNamesAreKeptAndEscapedInTheLine() throws {
        let store = try CoreDataStore()
        try store.name(1, "\u{1b}[31mred\n")
        try store.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Ca\u{1b}[2Jrd' WHERE Z_ENT = 1")
        try store.transaction(at: 1)
        try store.insert(1)
        #expect(try events(of: store.copy()) == ["1 phone:1 \u{1b}[31mred\n: []"])
    }

    @Test func triggersDoNotRun() throws {
        let store = try CoreDataStore()
        try store.transaction(at: 1)
        try store.insert(1)
        try store.execute("CREATE TRIGGER t AFTER INSERT ON ACHANGE BEGIN DELETE FROM ACHANGE; END")
        #expect(try events(of: store.copy()).count == 1)
    }

    /// A store of many pages.
    private static let large = Result {
        let store = try CoreDataStore()
        for second in 1...200 {
            try store.transaction(at: Double(second), by: second % 3 == 0 ? .cloud : .app)
            try store.update(second % 7, [.name, .phone])
            try store.event(2, from: Double(second), to: Double(second) + 0.5)
        }
        try store.checkpoint()
        return try Data(contentsOf: URL(fileURLWithPath: try store.copy(withLog: false)))
    }

    @Test(arguments: 0..<24)
    func pagesOfGarbageAreAnErrorOrAreReadAndNeverACrash(_ seed: Int) throws {
        var bytes = try Self.large.get()
        let directory = try TemporaryDirectory()
        let path = directory.file("store")
        var random = SplitMix64(seed: UInt64(seed))
        if seed % 3 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count - 4096, using: &random)) }
        for _ in 0..<(1 << (seed % 8)) {
            bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let said = complaint(path)
        #expect(said.isEmpty || said.contains(path), "\(said)")
    }

    @Test func aFileThatIsNoStoreIsRefused() throws {
        let directory = try TemporaryDirectory()
        try directory.create("empty")
        try directory.create("text", String(repeating: "no store ", count: 100))
        #expect(complaint(directory.file("missing")).contains("there is no such file"))
        #expect(complaint(directory.path).contains("this is a directory; name the store's file"))
        for name in ["empty", "text"] { #expect(complaint(directory.file(name)).contains("this is no SQLite database")) }
        let pipe = directory.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(complaint(pipe).contains("this is no regular file"))
    }

    @Test func aStoreWithoutHistoryIsRefused() throws {
        let store = try CoreDataStore(keepsHistory: false)
        let said = complaint(try store.copy())
        #expect(said.contains("there is no table ATRANSACTION") && said.contains("NSPersistentHistoryTrackingKey"))
    }

    @Test func aStoreThatWasCopiedAmidAWriteIsRefused() throws {
        let store = try CoreDataStore()
        let path = try store.copy()
        try Data([0xd9, 0xd5, 0x05, 0xf9]).write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(complaint(path).contains("the store was being written when it was copied"))
    }

    @Test func aStoreMayBeWrittenWhileItIsRead() throws {
        let store = try CoreDataStore()
        try store.transaction(at: 1)
        try store.insert(1)
        var history = try CoreDataHistory(store.path, device: "phone")
        let error = #expect(throws: TraceImportError.self) {
            try history.forEach { _ in
                try store.transaction(at: 2)
                try store.insert(2)
            }
        }
        #expect(error?.description.contains("the store was written while it was read") == true)
    }
}
