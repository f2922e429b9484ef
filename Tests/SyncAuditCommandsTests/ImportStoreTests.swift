import CoreDataStore
import SyncModel
import Testing

@testable import SyncAuditCommands

/// What `import coredata` and `import cloudkit` say and how they end; what they import is for the tests of the importers.
@Suite struct ImportStoreTests {
    @Test func aStoreBecomesALogThatReportsRead() throws {
        let store = try CoreDataStore()
        try store.name(1, "A1")
        try store.event(2, from: 0, to: 1.5, error: 2)
        try store.transaction(at: 10)
        try store.update(1, .name)
        try store.transaction(at: 20, by: .cloud)
        try store.update(1, .name)
        let world = TestWorld()
        let log = store.directory.file("log.jsonl")
        #expect(world.run("import", "coredata", try store.copy(), "--device", "phone", "-o", log) == .success)
        #expect(
            world.errorText == """
                syncaudit: 1 change made here, 1 imported, 1 sync event, 1 of them failed
                syncaudit: 1 suspected conflict: an import replaced a property whose change here no export had sent
                syncaudit: a store's history names properties and never values: nothing can be restored from these lines

                """)
        let again = TestWorld()
        #expect(again.run("tail", log) == .success)
        let lines = again.output.text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasSuffix("phone: export failed after 1.5 s, 1 write, 0 B: partial failure (CKError 2)"))
        #expect(lines[3].contains("Card/A1.NAME  iCloud over phone (policy, suspected): lost a value that the log leaves out"))
        let report = TestWorld()
        #expect(report.run("report", log) == .success)
        #expect(report.output.text.hasPrefix("1 edit may have been lost in 1 suspected conflict (2 writes)"))
    }

    @Test func whatTheStoreDoesNotTellIsSaid() throws {
        let store = try CoreDataStore(isMirrored: false)
        try store.transaction(at: 10)
        try store.update(1, .name)
        try store.transaction(at: 20, by: .cloud)
        try store.update(1, .name)
        try store.execute("INSERT INTO ACHANGE (ZENTITY) VALUES ('?')")
        try store.checkpoint()
        let world = TestWorld()
        #expect(world.run("import", "coredata", try store.copy(withLog: false)) == .success)
        #expect(try world.lines.map { $0["device"] } == ["local", "iCloud"])
        #expect(
            world.errorText.contains(
                "1 property replaced by an import after a change here of which the store does not tell whether it had been exported"))
        #expect(world.errorText.contains("1 row of the history passed over"))
        #expect(world.errorText.contains("there is no -wal beside the store"))
    }

    private static let record = #"{"recordName":"1","recordType":"CD_Card","fields":{"CD_name":{"value":"Ada\u001b"}}}"#

    @Test func recordsBecomeRowsThatReplayComparesWith() throws {
        let directory = try TemporaryDirectory()
        try directory.create("one.json", Self.record)
        let world = TestWorld()
        #expect(world.run("import", "cloudkit", directory.file("one.json"), "-o", directory.file("rows.jsonl")) == .success)
        #expect(world.errorText == "syncaudit: 1 record of 1 type\n")
        #expect(directory.content("rows.jsonl") == #"{"recordType":"Card","recordID":"1","fields":{"name":"Ada\u001b"}}"# + "\n")
        try directory.create(
            "writes.jsonl",
            #"{"event":"write","ts":"2026-01-15T14:05:00.000Z","device":"iPad","n":1,"recordType":"Card","recordID":"1","op":"put","fields":{"name":"Ada\u001b"}}"#
        )
        let replay = TestWorld()
        #expect(replay.run("replay", "--outcome", directory.file("rows.jsonl"), directory.file("writes.jsonl")) == .success)
        #expect(replay.output.text.contains("Where the policies agree, so does the outcome, in 1 field."))
    }

    @Test func differencesOfSeveralFilesAreNamed() throws {
        let directory = try TemporaryDirectory()
        try directory.create("one.json", "[\(Self.record),\(Self.record.replacing("\"1\"", with: "\"2\""))]")
        try directory.create("two.json", Self.record.replacing("Ada", with: "Ann"))
        let (one, two) = (directory.file("one.json"), directory.file("two.json"))
        let world = TestWorld()
        #expect(world.run("import", "cloudkit", one, two) == .success)
        #expect(
            world.output.text == """
                {"recordType":"Card","recordID":"1","field":"name","values":{"\(one)":"Ada\\u001b","\(two)":"Ann\\u001b"},"modified":{}}
                {"recordType":"Card","recordID":"2","missing":["\(two)"],"modified":{}}

                """)
        #expect(world.errorText == "syncaudit: 2 records in 2 files: 2 differ, in 1 field, and 1 of them missing from some\n")
        let same = TestWorld()
        try same.pipe(Self.record.replacing("Ada", with: "Ann"))
        #expect(same.run("import", "cloudkit", two, "-") == .success)
        #expect(same.output.text == "")
        #expect(same.errorText == "syncaudit: 1 record in 2 files, the same in all\n")
        let once = TestWorld()
        #expect(once.run("import", "cloudkit", two, two) == .success)
        #expect(once.errorText.hasSuffix("this file is named more than once and is read once\nsyncaudit: 1 record of 1 type\n"))
    }

    @Test func whatCannotBeImported() throws {
        let directory = try TemporaryDirectory()
        try directory.create("text", "no store")
        let cases: [([String], ExitCode, String)] = [
            (["coredata"], .usage, "the store is missing"), (["coredata", "a", "b"], .usage, "\"b\" is one argument too many"),
            (["coredata", ""], .usage, "is empty"), (["coredata", "a", "--device", "iCloud"], .usage, "stands for the other devices"),
            (["coredata", "a", "--path-filter", "b"], .usage, "--path-filter is for 'import git'"),
            (["git", ".", "--device", "b"], .usage, "--device is for 'import coredata'"),
            (["coredata", directory.file("missing")], .noInput, "there is no such file"),
            (["coredata", directory.file("text")], .badData, "this is no SQLite database"), (["cloudkit"], .usage, "the files are missing"),
            (["cloudkit", "-", "-"], .usage, "'-' is given more than once"),
            (["cloudkit", directory.file("missing")], .noInput, "there is no such file"),
            (["cloudkit", directory.file("text")], .badData, "text:1: byte"),
        ]
        for (arguments, code, complaint) in cases {
            let world = TestWorld()
            #expect(world.run(["import"] + arguments) == code, "\(arguments)")
            #expect(world.errorText.contains(complaint), "\(world.errorText)")
            #expect(world.output.text == "")
        }
    }
}
