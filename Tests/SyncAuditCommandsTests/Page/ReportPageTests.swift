import ChildProcess
import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// `report --format html`, from its arguments to the text of the page.
@Suite struct ReportPageTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func page(_ arguments: [String], input: String? = nil) throws -> String {
        let world = TestWorld()
        if let input { try world.pipe(input) }
        #expect(world.run(["report", "--format", "html"] + arguments) == .success, "\(world.errorText)")
        return world.output.text
    }

    private func part(_ page: String, from start: String, to end: String) throws -> String {
        let first = try #require(page.range(of: start))
        let last = try #require(page.range(of: end, range: first.upperBound..<page.endIndex))
        return String(page[first.upperBound..<last.lowerBound])
    }

    /// The page admits its parts by the hash of their text; the hash is made here by another program.
    @Test(arguments: ["style", "script"]) func theHashesOfThePolicyAreThoseOfTheParts(name: String) throws {
        let page = try page([], input: Trace.clash())
        let path = try directory.path(try part(page, from: "<\(name)>", to: "</\(name)>"), as: name)
        let child = try ChildProcess(path: "/bin/sh", ["-c", "sha256sum '\(path)' || shasum -a 256 '\(path)'"])
        let digits = Array(String(decoding: child.readToEnd(), as: UTF8.self).prefix(64))
        #expect(child.wait() == 0)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
        #expect(bytes.count == 32)
        let policy = try part(page, from: "Content-Security-Policy\" content=\"", to: "\">")
        #expect(
            policy.contains("\(name)-src &#39;sha256-\(Data(bytes).base64EncodedString())&#39;"),
            "the right hash is \(Data(bytes).base64EncodedString())")
    }

    /// What `show` says of a conflict stands in its card, for every conflict and with the same files.
    @Test func theDetailsAreThoseOfShow() throws {
        let trace =
            Story.writes
            + Trace.put("Mac", 2, at: 500, "42", #"{"phone":"+1-555-7777"}"#, type: "Card", saw: #"{"iPad":1,"iPhone":1,"Mac":1}"#)
            + Trace.clash() + Trace.delete("c", at: 30) + Trace.put("d", at: 9, "9", #"{"v":1}"#) + Trace.put("e", at: 8, "9", #"{"w":1}"#)
        let story = try Story(directory, trace: trace)
        let files = [story.log, story.trace]
        let page = try page(files)
        let piped = try self.page(["-", story.trace], input: try String(contentsOfFile: story.log, encoding: .utf8))
        // The inputs are named above, and the size of the page below.
        let (mine, theirs) = (try part(page, from: "<main>", to: "</main>"), try part(piped, from: "<main>", to: "</main>"))
        #expect(theirs.replacing(" LOGS<", with: " \(files.joined(separator: " "))<") == mine)
        let world = TestWorld()
        #expect(world.run("tail", "--format", "json", "-n", "100", story.log) == .success)
        let ids = try world.lines.filter { $0["event"] == "conflict" }.compactMap { $0["id"]?.string }
        #expect(ids.count == 4)
        for id in ids {
            let shown = TestWorld()
            shown.environment["COLUMNS"] = "1000"
            #expect(shown.run(["show", id] + files) == .success)
            let card = try #require(page.components(separatedBy: "<div popover ").first { $0.hasPrefix("id=\"c-\(id)\"") })
                .replacing("&#39;", with: "'").replacing("&quot;", with: "\"").replacing("&gt;", with: ">")
            for line in shown.output.text.split(separator: "\n") where line.last == "." { #expect(card.contains(line), "\(line)") }
            if let command = shown.output.text.split(separator: "\n").first(where: { $0.hasPrefix("Get it back: ") }) {
                #expect(card.contains("<pre>\(command.dropFirst(13))</pre>"))
            } else {
                #expect(!card.contains("<pre>"))
            }
        }
    }

    @Test func rowsAreLimited() throws {
        var trace = ""
        for number in 0..<30 {
            trace +=
                Trace.put("a", number + 1, at: number, "\(number)", #"{"v":1}"#)
                + Trace.put("b", number + 1, at: number + 1, "\(number)", #"{"v":2}"#)
        }
        let log = try Story(directory, trace: trace).log
        func cards(_ page: String) -> Int { page.split(separator: "<div popover ").count - 1 }
        #expect(cards(try page([log])) == 30)
        let few = try page(["--rows", "4", log])
        #expect(cards(few) == 4)
        #expect(few.contains("4 of 30 conflicts"))
        // The newest of equally grave ones.
        for number in 26..<30 { #expect(few.contains("Note/\(number)<wbr>.v")) }
        let none = try page(["--rows", "0", log])
        #expect(cards(none) == 0)
        #expect(none.contains("30 conflicts, none of them listed") && none.contains("<dd class=\"lost\">30</dd>"))
    }

    @Test func summariesAreCountedAndSaidNotToBeListed() throws {
        let story = try Story(directory)
        let world = TestWorld()
        #expect(world.run("report", "--format", "summary", story.log) == .success)
        let summary = try directory.path(world.output.text, as: "summary.json")
        #expect(try page([summary]).contains("what was read is a summary"))
        let other = try Story(directory, trace: Trace.clash())
        let both = try page([summary, other.log])
        #expect(both.contains("1 of 2 conflicts: of the others only counts were read"))
        #expect(both.contains("<h1>2 edits were lost in 2 conflicts"))
    }

    @Test func aLogWithoutConflictsIsASentence() throws {
        let page = try page([], input: Trace.put("a", at: 0, #"{"v":5}"#))
        #expect(page.contains("<h1>Nobody has audited this write: whether edits were lost is not known</h1>"))
    }

    @Test func whatTheClocksDecidedIsSaid() throws {
        let story = try Story(directory)
        #expect(try page(["--clock-what-if", story.log]).contains("Clock what-if: no clock was measured"))
    }

    @Test(arguments: ["table", "json", "csv", "markdown"]) func rowsAreOfNoUseElsewhere(format: String) throws {
        let world = TestWorld()
        try world.pipe(Trace.clash())
        #expect(world.run("report", "--format", format, "--rows", "5") == .usage)
        #expect(world.errorText.contains("--rows is about the list of conflicts in --format html"))
    }

    @Test func aPageSaysWhatItIsAbout() throws {
        let story = try Story(directory)
        let page = try page(["--title", "Cards <b>", story.log])
        #expect(page.contains("<title>Cards &lt;b&gt; – SyncAudit</title>"))
        #expect(page.contains("<p class=\"brand\">Cards &lt;b&gt;</p>"))
        #expect(page.contains("<dt>Dates</dt>\n<dd>2026-01-15</dd>") || page.contains("<dt>Dates</dt><dd>2026-01-15</dd>"))
        #expect(page.contains("<dt>Policy</dt><dd>lastWriterWins</dd>"))
        #expect(page.contains("<dt>Read from</dt><dd>\(story.log)</dd>"))
        #expect(page.contains("<ul class=\"examples\"><li>iPad&#39;s phone"))
        #expect(page.contains("1 resolved without a person; the last at 2026-01-15T"))
        #expect(page.contains("1 conflict listed") && !page.contains("http-equiv=\"refresh\""))
    }

    @Test func aDeleteThatWonIsSaidToBeThePolicys() throws {
        let trace = Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("a", 2, at: 9, #"{"v":6}"#) + Trace.delete("b", at: 8, saw: #"{"a":1}"#)
        let log = try Story(directory, trace: trace).log
        #expect(try page([log]).contains("A delete that won over an edit is the policy&#39;s expected behaviour"))
        let world = TestWorld()
        #expect(world.run("report", "--format", "markdown", log) == .success)
        #expect(world.output.text.contains("A delete that won over an edit is the policy's expected behaviour"))
        #expect(world.output.text.contains("resolved without a person; the last at 2026"))
    }

    @Test(.timeLimit(.minutes(10))) func watchingRewritesThePageWhenTheLogsHaveGrown() async throws {
        let log = try directory.path(try String(contentsOfFile: try Story(directory).log, encoding: .utf8), as: "logs/a.jsonl")
        let (logs, output) = (directory.file("logs"), directory.file("page.html"))
        let watching = try WatchingCommand(["report", "-f", "html", "--watch", "100ms", "-o", output, logs], output: output)
        try await watching.shows("<h1>1 edit was lost in 1 conflict</h1>")
        #expect(watching.content?.contains("<meta http-equiv=\"refresh\" content=\"1\">") == true)
        let audited = TestWorld()
        try audited.pipe(Trace.clash())
        #expect(audited.run("audit") == .success)
        // The last line is not whole yet.
        let torn = String(audited.output.text.dropLast())
        try directory.create("logs/b.jsonl", torn)
        let other = TestWorld()
        try other.pipe(Trace.put("c", at: 0, "7", #"{"v":5}"#) + Trace.put("d", at: 9, "7", #"{"v":3}"#))
        #expect(other.run("audit") == .success)
        // A page that shows what came later has read it, too.
        try directory.create("logs/c.jsonl", other.output.text)
        try await watching.shows("<h1>2 edits were lost in 2 conflicts</h1>")
        try directory.create("logs/b.jsonl", audited.output.text)
        try await watching.shows("<h1>3 edits were lost in 3 conflicts</h1>")
        #expect(log == directory.file("logs/a.jsonl"))
        #expect(await watching.stop() == .success)
    }

    @Test(arguments: [(["--watch", "1s"], "--watch needs --output"), (["--watch", "1s", "-o", "x"], "--watch reads files again")])
    func whatCannotBeWatchedIsSaid(arguments: [String], sentence: String) throws {
        let world = TestWorld()
        try world.pipe(Trace.clash())
        #expect(world.run(["report", "--format", "html"] + arguments) == .usage)
        #expect(world.errorText.contains(sentence))
    }

    @Test(arguments: [["--title", "x"], ["--for", "user"]]) func whatIsAboutAPageIsOfNoUseElsewhere(arguments: [String]) throws {
        let world = TestWorld()
        try world.pipe(Trace.clash())
        #expect(world.run(["report"] + arguments) == .usage)
        #expect(world.errorText.contains("\(arguments[0]) is about"))
    }

    @Test func recordsAreCalledByTheirNamesAndFoundByTheirIdentities() throws {
        let log = try directory.create(
            "named.jsonl",
            Trace.put("a", at: 0, "17", #"{"nick":"Ann","v":1}"#) + Trace.put("b", at: 60, "17", #"{"v":2}"#, saw: "{}")
                + Trace.put("c", at: 80, "17", #"{"v":3}"#, saw: "{}"))
        let audit = TestWorld()
        #expect(audit.run("audit", log) == .success)
        let page = try page(["--name", "nick", try directory.create("conflicts.jsonl", audit.output.text), log])
        let breakdown = try part(page, from: "Most contested records", to: "</table>")
        #expect(breakdown.contains("Note &quot;Ann&quot;") && !breakdown.contains(">Note/17"))
        #expect(page.contains("data-record=\"Note/17\"") && breakdown.contains("record=Note%2F17"))
        let row = try part(page, from: "data-record=", to: "</tr>")
        #expect(row.contains("Note &quot;Ann&quot;"))
        #expect(try part(page, from: "class=\"examples\"", to: "</ul>").contains("on Note &quot;Ann&quot;"))
        #expect(page.contains(", record Note/17"))
    }

    @Test func theFiltersHoldForTheList() throws {
        let story = try Story(directory, trace: Story.writes + Trace.clash())
        let page = try page(["--record-type", "Card", story.log])
        #expect(page.contains("Card/42") && !page.contains("Note/1"))
        #expect(page.contains("The only one is listed."))
    }
}
