import AuditAnalysis
import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

/// What `show` and `replay` say of a table of saved rows.
@Suite struct SavedTableVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// anna has not seen ben's title, nor his pinning, and edits the body; ben replaces carl's body, which he has not seen.
    private func table() throws -> String {
        try directory.path(
            """
            id,note_id,version,base_version,saved_by,title,body,pinned
            1,n,1,,anna,plan,draft,no
            2,n,2,1,ben,Plan B,draft,yes
            3,n,3,1,anna,plan,better,no
            4,n,4,3,carl,plan,best,no
            5,n,5,3,ben,plan,ben's,no

            """, as: "note_versions.csv")
    }

    private func show(_ field: String, _ options: String...) throws -> TestWorld {
        let path = try table()
        let audit = TestWorld()
        #expect(audit.run("audit", path) == .success)
        let id = try #require(try audit.lines.first { $0["field"] == .string(field) }?["id"]?.string)
        let shown = TestWorld()
        #expect(shown.run(["show"] + options + [id, path]) == .success, Comment(rawValue: shown.errorText))
        return shown
    }

    @Test func theVersionsStandBesideEachOtherAndTheBaseIsMarked() throws {
        let page = try show("title").output.text
        #expect(page.contains("base: 1                    lost: 2                    save: 3\n"))
        #expect(page.contains("of anna                    of ben                     of anna\n"))
        #expect(page.contains("\"plan\"                     \"«Plan B»\"                 \"plan\"\n"))
        #expect(page.contains("Get it back: syncaudit restore --as patch"))
        // Of the fields the lost one comes first.
        let body = try show("body").output.text
        #expect(body.contains("base: 3                    lost: 4                    save: 5\n") && body.contains("2 fields alike in all"))
    }

    @Test func theVersionsAreThereForProgramsToo() throws {
        let document = try #require(try show("pinned", "--format", "json").lines.first)
        guard case .array(let versions) = document["versions"] else {
            Issue.record("no versions")
            return
        }
        #expect(versions.map { $0.object?["role"] } == ["base", "lost", "save"])
        #expect(versions.map { $0.object?["version"] } == ["1", "2", "3"])
        #expect(versions[2].object?["fields"] == ["body": "better", "pinned": "no", "title": "plan"])
    }

    @Test func checkSaysThatSuspicionRestsOnWhatRowsRepeat() throws {
        let path = try directory.path(
            """
            id,note_id,version,saved_by,title,body
            1,n,1,anna,plan,draft
            2,n,2,ben,Plan B,draft
            3,n,3,anna,plan,better
            4,n,4,ben,plan,best

            """, as: "note_versions.csv")
        let log = directory.file("log.jsonl")
        #expect(world.run("audit", "-o", log, path) == .success, Comment(rawValue: world.errorText))
        #expect(directory.content("log.jsonl")?.contains(#""basis":"content""#) == true)
        _ = world.run("check", log)
        let words = world.output.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("so nothing can be proven, and suspicion rests on times and what rows repeat"), Comment(rawValue: words))
    }

    @Test func replaySaysWhatWouldHaveKeptTheEdits() throws {
        let path = try table()
        #expect(world.run("replay", "--format", "json", path) == .success, Comment(rawValue: world.errorText))
        let policies = try #require(try world.lines.first?["policies"])
        guard case .array(let outcomes) = policies else { return }
        #expect(outcomes.map { $0.object?["policy"] } == ["asKept", "changedFields", "checkedBase"])
        #expect(outcomes.map { $0.object?["editsLost"]?.integer } == [3, 1, 0])
        #expect(outcomes[2].object?["savesRefused"]?.integer == 2)
        let table = TestWorld()
        #expect(table.run("replay", path) == .success)
        #expect(table.output.text.contains("changed fields sent alone           1     2\n"), Comment(rawValue: table.output.text))
        #expect(table.output.text.contains("base checked, 409                   0     3              2\n"))
        #expect(table.run("replay", "--policy", "counter", path) == .usage)
        #expect(table.errorText.contains("--policy is about writes that are merged"))
        let trace = try directory.path(Story.writes, as: "trace.jsonl")
        #expect(table.run("replay", path, trace) == .usage)
        #expect(table.errorText.contains("trace.jsonl is none"))
    }

    /// A table of whole rows of which every third puts a title back.
    private func longTable(_ name: String, rows: Int = 1500, replacing replaced: [Int: String] = [:]) throws -> String {
        let authors = ["anna", "ben", "carl"]
        let lines = (1...rows).map { row in
            let (note, version) = ((row - 1) / 3, (row - 1) % 3)
            return replaced[row]
                ?? "\(row),n\(note),\(authors[version]),\(version == 1 ? "Plan B" : "plan"),\(version == 2 ? "better" : "draft") \(note)"
        }
        return try directory.path("id,note_id,saved_by,title,body\n" + lines.joined(separator: "\n") + "\n", as: name)
    }

    /// Rows are handed over many at a time.
    @Test(arguments: [1, 64, 65, 100, 1500]) func aRowThatCannotBeReadIsNamedWhereverItIs(row: Int) throws {
        let path = try longTable("bad_versions.csv", replacing: [row: "no,row"])
        #expect(world.run("audit", path) == .badData)
        #expect(world.errorText.contains("bad_versions.csv:\(row + 1): the row has 2 values"), Comment(rawValue: world.errorText))
        #expect(world.output.text == "")
        let lenient = TestWorld()
        #expect(lenient.run("audit", "--lenient", path) == .success)
        #expect(lenient.errorText.contains("1,499 rows of 500 records"), Comment(rawValue: lenient.errorText))
        #expect(lenient.errorText.contains("1 row passed over"))
    }

    @Test(arguments: [63, 64, 65, 129, 1000]) func noRowIsLeftBehind(rows: Int) throws {
        let path = try longTable("note_versions.csv", rows: rows)
        #expect(world.run("audit", path) == .success)
        #expect(world.errorText.contains("\(HumanNumber.count(rows, "row")) of "), Comment(rawValue: world.errorText))
    }

    @Test func theWritesOfATraceAreNumberedByAuthorOverAllTables() throws {
        let trace = try directory.path("", as: "trace.jsonl")
        let tables = [try longTable("a_versions.csv", rows: 6), try longTable("b_versions.csv", rows: 3)]
        #expect(world.run("audit", "--trace-out", trace, tables[0], tables[1]) == .success, Comment(rawValue: world.errorText))
        let numbers = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map { line in
            let write = try JSONParser.parse(String(line)).object
            return "\(write?["device"]?.string ?? "") \(write?["n"]?.integer ?? 0)"
        }
        #expect(numbers == ["anna 1", "ben 1", "carl 1", "anna 2", "ben 2", "carl 2", "anna 3", "ben 3", "carl 3"])
    }
}
