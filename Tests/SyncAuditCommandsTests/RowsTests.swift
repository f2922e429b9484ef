import Foundation
import SyncLines
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

    @Test func aTableOfUpdatesBecomesAPageOfThreeLosses() throws {
        let (log, page) = (directory.file("conflicts.jsonl"), directory.file("losses.html"))
        #expect(world.run(["audit", "--csv", Self.updates, "-o", log] + Self.mapping) == .success)
        #expect(world.errorText.contains(#"the record is "card_id"; the device is "client_id"; the time is "updated_at""#))
        #expect(world.errorText.contains("15 writes, 4 conflicts, all suspected (by receipt); 3 edits may have been lost"))
        #expect(world.errorText.contains("with --rows changes every value is one"))
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
        #expect(world.run("audit", "--csv", Self.updates) == .badData)
        #expect(world.output.text.isEmpty)
        #expect(world.errorText.contains(#"no two rows have the same "id", so no record is written twice"#))
        #expect(world.errorText.contains(#"if "card_id" names the record, add --map recordID=card_id, and"#))
        // As told.
        #expect(TestWorld().run("audit", "--csv", "--map", "recordID=id", Self.updates) == .success)
        // Two tables may have the same records, and a rule for two records finds some that are each written once.
        let copy = try directory.path(String(contentsOf: URL(filePath: Self.updates), encoding: .utf8), as: "copy.csv")
        #expect(TestWorld().run("audit", "--csv", Self.updates, copy) == .success)
        #expect(TestWorld().run("audit", "--csv", "--unique", "updates.phone", Self.updates) == .success)
    }

    @Test func aDoubtAboutTheFirstRowsIsToldFirstAndEndsNothing() throws {
        var csv = "id,card_id,device,ts,x\n"
        for row in 0..<1500 { csv += "\(row),\(row % 7),d,2026-01-01T00:00:00Z,a\(row)\n" }
        #expect(world.run("audit", "--csv", try directory.path(csv, as: "t.csv")) == .success)
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
        #expect(world.run("audit", "--csv", "--map", "recordID=card", path, path + "") == .success)
        #expect(world.found.isEmpty)
        let told =
            #""serial" numbers the rows; "server_seen_on" holds times near those of the rows. --fields body,serial,server_seen_on takes them"#
        #expect(world.errorText.components(separatedBy: told).count == 2)
        #expect(world.errorText.contains("add --map received=server_seen_on"))
        // Taken all the same, they are conflicts.
        let taken = TestWorld()
        #expect(taken.run("audit", "--csv", "--map", "recordID=card", "--fields", "body,serial,server_seen_on", path) == .success)
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
        #expect(world.run("audit", "--csv", path, "-o", log) == .success)
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
        #expect(world.run("audit", "--csv", path) == .success)
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
        #expect(world.run(["audit", "--csv", Self.updates, "-o", log, "--trace-out", trace] + Self.mapping) == .success)
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
        #expect(TestWorld().run(["audit", "--csv", Self.updates, copy, "--trace-out", both] + Self.mapping) == .success)
        #expect(directory.content("both.jsonl") == content + content)
        let bad = try directory.path("card_id,client_id,updated_at,x\n1,a,2026-01-01T00:00:00Z,1\n1,a,never,1\n", as: "bad.csv")
        #expect(TestWorld().run(["audit", "--csv", bad, "--trace-out", both] + Self.mapping) == .badData)
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
        #expect(world.run(["audit", "--csv", "--map", "recordType=:Card"] + paths) == .success)
        #expect(try world.lines.count == 1)
        #expect(world.errorText.components(separatedBy: "the record is").count == 2)
        let piped = TestWorld()
        try piped.pipe(rows + "1,b,2026-01-01T00:00:01Z,2\n")
        #expect(piped.run("audit", "--csv", "-") == .success)
        #expect(try piped.lines.map { $0["recordType"] } == ["Record"])
    }

    @Test func aBadRowIsNamedByItsLine() throws {
        let path = try directory.path("id,device,ts,x\n1,a,2026-01-01T00:00:00Z,\"1\n2\"\n1,b,1767225600,2\n", as: "t.csv")
        #expect(world.run("audit", "--csv", path) == .badData)
        #expect(world.errorText.contains("\(path):4: \"ts\" is the number 1767225600: 'syncaudit audit --times seconds' takes it as"))
        #expect(TestWorld().run("audit", "--csv", "--times", "seconds", path) == .success)
    }

    /// Files that are no traces, and what is said of each.
    private static let foreign = [
        ("id,device,ts\n1,a,b\n", "this is CSV, not JSON Lines: 'syncaudit audit --csv FILE'"),
        ("id;\"a b\"\r\n1;2\r\n", "this is CSV"), ("a\tb\n", "this is CSV"), ("SQLite format 3\0\n", "--sqlite FILE"),
        ("[{\"event\":\"write\"}]\n", "this is a JSON array, not one object on each line: 'jq -c \".[]\" FILE"),
        ("[\n  {}\n]\n", "this is a JSON array"),
        ("PK\u{3}\u{4}\u{14}\0\n", "this is a ZIP archive"), ("BZh91AY\n", "'bzip2 -dc FILE > lines.jsonl'"),
        ("bplist00\u{1}\n", "binary property list: 'plutil -convert json"),
        ("\u{7f}ELF\u{2}\0\n", "this is a binary file, not text: name a log"),
        ("{\n  \"event\": \"write\"\n}\n", "this is JSON that goes over several lines"), ("\u{feff}id,device\n", "this is CSV"),
    ]

    @Test(arguments: foreign) func aForeignFileIsNamedWithTheCommandThatReadsIt(content: String, sentence: String) throws {
        let path = try directory.path(content, as: "file")
        for verb in ["audit", "report", "check", "replay", "tail", "lost"] {
            let world = TestWorld()
            #expect(world.run(verb, path) == (verb == "check" ? .limitExceeded : .badData))
            #expect((world.errorText + world.output.text).contains(sentence), "\(verb)")
            // Who asked for a report is not told to audit.
            if sentence.contains("this is JSON") || sentence.contains("JSON array") {
                #expect(!(world.errorText + world.output.text).contains("syncaudit audit"))
            }
        }
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
        ["--map", "ts=x"], ["--query", "SELECT 1"], ["--csv", "--sqlite", "x"], ["--csv", "--integer-ids"], ["--csv", "--map", "when=x"],
        ["--separator", "tab"],
        ["--times", "Europe/Berlin"], ["--csv", "."], ["--sqlite", "x", "--query", "SELECT 1", "y"], ["--joined", "--csv"],
        ["--rows", "changes"], ["--trace-out", "x"], ["--csv", "--trace-out", "-"], ["--csv", "--trace-out", "x", "--privacy", "omitted"],
    ])
    func optionsThatMeanNothingAreRefused(options: [String]) {
        #expect(world.run(["audit"] + options + (options.contains(".") ? [] : ["file"])) == .usage)
    }
}
