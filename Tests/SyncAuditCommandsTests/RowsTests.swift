import CompressedData
import Foundation
import SyncModel
import Testing

@testable import SyncAuditCommands

/// The newcomer's path: from a table to what was lost.
@Suite struct RowsTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let updates = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Samples/traces/updates.csv")
        .path
    private static let mapping = ["--map", "recordID=card_id,recordType=:Card"]
    /// Takes rows as writes that somebody has to merge.
    private static let asWrites = ["--rows", "snapshots"]

    @Test func aTableOfUpdatesBecomesAPageOfThreeLosses() throws {
        let (log, page) = (directory.file("conflicts.jsonl"), directory.file("losses.html"))
        #expect(world.run(["audit", "--csv", Self.updates, "-o", log] + Self.mapping) == .success)
        for sentence in [
            #""card_id" names the record"#, "15 rows of 4 records by 3 authors: 3 edits perhaps lost: replaced 2, deleted 1",
            "the rows are what devices sent, not what the server kept",
        ] { #expect(world.errorText.contains(sentence), "\(world.errorText)") }
        #expect(world.run("lost", "-f", "csv", log) == .success)
        let lost = world.output.text.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
        #expect(lost.count == 3)
        for value in ["555-0111", "Call back on Monday", "555-0333"] { #expect(lost.count { $0.contains(value) } == 1, "\(value)") }
        #expect(TestWorld().run("report", "-f", "html", "-o", page, log) == .success)
        let html = try #require(directory.content("losses.html"))
        for value in ["555-01«11»", "Call back on Monday", "555-0333"] { #expect(html.contains(value), "\(value)") }
        #expect(!html.contains("555-0444"))
    }

    @Test func recordsWrittenOnceAreRefusedWithTheMapping() throws {
        // Which column names the record, its values tell.
        #expect(world.run("audit", Self.updates) == .success)
        #expect(try world.lines.map { $0["event"] } == ["conflict", "conflict", "conflict", "statistics"])
        let wrong = TestWorld()
        #expect(wrong.run("audit", "--map", "recordID=id", Self.updates) == .badData)
        #expect(wrong.errorText.contains(#"no two rows have the same "id""#), "\(wrong.errorText)")
        // Taken as writes, they need the column.
        let writes = TestWorld()
        #expect(writes.run(["audit", "--csv", Self.updates] + Self.asWrites) == .badData)
        #expect(writes.output.text.isEmpty)
        #expect(writes.errorText.contains(#"no two rows have the same "id", so no record is written twice"#))
        #expect(writes.errorText.contains(#"if "card_id" names the record, add --map recordID=card_id, and"#))
        #expect(TestWorld().run(["audit", "--csv", "--map", "recordID=id", Self.updates] + Self.asWrites) == .success)
        // Two tables may have the same records, and a rule for two records finds some that are each written once.
        let copy = try directory.path(String(contentsOf: URL(filePath: Self.updates), encoding: .utf8), as: "copy.csv")
        #expect(TestWorld().run(["audit", "--csv", Self.updates, copy] + Self.asWrites) == .success)
        #expect(TestWorld().run("audit", "--csv", "--unique", "updates.phone", Self.updates) == .success)
    }

    @Test func aDoubtAboutTheFirstRowsIsToldFirstAndEndsNothing() throws {
        var csv = "id,card_id,device,ts,x\n"
        for row in 0..<1500 { csv += "\(row),\(row % 7),d,2026-01-01T00:00:00Z,a\(row)\n" }
        #expect(world.run(["audit", "--csv", try directory.path(csv, as: "t.csv")] + Self.asWrites) == .success)
        let notes = world.errorText.components(separatedBy: "\n")
        #expect(notes[1].contains(#"no two rows of the first 1000 have the same "id""#))
    }

    @Test func columnsThatNobodyEditsAreToldOnceWithTheOption() throws {
        let path = try directory.path(
            """
            card,serial,client,at,body,server_seen_on
            a,71,x,2026-01-01T00:00:00Z,one,2026-01-01T00:00:02Z
            a,72,y,2026-01-01T00:01:00Z,one,2026-01-01T00:01:01Z
            a,75,x,2026-01-01T00:02:00Z,one,2026-01-01T00:02:01Z
            a,79,y,2026-01-01T00:03:00Z,one,2026-01-01T00:03:30Z

            """, as: "t.csv")
        #expect(world.run(["audit", "--csv", "--map", "recordID=card", path, path + ""] + Self.asWrites) == .success)
        #expect(world.found.isEmpty)
        let told =
            #""serial" numbers the rows; "server_seen_on" holds times near those of the rows. --fields body,serial,server_seen_on takes them"#
        #expect(world.errorText.components(separatedBy: told).count == 2)
        #expect(world.errorText.contains("add --map received=server_seen_on"))
        // Taken all the same, they are conflicts.
        let taken = TestWorld()
        let options = ["--map", "recordID=card", "--fields", "body,serial,server_seen_on"] + Self.asWrites
        #expect(taken.run(["audit", "--csv", path] + options) == .success)
        #expect(try taken.lines.contains { $0["field"] == "serial" })
        #expect(!taken.errorText.contains("numbers the rows"))
    }

    @Test func suspicionsByReceiptAreToldFromThoseByClocks() throws {
        let path = try directory.path(
            """
            id,device,ts,received,x
            1,a,2026-01-01T00:00:00Z,2026-01-01T00:05:00Z,1
            1,b,2026-01-01T00:00:10Z,2026-01-01T00:00:11Z,2
            2,a,2026-01-01T00:00:00Z,,1
            2,b,2026-01-01T00:00:10Z,,2
            3,a,2026-01-01T00:00:00Z,,1
            3,b,2026-01-01T00:00:10Z,,2

            """, as: "t.csv")
        let log = directory.file("log.jsonl")
        #expect(world.run(["audit", "--csv", path, "-o", log] + Self.asWrites) == .success)
        #expect(world.errorText.contains("3 conflicts, all suspected (1 by receipt, 2 by clocks); "))
        let report = TestWorld()
        #expect(report.run("report", "--all", log) == .success)
        #expect(report.output.text.contains("suspected: 1 by receipt, 2 by clocks; lost?"))
    }

    @Test func anOrderOfArrivalAgainstTheClocksIsCounted() throws {
        let path = try directory.path(
            """
            id,device,ts,received,x
            1,a,2026-01-01T00:09:00Z,2026-01-01T00:01:00Z,1
            1,b,2026-01-01T00:08:00Z,2026-01-01T00:20:00Z,2
            1,a,2026-01-01T00:30:00Z,2026-01-01T00:30:01Z,3
            1,b,2026-01-01T00:31:00Z,2026-01-01T00:30:00Z,4

            """, as: "t.csv")
        #expect(world.run(["audit", "--csv", path] + Self.asWrites) == .success)
        #expect(world.errorText.contains("2 rows received before they were written, by the times in them: "))
        #expect(
            world.errorText.contains(
                "2 rows arrived in the reverse of the order of the timestamps, compared with the row of the record before: "))
        #expect(world.errorText.contains("with --policy last-arrival-wins what arrived last\n"))
        let other = TestWorld()
        #expect(other.run("audit", "--csv", "--policy", "last-arrival-wins", path) == .success)
        #expect(other.errorText.contains("compared with the row of the record before\n"))
    }

    @Test func theTraceOfATableIsWhatWasAudited() throws {
        let (log, trace) = (directory.file("conflicts.jsonl"), directory.file("writes.jsonl"))
        let options = Self.mapping + Self.asWrites
        #expect(world.run(["audit", "--csv", Self.updates, "-o", log, "--trace-out", trace] + options) == .success)
        let content = try #require(directory.content("writes.jsonl"))
        #expect(content.split(separator: "\n", omittingEmptySubsequences: false).count == 16 && content.hasSuffix("}\n"))
        let again = TestWorld()
        #expect(again.run("audit", trace) == .success)
        // All but what was audited: rows, and then lines.
        #expect(again.output.text == directory.content("conflicts.jsonl")?.replacing(#""form":"rows""#, with: #""form":"lines""#))
        let lost = TestWorld()
        #expect(lost.run("lost", log, trace) == .success)
        #expect(lost.output.text.hasPrefix("3 values may have been lost\nthis log can restore all of them"))
        // What only stayed as it was counts where a record is kept whole.
        let replay = TestWorld()
        #expect(replay.run("replay", "--format", "json", trace) == .success)
        #expect(content.contains(#""carried":{"#))
        // Several tables go to one file, and a bad row leaves it as it was.
        let both = directory.file("both.jsonl")
        let copy = try directory.path(String(contentsOf: URL(filePath: Self.updates), encoding: .utf8), as: "copy.csv")
        #expect(TestWorld().run(["audit", "--csv", Self.updates, copy, "--trace-out", both] + options) == .success)
        #expect(directory.content("both.jsonl") == content + content)
        let bad = try directory.path("card_id,client_id,updated_at,x\n1,a,2026-01-01T00:00:00Z,1\n1,a,never,1\n", as: "bad.csv")
        #expect(TestWorld().run(["audit", "--csv", bad, "--trace-out", both] + options) == .badData)
        #expect(directory.content("both.jsonl") == content + content)
    }

    @Test func aTraceThatCannotBeWrittenIsNoSuccess() throws {
        for path in [Self.updates, directory.file("log.jsonl")] {
            let command = ["audit", "--csv", Self.updates, "-o", directory.file("log.jsonl"), "--trace-out", path] + Self.mapping
            #expect(TestWorld().run(command) == .usage)
        }
        #expect(world.run(["audit", "--csv", Self.updates, "--trace-out", "/dev/full"] + Self.mapping) == .inputOutput)
        #expect(world.errorText.contains("\"/dev/full\""))
    }

    @Test func tablesAreReadFromPipesAndSeveralFiles() throws {
        let rows = "id,device,ts,x\n1,a,2026-01-01T00:00:00Z,1\n"
        let paths = try (1...2).map {
            try directory.path(
                rows.replacingOccurrences(of: ",a,", with: ",\($0),").replacingOccurrences(of: "Z,1", with: "Z,\($0)"), as: "\($0).csv")
        }
        #expect(world.run(["audit", "--csv", "--map", "recordType=:Card"] + paths + Self.asWrites) == .success)
        #expect(try world.lines.count == 1)
        #expect(world.errorText.components(separatedBy: "the record is").count == 2)
        let piped = TestWorld()
        try piped.pipe(rows + "1,b,2026-01-01T00:00:01Z,2\n")
        #expect(piped.run(["audit", "--csv", "-"] + Self.asWrites) == .success)
        #expect(try piped.lines.map { $0["recordType"] } == ["Record"])
    }

    @Test func aBadRowIsNamedByItsLine() throws {
        let path = try directory.path("id,device,ts,x\n1,a,2026-01-01T00:00:00Z,\"1\n2\"\n1,b,1767225600,2\n", as: "t.csv")
        #expect(world.run(["audit", "--csv", path] + Self.asWrites) == .badData)
        #expect(world.errorText.contains("\(path):4: \"ts\" is the number 1767225600: 'syncaudit audit --times seconds' takes it as"))
        #expect(TestWorld().run(["audit", "--csv", "--times", "seconds", path] + Self.asWrites) == .success)
    }

    /// Files that are neither traces nor tables, and what is said of each.
    private static let foreign = [
        ("PK\u{3}\u{4}\u{14}\0\n", "this is a ZIP archive"), ("BZh91AY\n", "'bzip2 -dc FILE > lines.jsonl'"),
        ("bplist00\u{1}\n", "binary property list: 'plutil -convert json"), ("\u{7f}ELF\u{2}\0\n", "this is a binary file, not "),
        ("<rows><row/></rows>\n", "XML"), ("{:id 1 :name \"x\"}\n", "EDN"),
    ]

    @Test(arguments: foreign) func aForeignFileIsNamedWithTheCommandThatReadsIt(content: String, sentence: String) throws {
        let path = try directory.path(content, as: "file")
        #expect(world.run("audit", path) == .badData)
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    /// Tables that cannot be audited: whichever verb was asked says why, and what to do.
    @Test(arguments: [
        ("id,device,ts\n1,a,b\n", "no two rows"), ("SQLite format 3\0\n", "database"), ("[]\n", "no rows"),
        (
            "id,phone,updated_at,updated_by\n1,5,2026-01-01T00:00:00Z,a\n2,6,2026-01-01T00:00:00Z,b\n3,7,2026-01-02T00:00:00Z,a\n",
            "no two rows"
        ),
    ])
    func aTableInWhichNothingCanBeFoundIsNoAllClear(content: String, sentence: String) throws {
        let path = try directory.path(content, as: "file")
        for verb in ["audit", "report", "lost"] {
            let world = TestWorld()
            #expect(world.run(verb, path) == .badData, "\(verb)")
            #expect(world.errorText.contains(sentence), "\(verb): \(world.errorText)")
        }
    }

    /// A table in several files, as of months, is one: what one file lacks, another may have.
    @Test func severalTablesAreOneHistory() throws {
        let header = "note_id,version,saved_by,saved_at,phone,title\n"
        let paths = try ["n1,1,ann,2026-01-15T09:01:00Z,0000,Doctor\n", "n1,2,ben,2026-02-15T09:20:00Z,1234,Doctor\n"].enumerated().map {
            try directory.path(header + $1 + "n\($0 + 2),1,ann,2026-03-01T09:00:00Z,1,x\n", as: "\($0).csv")
        }
        let map = ["--map", "recordID=note_id,device=saved_by,version=version,recordType=:note"]
        #expect(world.run(["audit"] + paths + map) == .success, "\(world.errorText)")
        #expect(world.errorText.contains("4 rows of 3 records by 2 authors: no edit is known to be lost"), "\(world.errorText)")
        let alone = TestWorld()
        #expect(alone.run(["audit", paths[0]] + map) == .badData)
    }

    /// Exports by device say nothing of it but their names.
    @Test func deviceMayBeTheNameOfTheFile() throws {
        let header = "note_id,version,saved_at,phone,title\n"
        let files = [
            ("ann.csv", "n1,1,2026-01-15T09:01:00Z,0000,Doctor\n"), ("ben.csv", "n1,2,2026-01-15T09:20:00Z,1234,Doctor\n"),
            ("cleo.2026.csv", "n1,3,2026-01-15T09:40:00Z,0000,Dentist\n"),
        ]
        let paths = try files.map { try directory.path(header + $0.1, as: $0.0) }
        let options = ["--map", "device=:file,received=saved_at,version=version"]
        #expect(world.run(["audit"] + options + paths.reversed()) == .success, "\(world.errorText)")
        #expect(world.errorText.contains(#"who saved is always "ann"; --map device=COLUMN says otherwise"#), "\(world.errorText)")
        #expect(world.errorText.contains("3 rows of 1 record by 3 authors: 1 edit perhaps lost"), "\(world.errorText)")
        #expect(world.errorText.components(separatedBy: "names the record").count == 2)
        #expect(world.output.text.contains(#""loser":{"device":"ben""#), "\(world.output.text)")
        // What is named for a device says nothing of its type.
        let asWrites = TestWorld()
        let map = ["--csv", "--map", "device=:file,recordID=note_id,ts=saved_at", "--policy", "last-writer-wins"]
        #expect(asWrites.run(["audit"] + map + paths) == .success, "\(asWrites.errorText)")
        #expect(asWrites.errorText.contains(#"the type is always "Record""#), "\(asWrites.errorText)")
        #expect(asWrites.errorText.contains(#"the device is always "cleo""#), "\(asWrites.errorText)")
        for options in [options, map] {
            let piped = TestWorld()
            try piped.pipe(header + files[0].1)
            #expect(piped.run(["audit"] + options + ["-"]) == .badData)
            #expect(piped.errorText.contains("device=:file takes the name of the file, and a stream has none"), "\(piped.errorText)")
        }
    }

    @Test func sentRowsWithoutTheirTimesAreNoAllClear() throws {
        let rows = "note_id,version,saved_by,saved_at,phone\nn1,1,ann,2026-01-15T09:01:00Z,0\nn1,2,ben,2026-01-15T09:20:00Z,1\n"
        #expect(world.run("audit", "--keeps", "sent", try directory.path(rows, as: "t.csv")) == .badData)
        #expect(world.errorText.contains("--keeps sent goes by the later edit, and 2 rows lack a time"), "\(world.errorText)")
    }

    /// One command from a table to the answer, whatever holds the rows.
    @Test(arguments: ["csv", "jsonl", "json", "gz"]) func aReportOnATableAuditsIt(form: String) throws {
        let names = ["id", "note_id", "version", "saved_by", "saved_at", "phone", "title"]
        let rows = [
            ["1", "n1", "1", "ann", "2026-01-15T09:01:00Z", "0000", "Doctor"],
            ["2", "n1", "2", "ben", "2026-01-15T09:20:00Z", "1234", "Doctor"],
            ["3", "n1", "3", "cleo", "2026-01-15T09:40:00Z", "0000", "Dentist"],
        ]
        let csv = ([names] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
        let lines = rows.map { row in "{" + zip(names, row).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}" }
        let path: String
        switch form {
        case "csv": path = try directory.path(csv, as: "notes.csv")
        case "jsonl": path = try directory.path(lines.joined(separator: "\n") + "\n", as: "notes.jsonl")
        case "json": path = try directory.path("[" + lines.joined(separator: ",") + "]", as: "notes.json")
        default:
            path = directory.file("notes.csv.gz")
            try Data(compressed(csv.utf8)).write(to: URL(filePath: path))
        }
        #expect(world.run("report", path) == .success, "\(world.errorText)")
        #expect(world.output.text.contains("1 edit may have been lost in 1 suspected conflict (3 writes)"), "\(world.output.text)")
        #expect(world.errorText.contains("is a table, and its rows were audited first"))
        let lost = TestWorld()
        #expect(lost.run("lost", path) == .success && lost.output.text.contains("by kind: put back 1"))
        let audit = TestWorld()
        #expect(audit.run("audit", path) == .success)
        let conflict = try #require(try audit.lines.first)
        #expect(conflict["basis"] == "content" && conflict["stale"] == true && conflict["loser"]?.object?["value"] == "1234")
        #expect(conflict["versions"]?.object?["base"] == "1" && conflict["versions"]?.object?["shown"] == "2")
        let shown = TestWorld()
        #expect(shown.run("show", conflict["id"]?.string ?? "", path) == .success)
        let words = shown.output.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("the row repeats version 1, though version 2 was current"), "\(shown.output.text)")
    }

    @Test(arguments: ["hello", "2026-01-15 12:00:00 server started", "{\"event\":\"wri", "{\"a\":1}{", "", ",,,"])
    func whatIsNotKnownIsNotNamed(line: String) throws {
        let path = try directory.path(line + "\n" + Trace.clash(), as: "file")
        _ = world.run("report", path)
        #expect(!world.errorText.contains("this is CSV") && !world.errorText.contains("this is JSON that"))
    }

    @Test(arguments: ["report", "lost", "check", "audit"]) func anEmptyFileIsNoProofThatNothingWasLost(verb: String) throws {
        #expect(world.run(verb, try directory.path("", as: "file")) == .badData)
        #expect(world.errorText.contains(":1: there is nothing in it; "))
    }

    @Test func whatArrivedLastIsNotDecidedAgainWithoutReceipts() throws {
        let rows = """
            id,title,device,ts,received
            1,A,iPhone,2026-03-14T10:05:00Z,2026-03-14T10:05:01Z
            1,B,iPad,2026-03-14T10:01:00Z,2026-03-14T10:20:00Z

            """
        let log = directory.file("log.jsonl")
        #expect(
            world.run("audit", "--csv", try directory.path(rows, as: "rows.csv"), "--policy", "last-arrival-wins", "-o", log) == .success)
        let line = try #require(directory.content("log.jsonl"))
        #expect(line.contains(#""winner":{"device":"iPad""#))
        #expect(TestWorld().run("check", log) == .success)
        // All else is held against the line still.
        let forged = line.replacing("\"severity\":\"lossy\"", with: "\"severity\":\"benign\"")
        #expect(TestWorld().run("check", try directory.path(forged, as: "forged.jsonl")) == .limitExceeded)
    }

    @Test func aForeignFileIsOneFindingUntilALineIsUnderstood() throws {
        let path = try directory.path("{\n\"a\": 1,\n\"b\": 2\n}\n" + Trace.clash() + "bad\n", as: "file")
        #expect(world.run("check", path) == .limitExceeded)
        #expect(world.output.text.hasPrefix("2 findings\n"))
        #expect(world.output.text.contains(":1: this is JSON that goes over several lines"))
        #expect(world.output.text.contains("; none of the first 4 lines was understood\n"))
    }

    @Test func noLineIsNamedOfAFileThatIsNotThere() {
        let path = directory.file("none")
        let commands = [
            ["audit", path], ["audit", "--csv", path], ["audit", "--sqlite", path, "--query", "SELECT 1"], ["report", path],
            ["check", path], ["tail", path],
            ["replay", path], ["lost", path], ["export", path], ["show", "abcdef", path], ["restore", "abcdef", path],
            ["import", "cloudkit", path],
            ["import", "coredata", path], ["replay", "--outcome", path, Self.updates],
        ]
        for command in commands {
            let world = TestWorld()
            #expect(world.run(command) == .noInput, "\(command)")
            #expect(world.errorText.contains("\(path): there is no such file"), "\(command)")
        }
    }

    @Test func aTraceMayHaveNumbersForTimesAndNames() throws {
        func line(_ device: String, _ seconds: Int, _ value: Int) -> String {
            #"{"event":"write","ts":\#(seconds),"received":\#(seconds + 60),"device":\#(device),"recordType":"Card","recordID":7,"op":"put","fields":{"x":\#(value)}}"#
        }
        let path = try directory.path(line("1", 1_767_225_600, 1) + "\n" + line("2", 1_767_225_603, 2) + "\n", as: "t.jsonl")
        #expect(world.run("audit", path) == .badData)
        #expect(world.errorText.contains("--times seconds"))
        #expect(world.run("audit", "--times", "seconds", path) == .badData)
        #expect(world.errorText.contains("--integer-ids"))
        #expect(world.run("audit", "--times", "seconds", "--integer-ids", path) == .success)
        let conflict = try #require(try world.lines.first)
        #expect(conflict["recordID"] == "7")
        #expect(conflict["ts"] == "2026-01-01T00:00:03.000Z")
        #expect(conflict["basis"] == "arrival")
    }

    @Test(arguments: [
        ["--map", "ts=x"], ["--query", "SELECT 1"], ["--keeps", "whole"], ["--csv", "--sqlite", "x"], ["--csv", "--integer-ids"],
        ["--csv", "--map", "when=x"],
        ["--separator", "tab"],
        ["--times", "Europe/Berlin"], ["--csv", "."], ["--sqlite", "x", "--query", "SELECT 1", "y"], ["--joined", "--csv"],
        ["--rows", "changes"], ["--trace-out", "x"], ["--csv", "--trace-out", "-"], ["--csv", "--trace-out", "x", "--privacy", "omitted"],
    ])
    func optionsThatMeanNothingAreRefused(options: [String]) throws {
        let file = try directory.path(Trace.clash(), as: "trace.jsonl")
        #expect(world.run(["audit"] + options + (options.contains(".") ? [] : [file])) == .usage)
    }

    /// A separator is named where the header does not tell it, and says by itself that there is a table.
    @Test(arguments: [("|", "pipe"), (";", "semicolon"), ("\t", "tab"), (",", "comma")])
    func aSeparatorIsFoundInTheHeaderAndByItsNameOrItself(separator: String, name: String) throws {
        let lines = ["id", "A", "B"].enumerated().map { index, device in
            (index == 0 ? ["id", "device", "ts", "title"] : ["1", device, "2026-01-15T14:0\(index):00Z", "t\(index)"])
                .joined(separator: separator)
        }
        let directory = try TemporaryDirectory()
        for ending in ["txt", "csv"] {
            let path = try directory.path(lines.joined(separator: "\n") + "\n", as: "p." + ending)
            for options in [[], ["--separator", name], ["--separator", separator], ["--csv", "--separator", separator], ["--csv"]] {
                let world = TestWorld()
                #expect(world.run(["audit"] + options + [path]) == .success, "\(options) \(ending): \(world.errorText)")
                #expect(world.errorText.contains("2 rows of 1 record by 2 authors"), "\(options): \(world.errorText)")
            }
        }
        let wrong = TestWorld()
        #expect(wrong.run("audit", "--separator", "x", try directory.path(lines.joined(separator: "\n"), as: "q.txt")) == .usage)
        #expect(wrong.errorText.contains(#""x" is not one of comma, semicolon, tab, pipe"#), "\(wrong.errorText)")
    }
}
