import ConflictAudit
import FleetHistories
import Foundation
import SyncMerge
import SyncModel
import SyncSQLite
import Testing

@testable import SyncLayer

/// A store that fails says so and leaves the data alone.
@Suite struct StoreFailureTests {
    private func filled(_ path: String) throws {
        let replica = try Replica(device: "a", store: try SQLiteStore(path: path))
        for number in 0..<200 {
            try replica.put(
                ["text": .string(String(repeating: "x", count: 200))], to: RecordKey(type: "note", id: RecordID(String(number))))
        }
    }

    private func overwrite(_ path: String, at offset: UInt64, _ bytes: [UInt8]) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func content(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    @Test func aLaterVersionsSchemaIsRefused() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            try filled(path)
            try overwrite(path, at: 60, [0, 0, 0, 99])
            let before = content(path)
            let error = #expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .newerSchema)
            #expect(error?.description.contains("schema version 99") == true && error?.description.contains(path) == true)
            #expect(content(path) == before)
        }
    }

    @Test func anotherProgramsDatabaseIsRefused() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            try filled(path)
            try overwrite(path, at: 68, [1, 2, 3, 4])
            #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }?.code == .damaged)
            let hub = directory + "/hub.db"
            _ = try SQLiteHub(path: hub)
            #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(path: hub) }?.code == .damaged, "a hub is no store")
        }
    }

    /// What a directory holds: every file's content by its name.
    private func contents(_ directory: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) { contents[name] = content(directory + "/" + name) }
        return contents
    }

    @Test(arguments: ["store #1 100%?.db", "store.db"])
    func noByteOfAForeignDatabaseIsChanged(name: String) async throws {
        try await withDirectory { directory in
            let path = directory + "/" + name
            for sql in [
                "CREATE TABLE things (name TEXT)", "PRAGMA application_id = 7", "PRAGMA journal_mode = WAL", "PRAGMA user_version = 1",
            ] {
                let connection = try SQLiteConnection(path: path, busyTimeout: 100)
                if sql.contains("journal_mode") {
                    _ = try connection.text("PRAGMA journal_mode = WAL")
                } else {
                    try connection.execute(sql)
                }
                _ = consume connection
                let before = try contents(directory)
                #expect(before.count == 1)
                #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }?.code == .damaged, "\(sql)")
                #expect(#expect(throws: SyncLayerError.self) { try SQLiteHub(path: path) }?.code == .damaged, "\(sql)")
                #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(existing: path) }?.code == .damaged, "\(sql)")
                #expect(try contents(directory) == before, "\(sql)")
            }
        }
    }

    /// A database of another program, which has it open.
    private func foreignDatabase(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, busyTimeout: 100)
        _ = try connection.text("PRAGMA journal_mode = WAL")
        try connection.execute("CREATE TABLE things (name TEXT)")
        return connection
    }

    @Test func noByteOfAForeignDatabaseWithAnEmptyLogIsChanged() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let connection = try foreignDatabase(path)
            _ = consume connection
            #expect(FileManager.default.createFile(atPath: path + "-wal", contents: Data()))
            let before = try contents(directory)
            #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }?.code == .damaged)
            #expect(try contents(directory) == before)
        }
    }

    @Test func aForeignDatabaseInUseStaysAsItIs() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let connection = try foreignDatabase(path)
            let (before, log) = (content(path), content(path + "-wal"))
            #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }?.code == .damaged)
            #expect(content(path) == before && content(path + "-wal") == log)
            try connection.execute("INSERT INTO things VALUES ('x')")
        }
    }

    @Test func aStoreThatMustExistIsNotCreated() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(existing: path) }?.code == .notFound)
            #expect(content(path) == nil)
            #expect(FileManager.default.createFile(atPath: path, contents: Data()))
            #expect(#expect(throws: SyncLayerError.self) { try SQLiteStore(existing: path) }?.code == .notFound)
            #expect(try contents(directory) == ["store.db": Data()])
            let store = try SQLiteStore(path: path)
            // What makes it a store is in the log alone as yet.
            _ = try SQLiteStore(existing: path)
            try store.checkIntegrity()
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefused() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let text = Data("this is a letter to my aunt, and it is long enough to be looked at\n".utf8)
            try text.write(to: URL(fileURLWithPath: path))
            let start = ContinuousClock.now
            let error = #expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .damaged)
            #expect(ContinuousClock.now - start > .milliseconds(29), "another process that is making the file is waited for three times")
            #expect(content(path) == text)
        }
    }

    @Test func overwrittenPagesAreReportedAsDamage() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            try filled(path)
            let size = UInt64(try #require(content(path)).count)
            for offset in stride(from: 8192 as UInt64, to: size, by: 4096) {
                try overwrite(path, at: offset, Array(repeating: 0xff, count: 512))
            }
            let store = try SQLiteStore(path: path)
            #expect(#expect(throws: SyncLayerError.self) { try store.checkIntegrity() }?.code == .damaged)
            let error = #expect(throws: SyncLayerError.self) { try Replica(device: "a", store: store).records(ofType: "note") }
            #expect(error?.code == .damaged)
        }
    }

    @Test func aRecordThatHasMovedIsReplacedByItsKey() async throws {
        try await withDirectory { directory in
            let store = try SQLiteStore(path: directory + "/store.db")
            let other = RecordKey(type: "card", id: "2")
            let (found, place) = try store.write(.process) { writer in
                try writer.setRecord(StoredRecord(key: card, isLive: true, content: [1]))
                try writer.setRecord(StoredRecord(key: other, isLive: true, content: [2]))
                return (try writer.record(card), try writer.record(other)?.rowID)
            }
            #expect(place != nil && found?.rowID != place)
            for place in [place, 999] {
                var record = StoredRecord(key: card, isLive: false, content: [3])
                record.rowID = place
                try store.write(.process) { [record] in try $0.setRecord(record) }
                #expect(try store.read { try $0.record(card) } == record)
                #expect(try store.read { try $0.record(other) }?.content == [2])
                try store.write(.process) { try $0.removeRecord(card) }
            }
        }
    }

    @Test func contentThatCannotBeReadNamesTheRecord() throws {
        let store = InMemoryStore()
        let replica = try Replica(device: "a", store: store)
        try replica.put(["x": 1], to: card)
        try store.write(.process) { try $0.setRecord(StoredRecord(key: card, isLive: true, content: [1, 200])) }
        let error = #expect(throws: SyncLayerError.self) { try replica.get(card) }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains("card/1") == true)
        try store.write(.process) { try $0.setMetadata([7]) }
        #expect(#expect(throws: SyncLayerError.self) { try Replica(device: "a", store: store) }?.code == .damaged)
    }

    @Test func contentOfAnotherRecordIsDamage() throws {
        let store = InMemoryStore()
        let replica = try Replica(device: "a", store: store)
        let other = RecordKey(type: "card", id: "2")
        for key in [card, other] { try replica.put(["x": 1], to: key) }
        let content = try #require(try store.read { try $0.record(other) }?.content)
        try store.write(.process) { try $0.setRecord(StoredRecord(key: card, isLive: true, content: content)) }
        let error = #expect(throws: SyncLayerError.self) { try Replica(device: "a", store: store).get(card) }
        #expect(error?.code == .damaged)
    }

    @Test func aNameWithBytesLeftOverIsDamage() throws {
        let store = InMemoryStore()
        let replica = try Replica(device: "a", store: store)
        try store.write(.process) { writer in
            try UnsettledRecords.insert(card, writer)
            for row in try writer.rows(in: .unsettled, startingWith: [], after: nil, limit: 9) {
                try writer.setRow(StoreRow(key: row.key + [7], content: []), in: .unsettled)
            }
        }
        #expect(#expect(throws: SyncLayerError.self) { try replica.forgetHistory(settled: [:]) }?.code == .damaged)
    }

    @Test func aDirectoryThatDoesNotExistIsNamed() async throws {
        try await withDirectory { directory in
            let error = #expect(throws: SyncLayerError.self) { try SQLiteStore(path: directory + "/none/store.db") }
            #expect(error?.code == .cannotOpen)
        }
    }

    @Test(arguments: [true, false])
    func aDirectoryThatMustNotBeWrittenToIsNamed(_ isThere: Bool) async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            if isThere { try filled(path) }
            let before = content(path)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory) }
            if isThere { try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path) }
            // In a process of its own: who runs the tests may be allowed everything.
            let lines = try HelperProcess("open", path).lines()
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            #expect(line.hasPrefix("cannotOpen: ") || line.hasPrefix("readOnly: "), "\(line)")
            #expect(line.contains(path) && line.contains("allow writing"))
            #expect(content(path) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == (isThere ? ["store.db"] : []))
        }
    }

    @Test func aWriteWithoutRoomIsUndoneAndLaterOnesSucceed() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            var written = 0
            do {
                let replica = try Replica(device: "a", store: try SQLiteStore(path: path, maximumBytes: 300_000))
                let error = #expect(throws: SyncLayerError.self) {
                    while written < 10_000 {
                        let key = RecordKey(type: "note", id: RecordID(String(written)))
                        try replica.put(["text": .string(String(repeating: "x", count: 500))], to: key)
                        written += 1
                    }
                }
                #expect(error?.code == .diskFull)
                #expect(written > 50)
                #expect(try replica.get(RecordKey(type: "note", id: "0")) != nil, "it can still be read")
                #expect(try replica.checkpoint()?.seen == ["a": UInt64(written)])
            }
            let store = try SQLiteStore(path: path)
            try store.checkIntegrity()
            let replica = try Replica(device: "a", store: store)
            #expect(try replica.records(ofType: "note").count == written)
            #expect(try replica.put(["x": 1], to: card) == Dot(device: "a", sequence: UInt64(written) + 1))
        }
    }

    @Test func anotherProcessThatHoldsTheLockTooLongIsAnError() async throws {
        try await withDirectory { directory in
            let path = directory + "/store.db"
            let holder = try SQLiteStore(path: path)
            let other = try SQLiteStore(path: path, busyTimeout: .milliseconds(50))
            let (error, metadata) = try holder.write(.process) { _ in
                let error = #expect(throws: SyncLayerError.self) { try other.write(.process) { _ in } }
                return (error, try other.read { try $0.metadata() })
            }
            #expect(error?.code == .busy)
            #expect(error?.description.contains("locked") == false)
            #expect(metadata == nil, "readers need not wait")
        }
    }
}
