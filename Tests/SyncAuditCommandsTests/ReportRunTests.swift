import Foundation
import SyncAuditCommands
import Testing

/// `report` from its arguments to its output, over what `audit` wrote.
@Suite struct ReportRunTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let lines = [
            AuditRunTests.line("o", 1, at: 0, "Card/1", #"{"x":0,"y":0}"#),
            AuditRunTests.line("a", 1, at: 60, "Card/1", #"{"x":1}"#, seen: #"{"o":1}"#),
            AuditRunTests.line("b", 1, at: 90, "Card/1", #"{"x":2}"#, seen: #"{"o":1}"#),
            AuditRunTests.line("a", 2, at: 600, "Note/1", #"{"text":"\u001b[31mred"}"#),
            AuditRunTests.line("\\u202eevil", 1, at: 1200, "Note/1", #"{"text":"other"}"#),
        ]
        try directory.create("trace.jsonl", lines.joined(separator: "\n"))
        #expect(
            TestWorld().run("audit", "--statistics", "--output", directory.file("log.jsonl"), directory.file("trace.jsonl")) == .success)
    }

    private func report(_ options: String..., world: TestWorld = TestWorld()) -> String {
        #expect(
            SyncAudit.run(arguments: ["report", directory.file("log.jsonl")] + options, context: world.context) == .success,
            "\(world.errorText)")
        return world.output.text
    }

    @Test func theHeadlineSaysWhatWasLost() {
        #expect(report().hasPrefix("2 edits were lost in 2 conflicts (5 writes)\n"))
    }

    @Test(arguments: [
        (["--record-type", "Card"], 1), (["--field", "x"], 1), (["--field", "x", "--field", "text"], 2), (["--device", "a"], 2),
        (["--device", "o"], 0),
        (["--kind", "insert_insert"], 1), (["--severity", "benign"], 0), (["--since", "2026-01-15T12:10:00Z"], 1),
        (["--until", "2026-01-15T12:10:00Z"], 1), (["--since", "2026-01-16"], 0), (["--until", "2026-01-15"], 2),
        (["--record-type", "Card", "--field", "text"], 0),
    ]) func filtersNarrowTheReport(options: [String], conflicts: Int) throws {
        let world = TestWorld()
        #expect(
            SyncAudit.run(arguments: ["report", "--format", "json", directory.file("log.jsonl")] + options, context: world.context)
                == .success)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(world.output.bytes)) as? [String: Any])
        let proven = try #require(object["proven"] as? [String: Any])
        #expect(proven["conflicts"] as? Int == conflicts || proven["total"] as? Int == conflicts, "\(proven.keys.sorted())")
    }

    @Test func coloursAreForTerminals() {
        #expect(!report().contains("\u{1b}["))
        let terminal = TestWorld()
        terminal.terminals.output = true
        #expect(report(world: terminal).contains("\u{1b}["))
        let plain = TestWorld()
        plain.terminals.output = true
        plain.environment["NO_COLOR"] = "1"
        #expect(!report(world: plain).contains("\u{1b}["))
        #expect(report("--color", "always").contains("\u{1b}["))
    }

    @Test func nothingInTheDataActsOnTheTerminal() {
        let text = report()
        #expect(text.contains("\\u{202e}evil"))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202e })
    }

    @Test func anEmptyLogOnStandardInputIsAReportOfNothing() throws {
        let world = TestWorld()
        var context = world.context
        let null = unsafe open("/dev/null", O_RDONLY)
        defer { close(null) }
        context.standardInput = null
        #expect(SyncAudit.run(arguments: ["report", "-"], context: context) == .success)
        #expect(world.output.text.contains("No conflicts"))
    }

    @Test(arguments: [["report"], ["report", "--all"], ["report", "--format", "markdown"], ["report", "--format", "html"]])
    func aMassEffectComesRightBelowTheHeadline(_ arguments: [String]) throws {
        let cards = (1...20).map { Trace.put("phone", $0, at: $0, "\($0)", #"{"name":"\#($0)"}"#) }
        let wipe = (1...20).map { Trace.delete("pad", $0, at: 3600, "\($0)", saw: "{}") }
        let log = try directory.create("mass.jsonl", (cards + wipe).joined() + Trace.clash())
        let world = TestWorld()
        #expect(world.run(arguments + [log]) == .success)
        let words = world.output.text.replacing(#/\s+/#, with: " ").replacing("\\", with: "")
        #expect(words.contains("pad deleted 20 of the 20 records there were in one sync, 2026-01-15 15:00:00 UTC"))
        let (alarm, note) = (words.firstRange(of: "pad deleted"), words.firstRange(of: "All 42 writes"))
        #expect(alarm.map { alarm in note.map { alarm.lowerBound < $0.lowerBound } ?? false } ?? false)
        let filtered = TestWorld()
        #expect(filtered.run(arguments + ["--device", "phone", log]) == .success)
        #expect(!filtered.output.text.contains("in one sync"))
        // The definition is that of check, which says where.
        let check = TestWorld()
        _ = check.run("check", log)
        #expect(check.output.text.contains("pad deleted 20 of the 20 records there were in one sync"))
    }

    @Test(arguments: [["report"], ["report", "--all"], ["report", "--format", "markdown"], ["report", "--format", "html"]])
    func aReportSaysWhereNoLookWasTaken(_ arguments: [String]) throws {
        func words(_ output: String) -> String {
            output.replacing(#/\s+/#, with: " ").replacing("&#58;", with: ":").replacing("&#39;", with: "'")
        }
        let trace = Trace.clash()
        let (audit, piped) = (TestWorld(), TestWorld())
        #expect(audit.run("audit", try directory.create("few.jsonl", trace)) == .success)
        let conflicts = audit.output.text
        // An overview has no room for a sentence, but a command to go on with.
        let isOverview = arguments == ["report"]
        let look = isOverview ? "mass effects, not looked for here" : "No look was taken for mass effects and alternating winners"
        try piped.pipe(conflicts + trace)
        #expect(piped.run(arguments + ["-"]) == .success)
        #expect(words(piped.output.text).contains(look))
        let whole = TestWorld()
        #expect(whole.run(arguments + [try directory.create("whole.jsonl", conflicts + trace)]) == .success)
        #expect(!words(whole.output.text).contains("look was taken") && !whole.output.text.contains("not looked for"))
        let log = TestWorld()
        #expect(log.run(arguments + [try directory.create("conflicts.jsonl", conflicts)]) == .success)
        let sentence = "No look was taken for mass effects, of which only lines of writes tell: 'syncaudit check'"
        #expect(words(log.output.text).contains(sentence) != isOverview && !log.output.text.contains("not looked for"))
    }

    /// The other forms are among the histories.
    @Test func aReportSaysThatNoLookIsTakenThroughALongLog() throws {
        try LongLogCheck().saysThatNoLookIsTaken(["report", "--all", "--lenient"], filler: #"{"event":"log"}"#)
    }

    @Test func aLowScreenGetsFewerLines() throws {
        let trace = (1...6).map { number in
            Trace.put("a", number, at: number, "\(number)", #"{"f\#(number)":1}"#)
                + Trace.put("b", number, at: 90, "\(number)", #"{"f\#(number)":2}"#)
        }.joined()
        let audit = TestWorld()
        #expect(audit.run("audit", "--statistics", try directory.create("low.jsonl", trace)) == .success)
        let log = try directory.create("low-log.jsonl", audit.output.text)
        let counts = [24, 20].map { lines in
            let world = TestWorld()
            var context = world.context
            context.reportedHeight = { lines }
            #expect(SyncAudit.run(arguments: ["report", log], context: context) == .success, "\(world.errorText)")
            return world.output.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
        #expect(counts[0] > 19 && counts[0] <= 23 && counts[1] <= 19, "\(counts)")
    }

    @Test(arguments: [(80, 24), (100, 24), (200, 50)])
    func theOverviewLeavesALineForTheShell(columns: Int, lines: Int) throws {
        let value = #"["\#(String(repeating: "long ", count: 20))"]"#
        let wipe = (1...20).map {
            Trace.put("phone", $0, at: $0, "\($0)", #"{"v":1}"#) + Trace.delete("pad", $0, at: 3600, "\($0)", saw: "{}")
        }
        let clashes = (30...60).map { number in
            Trace.put("a", number, at: number, "\(number)", #"{"f\#(number)":\#(value)}"#)
                + Trace.put("b", number, at: 90, "\(number)", #"{"f\#(number)":\#(value.dropLast(9))"]}"#)
        }
        let trace = try directory.create("long.jsonl", (wipe + clashes).joined())
        let audit = TestWorld()
        #expect(audit.run("audit", trace) == .success)
        let log = try directory.create("long-log.jsonl", audit.output.text)
        let world = TestWorld()
        var context = world.context
        context.reportedWidth = { columns }
        context.reportedHeight = { lines }
        #expect(SyncAudit.run(arguments: ["report", log, trace], context: context) == .success, "\(world.errorText)")
        #expect(
            world.output.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= min(23, lines - 1),
            "\(world.output.text)")
        #expect(world.output.text.contains("• ") && world.output.text.contains("syncaudit report --all"))
    }
}
