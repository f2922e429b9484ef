import Foundation
import SyncAuditCommands
import SyncModel
import Testing

@Suite struct ReportVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()
    private let log: String

    /// A log with a conflict of each sort on three days: an edit lost, the same value twice, different fields, a delete over an edit.
    init() throws {
        directory = try TemporaryDirectory()
        let day = 86_400
        let base = Trace.put("o", at: -99, "4", #"{"v":0}"#)
        let trace =
            Trace.clash() + Trace.put("a", 2, at: day, "2", #"{"v":7}"#, type: "Card")
            + Trace.put("c", at: day + 9, "2", #"{"v":7}"#, type: "Card") + Trace.put("a", 3, at: 2 * day, "3", #"{"v":1}"#)
            + Trace.put("d", at: 2 * day + 999, "3", #"{"w":1}"#) + base + Trace.delete("b", 2, at: 0, "4", saw: #"{"o":1}"#)
            + Trace.put("e", at: 1, "4", #"{"v":1}"#, saw: #"{"o":1}"#)
        let maker = TestWorld()
        try maker.pipe(trace)
        try #require(maker.run("audit", "--statistics") == .success)
        log = try directory.path(maker.output.text, as: "log.jsonl")
    }

    private func summary(_ options: [String]) throws -> FieldMap {
        let world = TestWorld()
        #expect(world.run(["report", "--format", "json", log] + options) == .success, Comment(rawValue: world.errorText))
        return try #require(try world.lines.first)
    }

    static let filters: [(options: [String], count: Int64)] = [
        ([], 4), (["--since", "2026-01-16"], 2), (["--until", "2026-01-16"], 3), (["--since", "2026-01-16", "--until", "2026-01-16"], 1),
        (["--until", "2026-01-15T14:01:00Z"], 1), (["--since", "2026-01-17T14:16:39Z"], 1),
        (["--device", "a"], 3), (["--device", "b"], 2), (["--device", "c", "--device", "d"], 2), (["--device", "o"], 0),
        (["--record-type", "Card"], 1), (["--record-type", "Note"], 3), (["--record-type", "Card", "--record-type", "Note"], 4),
        (["--field", "v"], 3), (["--field", "w"], 0), (["--kind", "insert_insert"], 2), (["--kind", "disjoint_update"], 1),
        (["--kind", "delete_update", "--kind", "disjoint_update"], 2), (["--severity", "lossy"], 1),
        (["--severity", "lossy", "--severity", "destructive"], 2), (["--severity", "lossy", "--record-type", "Card"], 0),
    ]

    @Test(arguments: filters)
    func filtersOfOneNameWidenAndOfDifferentNamesNarrow(options: [String], count: Int64) throws {
        #expect(try summary(options)["conflicts"]?.integer == count)
    }

    @Test func aRelativeMomentIsCountedFromNow() throws {
        // The world's clock stands at 2026-01-15T18:00:00Z.
        #expect(try summary(["--since", "3h59m"])["conflicts"] == 3)
        #expect(try summary(["--until", "3h59m"])["conflicts"] == 1)
    }

    @Test func theSummaryCountsWhatTheLogHolds() throws {
        let summary = try summary([])
        #expect(summary["editsLost"] == 2)
        #expect(summary["writesObserved"] == 9)
        #expect(summary["proven"]?.object?["byKind"]?.object?["insert_insert"] == 2)
        #expect(summary["suspected"]?.object?["conflicts"] == 0)
    }

    @Test func theTableAnswersInTheOrderOfTheQuestions() throws {
        #expect(world.run("report", "--all", log) == .success)
        let text = world.output.text
        #expect(text.hasPrefix("2 edits were lost in 4 conflicts (9 writes)\n2026-01-15 to 2026-01-17 (UTC), 5 devices, 4 records\n"))
        let titles = [
            "Edits lost by field", "Edits lost by losing device", "Proven and suspected", "Time window", "By kind", "By severity",
            "By record type", "By field", "By winning device", "By losing device", "By reason", "Who beats whom", "Time between",
            "By day (UTC)", "Most contested records", "Decided by suspect clocks",
        ]
        let places = titles.map { text.range(of: "\n\n" + $0)?.lowerBound }
        #expect(!places.contains(nil))
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(world.errorText == "")
    }

    @Test(arguments: [40, 60, 80, 120]) func noLineIsWiderThanTheTerminal(width: Int) throws {
        world.environment["COLUMNS"] = String(width)
        #expect(world.run("report", log) == .success)
        #expect(world.output.text.split(separator: "\n").allSatisfy { $0.count <= width })
        let all = TestWorld()
        all.environment["COLUMNS"] = String(width)
        #expect(all.run("report", "--all", log) == .success)
        #expect(all.output.text.split(separator: "\n").allSatisfy { $0.count <= width })
    }

    @Test func aReportIsOneScreenWithLossesInWords() throws {
        #expect(world.run("report", log) == .success)
        let lines = world.output.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 25)
        #expect(lines.count { $0.hasPrefix("• ") } == 2)
        #expect(world.output.text.contains("'s ") && world.output.text.contains("Edits lost by field"))
        #expect(world.output.text.contains("syncaudit report --all "))
    }

    @Test func topShortensTheListsAndSaysWhatIsLeftOut() throws {
        #expect(world.run("report", "--all", "--top", "1", log) == .success)
        #expect(world.output.text.contains("3 others"))

        #expect(world.run("report", "--top", "0", log) == .usage)
    }

    static let places: [(isTerminal: Bool, options: [String], environment: [String: String], hasColours: Bool)] = [
        (true, [], [:], true), (false, [], [:], false), (true, ["--color", "never"], [:], false),
        (false, ["--color", "always"], [:], true),
        (true, [], ["NO_COLOR": "1"], false), (true, [], ["TERM": "dumb"], false), (true, ["--color=always"], ["NO_COLOR": "1"], true),
        (true, ["--format=json"], [:], false),
    ]

    @Test(arguments: places)
    func coloursAreForTerminals(isTerminal: Bool, options: [String], environment: [String: String], hasColours: Bool) {
        world.terminals.output = isTerminal
        world.environment = environment
        #expect(world.run(["report", log] + options) == .success)
        #expect(world.output.text.contains("\u{1b}[") == hasColours)
    }

    @Test func aFileHasNoColoursThoughTheCommandRunsAtATerminal() throws {
        world.terminals.output = true
        #expect(world.run("report", log, "--output", directory.file("report.txt")) == .success)
        #expect(directory.content("report.txt")?.hasPrefix("2 edits were lost") == true)
        #expect(world.output.text == "")
        #expect(world.run("report", log, "--output", log) == .usage)
    }

    @Test func nothingOnStandardInputIsAReportOfNothing() throws {
        try world.pipe("")
        #expect(world.run("report") == .success)
        #expect(world.output.text == "No conflicts and no writes: there is nothing to report yet\n")
    }

    @Test func aFilterThatNothingPassesIsNamed() {
        #expect(world.run("report", log, "--device", "nobody\u{1b}") == .success)
        #expect(world.output.text == "No conflicts pass the filter: device nobody\\u{1b}\n")
    }

    @Test func writesAreCountedWhereTheLogHoldsThem() throws {
        let peace = try directory.path(Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("b", at: 60, #"{"v":3}"#, saw: #"{"a":1}"#))
        let maker = TestWorld()
        try #require(maker.run("audit", "--statistics", peace) == .success)
        try world.pipe(maker.output.text)
        #expect(world.run("report", "-", peace) == .success)
        #expect(world.output.text == "No conflicts in 2 writes: nothing was lost\nAll 2 writes say what their writer had seen\n")
    }

    @Test func whatIsOnlySuspectedIsNeverCalledLost() throws {
        let maker = TestWorld()
        try maker.pipe(Trace.clash(saw: nil))
        try #require(maker.run("audit") == .success)
        try world.pipe(maker.output.text)
        #expect(world.run("report", "--all") == .success)
        #expect(world.output.text.hasPrefix("1 edit may have been lost in 1 suspected conflict\n"))
        #expect(world.output.text.contains("none proven, 1 suspected"))
        let screen = TestWorld()
        try screen.pipe(maker.output.text)
        #expect(screen.run("report") == .success)
        #expect(screen.output.text.contains("• perhaps: ") && screen.output.text.contains("every value perhaps lost"))
    }

    @Test func severalLogsAddUp() throws {
        let copy = try directory.path(directory.content("log.jsonl") ?? "", as: "copy.jsonl")
        #expect(world.run("report", "--format=json", "--all-copies", log, copy) == .success)
        #expect(try world.only("conflicts") == 8)
        let once = TestWorld()
        #expect(once.run("report", "--format=json", log, copy) == .success)
        #expect(try once.only("conflicts") == 4)
    }
}
