import SyncAuditCommands
import SyncModel
import SyncSQLite
import Testing

/// Giving back many losses at once.
@Suite struct RestoreManyTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    // MARK: Rows

    /// A server's table of notes, and the table of their versions.
    ///
    /// Of each a title of ben is lost: put back in 1, gone with the record in 2, and replaced in 3, where anna has written another since.
    private func database(_ title: String, nulls: Bool = false) throws -> (path: String, connection: SQLiteConnection) {
        let path = directory.file("notes.db")
        let connection = try SQLiteConnection(path: path, busyTimeout: 0)
        try connection.execute(
            """
            CREATE TABLE note (id TEXT PRIMARY KEY, title TEXT, body TEXT);
            CREATE TABLE note_versions (
                id INTEGER PRIMARY KEY, note_id TEXT, version INTEGER, base_version INTEGER, saved_by TEXT, action TEXT, title TEXT, body TEXT);
            """)
        func version(_ note: String, _ version: Int64, base: Int64, _ author: String, _ action: String, _ fields: [String]) throws {
            let insert = try connection.prepare("INSERT INTO note_versions VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            try insert.bind(note, at: 1)
            try insert.bind(version, at: 2)
            if base > 0 { try insert.bind(base, at: 3) }
            for (index, text) in ([author, action] + fields).enumerated() { try insert.bind(text, at: Int32(4 + index)) }
            try insert.run()
        }
        for note in ["1", "2", "3"] {
            try version(note, 1, base: 0, "anna", "insert", ["plan", "draft"])
            try version(note, 2, base: 1, "ben", "update", [title, "draft"])
        }
        try version("1", 3, base: 1, "carl", "update", ["plan", "carl's"])
        try version("2", 3, base: 1, "carl", "delete", [])
        try version("3", 3, base: 1, "carl", "update", ["carl's", "draft"])
        try version("3", 4, base: 3, "anna", "update", ["anna's", "draft"])
        try connection.execute("INSERT INTO note VALUES ('1', 'plan', 'carl''s'), ('3', 'anna''s', 'draft')")
        return (path, connection)
    }

    private func notes(_ connection: SQLiteConnection) throws -> [[String]] {
        let query = try connection.prepare("SELECT id, title, body FROM note ORDER BY id")
        var rows: [[String]] = []
        while try query.step() { rows.append((0..<3).map { query.text($0) }) }
        return rows
    }

    private func restore(_ options: [String], _ path: String) -> ExitCode {
        world.run(["restore"] + options + ["--table", "note_versions", path])
    }

    @Test(arguments: [
        "Plan B", "it's", "'); DROP TABLE note; --", #"\'; DROP TABLE note; --"#, "two\nlines\tand a tab", "\u{1b}[31mred\r\n",
        "zero\0byte", "\"", "`", "'\u{301}); DROP TABLE note; --", "ü🧑‍🚀",
    ])
    func statementsGiveBackExactlyWhatWasLost(title: String) throws {
        let (path, connection) = try database(title)
        #expect(restore(["--all-proven", "--as", "sqlite"], path) == .success, Comment(rawValue: world.errorText))
        #expect(!world.output.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" && $0 != "\t" })
        #expect(world.errorText.contains("note/3.title: the field has moved on since, \"anna's\" is there now; --force"))
        #expect(world.errorText.contains("2 statements to give 2 values back; nothing was run"))
        try connection.execute(world.output.text)
        #expect(try notes(connection) == [["1", title, "carl's"], ["2", title, "draft"], ["3", "anna's", "draft"]])
    }

    @Test func whatWasEditedMeanwhileIsNotReplaced() throws {
        let (path, connection) = try database("Plan B")
        #expect(restore(["--record", "note/1", "--as", "sqlite"], path) == .success, Comment(rawValue: world.errorText))
        try connection.execute("UPDATE note SET title = 'mine' WHERE id = '1'")
        try connection.execute(world.output.text)
        #expect(try notes(connection)[0][1] == "mine")
    }

    @Test func requestsCarryWhatIsThereAndWhatItWas() throws {
        let (path, _) = try database("Plan B")
        #expect(restore(["--all", "--as", "patch"], path) == .success, Comment(rawValue: world.errorText))
        var lines = try world.lines
        #expect(lines.map { $0["method"] } == ["PATCH", "PUT"])
        #expect(lines[0]["version"] == "3")
        #expect(lines[0]["now"] == ["title": "plan"])
        #expect(lines[0]["body"] == ["title": "Plan B"])
        #expect(lines[1]["now"] == .null)
        #expect(lines[1]["body"] == ["title": "Plan B", "body": "draft"])
        let other = TestWorld()
        #expect(other.run("restore", "--record", "note/1", "--as", "put", "--table", "note_versions", path) == .success)
        lines = try other.lines
        #expect(lines.count == 1)
        #expect(lines[0]["now"] == ["title": "plan", "body": "carl's"])
        #expect(lines[0]["body"] == ["title": "Plan B", "body": "carl's"])
    }

    @Test func whoInsistsReplacesWhatMovedOn() throws {
        let (path, connection) = try database("Plan B")
        #expect(restore(["--user", "ben", "--force", "--as", "sqlite"], path) == .success, Comment(rawValue: world.errorText))
        try connection.execute(world.output.text)
        #expect(try notes(connection).map { $0[1] } == ["Plan B", "Plan B", "Plan B"])
    }

    /// A save of a whole row, by somebody who had not seen ben's.
    @Test func allThatOneSaveTookAwayComesBackTogether() throws {
        let header = "id,note_id,version,base_version,saved_by,title,body\n"
        let rows = [
            "1,n,1,,anna,plan,draft", "2,n,2,1,ben,Plan B,draft", "3,n,3,2,dora,Plan B,dora's", "4,n,4,1,carl,carl's,draft",
            "5,m,1,,anna,plan,a", "6,m,2,1,ben,plan,b",
        ]
        let path = try directory.path(header + rows.joined(separator: "\n") + "\n", as: "note_versions.csv")
        let audit = TestWorld()
        #expect(audit.run("audit", path) == .success)
        let id = try #require(try audit.lines.first { $0["event"] == "conflict" && $0["field"] == "title" }?["id"]?.string)
        #expect(world.run("restore", "--as", "patch", id, path) == .success, Comment(rawValue: world.errorText))
        #expect(try world.lines.map { $0["body"] } == [["title": "Plan B"]])
        let all = TestWorld()
        #expect(all.run("restore", "--overwrite", "--as", "patch", id, path) == .success, Comment(rawValue: all.errorText))
        #expect(try all.lines.map { $0["body"] } == [["title": "Plan B", "body": "dora's"]])
    }

    @Test func oneLossByItsIdentityTheTableAndTheColumnMayBeNamed() throws {
        let (path, _) = try database("Plan B")
        let audit = TestWorld()
        #expect(audit.run("audit", "--table", "note_versions", path) == .success)
        let id = try #require(try audit.lines.first { $0["recordID"] == "1" && $0["event"] == "conflict" }?["id"]?.string)
        #expect(restore(["--as", "mysql", "--into", "my`notes", "--key", "uid", id], path) == .success, Comment(rawValue: world.errorText))
        #expect(world.output.text.hasSuffix("UPDATE `my``notes` SET `title` = 'Plan B' WHERE `uid` = '1' AND `title` = 'plan';\n"))
        #expect(world.run("restore", "--as", "sqlite", "--into", "a\u{1b}b", "--table", "note_versions", id, path) == .limitExceeded)
        #expect(world.errorText.contains(#"cannot be written as a name in SQL"#))
    }

    /// A switch that has its old value again was set to it by somebody since.
    @Test func aValueThatCameBackHasMovedOn() throws {
        let header = "id,note_id,version,base_version,saved_by,pinned,body\n"
        let rows = ["1,n,1,,anna,no,a", "2,n,2,1,ben,yes,a", "3,n,3,1,carl,no,b", "4,n,4,3,dora,yes,b", "5,n,5,4,dora,no,b"]
        let path = try directory.path(header + rows.joined(separator: "\n") + "\n", as: "note_versions.csv")
        #expect(world.run("restore", "--all", "--as", "put", path) == .limitExceeded, Comment(rawValue: world.errorText))
        #expect(world.errorText.contains("pinned: the field has moved on since"))
        let fewer = try directory.path(header + rows.prefix(3).joined(separator: "\n") + "\n", as: "note_versions.csv")
        #expect(TestWorld().run("restore", "--all", "--as", "put", fewer) == .success)
    }

    // MARK: Logs

    @Test func fromLogsManyAreGivenBackAsWrites() throws {
        let writes =
            Trace.put("Mac", at: 0, "1", #"{"a":"0","b":"0"}"#) + Trace.put("Mac", 2, at: 1, "2", #"{"a":"0"}"#)
            + Trace.put("iPad", at: 60, "1", #"{"a":"ipad","b":"ipad"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("iPad", 2, at: 61, "2", #"{"a":"ipad"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("iPhone", at: 79, "1", #"{"a":"phone","b":"phone"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("iPhone", 2, at: 80, "2", #"{"a":"phone"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("Mac", 3, at: 99, "2", #"{"a":"later"}"#, saw: #"{"Mac":2,"iPad":2,"iPhone":2}"#)
        let story = try Story(directory, trace: writes)
        #expect(
            world.run("restore", "--all-proven", "--user", "iPad", story.log, story.trace) == .success, Comment(rawValue: world.errorText))
        #expect(try world.lines.count == 2)
        #expect(world.errorText.contains("has moved on since"))
        #expect(world.errorText.contains("2 writes to give back what was lost"))
        let audited = TestWorld()
        try audited.pipe(writes + world.output.text)
        #expect(audited.run("audit", "--state", directory.file("state")) == .success)
        let state = try #require(directory.content("state"))
        #expect(state.contains(#""a":"ipad","b":"ipad""#) && state.contains(#""a":"later""#))

        let named = TestWorld()
        #expect(named.run("restore", "--all", "--device", "server", "--force", story.log, story.trace) == .success)
        #expect(try named.lines.map { $0["n"]?.integer } == [1, 2, 3])
    }

    /// A save of what two devices had edited, and another save by the same device.
    @Test func allThatOneWriteTookAwayComesBackTogether() throws {
        let writes =
            Trace.put("Mac", at: 0, "1", #"{"a":"0","b":"0"}"#) + Trace.put("iPad", at: 60, "1", #"{"a":"ipad"}"#, saw: #"{"Mac":1}"#)
            + Trace.put("iPhone", at: 70, "1", #"{"b":"phone"}"#, saw: #"{"Mac":1}"#)
            + Trace.put("Mac", 2, at: 90, "1", #"{"a":"mac","b":"mac"}"#, saw: #"{"Mac":1}"#)
            + Trace.put("iPad", 2, at: 91, "2", #"{"a":"x"}"#, saw: #"{"Mac":1}"#)
            + Trace.put("Mac", 3, at: 92, "2", #"{"a":"y"}"#, saw: #"{"Mac":2}"#)
        let story = try Story(directory, trace: writes)
        let log = TestWorld()
        #expect(log.run("lost", "-f", "csv", story.log) == .success)
        let id = try #require(log.output.text.matches(of: #/[0-9a-f]{16}/#).last.map { String($0.output) })
        #expect(world.run("restore", "--overwrite", id, story.log, story.trace) == .success, Comment(rawValue: world.errorText))
        #expect(try world.lines.map { $0["fields"] } == [["a": "ipad"], ["b": "phone"]])
        #expect(world.errorText.contains("2 writes to give back what was lost"))
        #expect(TestWorld().run("restore", "--overwrite", "--all", id, story.log) == .usage)
        let unknown = TestWorld()
        #expect(unknown.run("restore", "--overwrite", "ffff", story.log, story.trace) == .noInput)
        #expect(unknown.errorText.contains("there is no conflict ffff"))
    }

    @Test func whatADayLostComesBackTogether() throws {
        let writes =
            Trace.put("Mac", at: 0, "1", #"{"a":"0"}"#) + Trace.put("Mac", 2, at: 1, "2", #"{"a":"0"}"#)
            + Trace.put("iPad", at: 60, "1", #"{"a":"ipad"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("iPhone", at: 70, "1", #"{"a":"phone"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("iPad", 2, at: 90_000, "2", #"{"a":"next day"}"#, saw: #"{"Mac":2}"#)
            + Trace.put("iPhone", 2, at: 90_010, "2", #"{"a":"phone"}"#, saw: #"{"Mac":2}"#)
        let story = try Story(directory, trace: writes)
        #expect(
            world.run("restore", "--since", "2026-01-16", "--until", "2026-01-16", story.log, story.trace) == .success,
            Comment(rawValue: world.errorText))
        #expect(try world.lines.map { $0["fields"] } == [["a": "next day"]])
    }

    @Test func whatIsThereNowIsSaid() throws {
        let writes =
            Trace.put("Mac", at: 0, "1", #"{"a":"0"}"#) + Trace.put("iPad", at: 60, "1", #"{"a":"ipad"}"#, saw: #"{"Mac":1}"#)
            + Trace.put("iPhone", at: 70, "1", #"{"a":"phone"}"#, saw: #"{"Mac":1}"#)
            + Trace.put("Mac", 2, at: 99, "1", #"{"a":"later\u001b[2J"}"#, saw: #"{"Mac":1,"iPad":1,"iPhone":1}"#)
        let story = try Story(directory, trace: writes)
        #expect(world.run("restore", "--all", story.log, story.trace) == .limitExceeded)
        #expect(world.errorText.contains(#"write 2 of Mac, "later\u001b[2J", is shown now; --force"#), Comment(rawValue: world.errorText))
    }

    /// Of two logs one leaves the values out: the other holds what is given back, whichever is named first.
    @Test func noOrderOfLogsDecidesWhatIsGivenBack() throws {
        let full = try Story(directory)
        let audit = TestWorld()
        #expect(audit.run("audit", "--privacy", "omitted", full.trace) == .success)
        let without = try directory.path(audit.output.text, as: "without.jsonl")
        var outputs: Set<String> = []
        for logs in [[full.log, without], [without, full.log]] {
            let world = TestWorld()
            #expect(world.run(["restore", "--all-proven"] + logs + [full.trace]) == .success, Comment(rawValue: world.errorText))
            outputs.insert(world.output.text.replacing(#/"ts":"[^"]*"/#, with: ""))
        }
        #expect(outputs.count == 1)
        #expect(outputs.first?.contains("+1-555-1234") == true)
    }

    // MARK: What is not there

    @Test(arguments: [
        (["--all", "--as", "sqlite", "LOG"], ExitCode.usage, "no table is named"), (["--all", "TABLE"], .usage, "say with --as"),
        (["--all", "--app", "x", "LOG"], .usage, "takes one value"), (["--as", "put", "TABLE"], .usage, "is no id of a conflict"),
        (["--as", "put"], .usage, "name a conflict by its id, or give --all"), (["--key", "x", "3f", "LOG"], .usage, "is for SQL"),
        (["--all", "--as", "put", "--key", "x", "TABLE"], .usage, "is for SQL"), (["--record", "7", "LOG"], .usage, "names no record"),
        (["--all", "--as", "put", "--device", "x", "TABLE"], .usage, "is for writes"),
        (["--user", "nobody", "--as", "put", "TABLE"], .noInput, "none of the 3 losses"),
        (["--record", "a/b", "LOG"], .noInput, "none of the 1 loss"),
    ])
    func whatCannotBeGivenBackIsSaid(options: [String], code: ExitCode, sentence: String) throws {
        let story = try Story(directory)
        let (path, _) = try database("Plan B")
        let arguments = options.flatMap { $0 == "LOG" ? [story.log] : $0 == "TABLE" ? ["--table", "note_versions", path] : [$0] }
        #expect(world.run(["restore"] + arguments) == code)
        #expect(world.errorText.contains(sentence), Comment(rawValue: world.errorText))
        #expect(world.output.text == "")
    }
}
