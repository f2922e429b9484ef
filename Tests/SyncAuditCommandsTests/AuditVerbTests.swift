import Foundation
import SyncAuditCommands
import SyncModel
import Testing

@Suite struct AuditVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Audits a trace and returns the merged records, one JSON object each.
    private func state(of trace: String, _ options: String...) throws -> String? {
        let path = try directory.path(trace)
        #expect(world.run(["audit", path, "--state", directory.file("state")] + options) == .success, Comment(rawValue: world.errorText))
        return directory.content("state")
    }

    private func audit(_ trace: String, _ options: String...) throws -> [FieldMap] {
        #expect(world.run(["audit", try directory.path(trace)] + options) == .success, Comment(rawValue: world.errorText))
        return try world.lines
    }

    @Test func theStateIsTheSameInAnyOrder() throws {
        let lines = MemoryCheck.trace(records: 10, writes: 80)
        let states = try [lines, lines.reversed()].map { lines in
            let path = try directory.path(lines.joined())
            #expect(world.run("audit", path, "--state", directory.file("state")) == .success)
            return try #require(directory.content("state"))
        }
        #expect(states[0] == states[1] && !states[0].isEmpty)
    }

    @Test func aConflictIsOneLineOfOutputAndTheSumIsOnStandardError() throws {
        let lines = try audit(Trace.clash())
        #expect(lines.count == 1)
        #expect(lines.first?["kind"] == "insert_insert")
        #expect(lines.first?["severity"] == "lossy")
        #expect(lines.first?["basis"] == "causal")
        #expect(lines.first?["gapMs"] == 60_000)
        #expect(lines.first?["winner"]?.object?["value"] == 3)
        #expect(lines.first?["loser"]?.object?["device"] == "a")
        #expect(world.errorText == "syncaudit: 2 writes, 1 conflict; 1 edit lost\n")
    }

    @Test(arguments: [true, false]) func onATerminalAloneTheLastLineSaysHowToReadTheLines(isTerminal: Bool) throws {
        world.terminals.output = isTerminal
        let path = try directory.path(Trace.clash())
        let more =
            "syncaudit: to see it summed up, end the command with | syncaudit report; to see what was lost, with | syncaudit lost\n"
        #expect(world.run("audit", path) == .success)
        #expect(world.errorText.hasSuffix(more) == isTerminal)
        world.errorText = ""
        #expect(world.run("audit", path, "-o", directory.file("conflicts.jsonl")) == .success)
        #expect(!world.errorText.contains(more))
        world.errorText = ""
        #expect(world.run("audit", try directory.path(try #require(Trace.clash().split(separator: "\n").first) + "\n")) == .success)
        #expect(!world.errorText.contains(more))
    }

    @Test func whatCloudKitWouldNotTakeIsToldWithItsLine() throws {
        let long = String(repeating: "x", count: 1_100_000)
        _ = try audit(
            Trace.put("a", 1, at: 0, #"{"note":"short"}"#) + Trace.put("a", 2, at: 60, #"{"note":"\#(long)"}"#)
                + Trace.put("a", 3, at: 120, #"{"note":{"$truncated":70000000,"start":"Once"}}"#)
                + Trace.put("b", 1, at: 180, #"{"photo":{"$truncated":70000000,"start":"{\"$asset\":\"QUJD"}}"#))
        let notes = world.errorText.split(separator: "\n").dropFirst()
        #expect(notes.count == 2)
        #expect(notes.first?.contains("2 writes larger than a record (first at ") == true)
        #expect(notes.first?.contains(":2: ") == true && notes.first?.contains("was written with 1.1 MB") == true)
        #expect(notes.last?.contains("1 asset larger than one may be") == true && notes.last?.contains("has 52.5 MB") == true)
    }

    @Test func aSavedFormIsReadAsTheDifferenceToWhatItsWriterHadSeen() throws {
        let trace =
            Trace.put("a", 1, at: 0, #"{"name":"Ann","phone":"1"}"#)
            + Trace.put("a", 2, at: 60, #"{"name":"Anna","phone":"1"}"#, saw: #"{"a":1}"#)
            + Trace.put("b", 1, at: 90, #"{"name":"Ann","phone":"2"}"#, saw: #"{"a":1}"#)
        #expect(try audit(trace, "--whole-records").map { $0["kind"] } == ["disjoint_update"])
        #expect(
            world.errorText == """
                syncaudit: 3 writes, 1 conflict; no edit lost
                syncaudit: 1 conflict over different fields took nothing away if the server merges fields; where it keeps the record that came \
                last, add '--policy record-last-arrival-wins'

                """)
        #expect(try state(of: trace, "--whole-records-of", "Note")?.contains(#""fields":{"name":"Anna","phone":"2"}"#) == true)
        let misspelt = TestWorld()
        #expect(misspelt.run(["audit", try directory.path(trace), "--whole-records-of", "Notes"]) == .success)
        #expect(misspelt.errorText.contains("1 edit lost\nsyncaudit: --whole-records-of: nothing that was read has the type \"Notes\""))
    }

    @Test func auditedSavedFormsAreCheckedAndReplayedAsSavedForms() throws {
        let trace =
            Trace.put("a", 1, at: 0, #"{"name":"Ann","phone":"1"}"#)
            + Trace.put("a", 2, at: 60, #"{"name":"Anna","phone":"1"}"#, saw: #"{"a":1}"#)
            + Trace.put("b", 1, at: 90, #"{"name":"Ann","phone":"2"}"#, saw: #"{"a":1}"#)
        _ = try audit(trace, "--whole-records")
        let both = try directory.path(trace + world.output.text)
        #expect(TestWorld().run("check", "--whole-records", both) == .success)
        #expect(TestWorld().run("check", "--whole-records-of", "Note", both) == .success)
        #expect(TestWorld().run("check", both) == .success, "the log states it")
        let unstated = try directory.path(trace + world.found.joined(separator: "\n") + "\n", as: "unstated.jsonl")
        #expect(TestWorld().run("check", unstated) == .limitExceeded)
        let replay = TestWorld()
        #expect(replay.run("replay", "--whole-records", "--policy", "record-last-writer-wins", both) == .success)
        #expect(replay.output.text.contains("recorded: last-writer-wins          1     0\n"))
        #expect(replay.output.text.contains("A  record-last-writer-wins          1     1      0           1"))
        let rows = try directory.path(
            #"{"recordType":"Note","recordID":"1","fields":{"name":"Anna","phone":"2"}}"# + "\n", as: "rows.jsonl")
        let outcome = TestWorld()
        #expect(outcome.run("replay", "--whole-records", "--outcome", rows, both) == .success)
        #expect(outcome.output.text.contains("Note is merged per property"))
    }

    @Test func theStateSaysWhoEditedLastWhereThatIsAskedFor() throws {
        let trace =
            Trace.put("a", 1, at: 0, #"{"name":"Ada","visits":{"$counter":1}}"#)
            + Trace.put("b", 1, at: 30, #"{"visits":{"$counter":2}}"#, saw: #"{"a":1}"#)
            + Trace.put("a", 2, at: 20, #"{"visits":{"$counter":3}}"#, saw: #"{"a":1}"#)
            + Trace.put("a", 3, at: 40, "2", #"{"name":"Eve"}"#) + Trace.delete("a", 4, at: 50, "2", saw: #"{"a":3}"#)
        let plain = #"{"recordType":"Note","recordID":"1","fields":{"name":"Ada","visits":5}"#
        #expect(try state(of: trace, "--policy-for", "Note.visits=counter") == plain + "}\n")
        let latest = #""device":"b","n":1,"ts":"2026-01-15T14:00:30.000Z","counter":0"#
        #expect(
            try state(of: trace, "--policy-for", "Note.visits=counter", "--edited")
                == plain + #","edited":{\#(latest),"fields":{"name":{"device":"a","n":1,"ts":"2026-01-15T14:00:00.000Z","counter":0},"#
                + #""visits":{\#(latest)}}}}"# + "\n")
        // What it says of the edits is no part of an outcome.
        let replay = TestWorld()
        #expect(
            replay.run("replay", "--outcome", directory.file("state"), "--recorded-for", "Note.visits=counter", try directory.path(trace))
                == .success)
        #expect(replay.output.text.contains("Every row that was compared is explained"))
    }

    @Test func editsWithoutAStateAreAMistake() throws {
        #expect(world.run("audit", "--edited", try directory.path(Trace.clash())) == .usage)
        #expect(world.errorText.contains("--edited adds to what --state writes; name a file for that"))
    }

    static let impossibleTraces: [(trace: [String], note: String?)] = [
        ([Trace.put("a", at: 0, "1", "{}"), Trace.put("a", at: 0, "1", "{}")], nil),
        (
            [Trace.put("a", at: 0, "1", #"{"v":1}"#), Trace.put("a", at: 0, "2", #"{"v":1}"#)],
            "1 write with the device and number of another write, but another record or other content; of two to one record the first to arrive "
                + "was merged (first at TRACE:2)"
        ),
        (
            // By the time of the third, the first has been replaced.
            [
                Trace.put("a", at: 0, #"{"v":1}"#), Trace.put("a", 2, at: 1, #"{"v":2}"#, saw: #"{"a":1}"#),
                Trace.put("a", at: 2, #"{"v":1}"#), Trace.put("a", 2, at: 1, #"{"v":3}"#, saw: #"{"a":1}"#),
            ],
            "2 writes with the device and number of another write, but another record or other content; of two to one record the first to arrive "
                + "was merged (first at TRACE:3)"
        ),
        ([Trace.put("b", at: 0, "2", "{}"), Trace.put("a", at: 0, #"{"v":1}"#, saw: #"{"a":1}"#)], nil),
        (
            [
                Trace.put("a", at: 0, #"{"v":1}"#, saw: #"{"b":1}"#), Trace.put("b", at: 1, #"{"v":1}"#, saw: #"{"a":1}"#),
            ],
            "1 circle of writes that say to have seen each other, which cannot be true of all of them (first at TRACE:1: write 1 of a names "
                + "write 1 of b, which names write 1 of a)"
        ),
    ]

    @Test(
        arguments: impossibleTraces, 1...3)
    func dotCollisionsAndCirclesAreReportedOnStandardError(_ item: (trace: [String], note: String?), threads: Int) throws {
        let path = try directory.path(item.trace.joined())
        var context = world.context
        context.processors = threads
        #expect(SyncAudit.run(arguments: ["audit", path], context: context) == .success)
        let notes = world.errorText.split(separator: "\n").dropFirst().map(String.init)
        #expect(notes == (item.note.map { ["syncaudit: " + $0.replacingOccurrences(of: "TRACE", with: path)] } ?? []))
    }

    @Test func theTraceMayComeFromStandardInput() throws {
        try world.pipe(Trace.clash())
        #expect(world.run("audit") == .success)
        #expect(try world.lines.count == 1)
    }

    static let windows: [(window: String?, gap: Int, isWithin: Bool)] = [
        (nil, 300, true), (nil, 301, false), ("10m", 301, true), ("0", 1, false), ("0", 0, true),
    ]

    @Test(arguments: windows)
    func theWindowDecidesAboutTheLabelOnly(window: String?, gap: Int, isWithin: Bool) throws {
        let path = try directory.path(Trace.clash(after: gap))
        #expect(world.run(["audit", path] + (window.map { ["--window", $0] } ?? [])) == .success)
        #expect(try world.only("withinWindow") == .bool(isWithin))
        let expected: FieldValue = window == nil ? 300_000 : window == "0" ? 0 : 600_000
        #expect(try world.only("windowMs") == expected)
    }

    static let distances: [(window: String?, gap: Int, count: Int)] = [
        (nil, 300, 1), (nil, 301, 0), ("6m", 301, 1), ("0", 1, 0),
    ]

    @Test(arguments: distances)
    func withoutVersionVectorsTheWindowDecidesWhatIsSuspected(window: String?, gap: Int, count: Int) throws {
        let path = try directory.path(Trace.clash(after: gap, saw: nil))
        #expect(world.run(["audit", path] + (window.map { ["--window", $0] } ?? [])) == .success)
        #expect(try world.lines.map { $0["basis"] } == Array(repeating: "window", count: count))
        if count > 0 { #expect(world.errorText.contains("1 conflict, suspected (by clocks alone); 1 edit may have been lost")) }
    }

    @Test(arguments: [
        ("last-writer-wins", "3"), ("first-writer-wins", "5"), ("maximum", "5"), ("minimum", "3"), ("manual", "3"),
        ("prefer-devices:a", "5"), ("prefer-devices:c,b,a", "3"), ("record-last-writer-wins", "3"),
    ])
    func thePolicyDecidesWhatIsShown(policy: String, value: String) throws {
        for options in [["--policy", policy], ["--policy-for", "Note=" + policy]] {
            let path = try directory.path(Trace.clash())
            #expect(world.run(["audit", path, "--state", directory.file("state")] + options) == .success)
            #expect(directory.content("state") == #"{"recordType":"Note","recordID":"1","fields":{"v":\#(value)}}"# + "\n")
        }
        let line = try #require(try world.lines.first)
        #expect(line["resolution"] == (policy == "manual" ? "manual_pending" : value == "5" ? "keep_local" : "apply_remote"))
        #expect((line["field"] == nil) == policy.hasPrefix("record-"))
    }

    @Test func countersAndSetsKeepWhatBothSidesDid() throws {
        let trace =
            Trace.put("a", at: 0, #"{"n":{"$counter":2},"tags":{"$add":["x"]}}"#)
            + Trace.put("b", at: 9, #"{"n":{"$counter":2},"tags":{"$add":["y"]}}"#)
        let state = try state(of: trace, "--policy-for", "Note.n=counter", "--policy-for", "Note.tags=set")
        #expect(state == #"{"recordType":"Note","recordID":"1","fields":{"n":4,"tags":["x","y"]}}"# + "\n")
        let lines = try world.lines
        // Equal totals are not the same wish: both were counted.
        #expect(lines.map { $0["severity"] } == ["merged", "merged"])
        #expect(lines.map { $0["resolution"] } == ["merged", "merged"])
        #expect(lines.map { $0["result"] } == [4, ["x", "y"]])
        #expect(world.errorText.contains("no edit lost"))
    }

    @Test func ofTwoNumbersThatACounterIsSetToAtOnceOneIsLost() throws {
        let lines = try audit(Trace.clash(), "--policy", "counter")
        #expect(lines.map { $0["severity"] } == ["lossy"])
        #expect(lines.first?["result"] == nil)
    }

    @Test func aPolicyOfOneFieldLeavesTheOthersAlone() throws {
        let trace = Trace.put("a", at: 0, #"{"v":5,"w":5}"#) + Trace.put("b", at: 9, #"{"v":3,"w":3}"#)
        #expect(try state(of: trace, "--policy-for", "Note.w=maximum")?.contains(#""fields":{"v":3,"w":5}"#) == true)
    }

    @Test(arguments: [["Note=record-last-writer-wins", "Note.v=maximum"], ["Note.v=newest"], ["Note"]])
    func policiesThatContradictThemselvesAreWrongUsage(assignments: [String]) throws {
        let path = try directory.path(Trace.clash())
        #expect(world.run(["audit", path] + assignments.flatMap { ["--policy-for", $0] }) == .usage)
        #expect(world.output.text == "")
        #expect(world.errorText.hasPrefix("syncaudit: --policy-for"))
    }

    @Test(arguments: [("delete-wins", false), ("edit-wins", true), ("last-writer-wins", true)], [10, -10])
    func deletesMeetEditsByTheRule(rule: (name: String, isAlive: Bool), editedAt: Int) throws {
        let trace =
            Trace.put("a", at: -99, #"{"v":1}"#) + Trace.delete("b", at: 0, saw: #"{"a":1}"#)
            + Trace.put("c", at: editedAt, #"{"v":2}"#, saw: #"{"a":1}"#)
        let isAlive = rule.name == "last-writer-wins" ? editedAt > 0 : rule.isAlive
        #expect(try state(of: trace, "--deletes", rule.name)?.isEmpty == !isAlive)
        #expect(try world.only("kind") == "delete_update")
        #expect(try world.only("severity") == (isAlive ? "lossy" : "destructive"))
    }

    @Test func conflictsOutsideTheWindowMayBeCountedOnly() throws {
        let near = Trace.put("a", at: 0, "2", #"{"v":1}"#) + Trace.put("c", at: 1, "2", #"{"v":2}"#)
        let lines = try audit(Trace.clash(after: 301) + near, "--outside-window", "count")
        #expect(lines.map { $0["event"] } == ["conflict", "statistics"])
        #expect(lines.last?["total"] == 2)
        #expect(lines.last?["outsideWindow"] == 1)
        #expect(lines.last?["writesObserved"] == 4)
        #expect(world.errorText.contains("1 outside the window counted but not written"))
    }

    @Test func statisticsEndTheOutputAndCarryTheDateOfTheLastWrite() throws {
        let lines = try audit(Trace.put("a", at: -2_000_000_000, #"{"v":1}"#), "--statistics")
        #expect(lines.map { $0["event"] } == ["statistics"])
        #expect(lines.first?["ts"] == "1962-08-31T10:26:40.000Z")
        #expect(lines.first?["writesObserved"] == 1)
    }

    @Test func uniqueFieldsAndReferencesAreWatchedWhereDeclared() throws {
        let trace =
            Trace.put("a", at: 0, "1", #"{"mail":"x","owner":"p"}"#) + Trace.put("b", at: 9, "2", #"{"mail":"x"}"#)
            + Trace.put("c", at: 1, "p", #"{"name":"P"}"#, type: "Person") + Trace.delete("d", at: 5, "p", type: "Person", saw: #"{"c":1}"#)
        #expect(try audit(trace).isEmpty)
        let lines = try audit(trace, "--unique", "Note.mail", "--reference", "Note.owner=Person")
        #expect(lines.map { $0["kind"] } == ["unique_key", "dangling_reference"])
        #expect(lines.map { $0["related"]?.object?["recordID"] } == ["2", "p"])
    }

    @Test func withoutVersionVectorsOnlyCloseWritesBreakConstraints() throws {
        let trace =
            Trace.put("a", at: 0, "1", #"{"mail":"x"}"#, saw: nil) + Trace.put("b", at: 299, "2", #"{"mail":"x"}"#, saw: nil)
            + Trace.put("c", at: 600, "3", #"{"mail":"x"}"#, saw: nil)
        let lines = try audit(trace, "--unique", "Note.mail")
        #expect(lines.map { $0["related"]?.object?["recordID"] } == ["2"])
        #expect(lines.map { $0["basis"] } == ["window"])
    }

    @Test func valuesAreLeftOutWhereAsked() throws {
        let trace = Trace.put("a", at: 0, #"{"v":"secret","w":1}"#) + Trace.put("b", at: 9, #"{"v":"secret too","w":2}"#)
        #expect(try audit(trace, "--privacy", "omitted").count == 2)
        #expect(!world.found.joined().contains("value") && !world.output.text.contains("secret"))
        let before = world.output.text.utf8.count
        _ = try audit(trace, "--privacy", "Note.v=omitted")
        let text = String(decoding: world.output.bytes.dropFirst(before), as: UTF8.self)
        #expect(!text.contains("secret") && text.contains(#""value":2"#))
    }

    @Test func theStateIsSortedAndSpareAndDeletedRecordsAreAbsent() throws {
        let trace =
            Trace.put("a", at: 0, "10", #"{"z":1,"é":{"b":1,"a":[1.50,"\u001b"]},"gone":null}"#) + Trace.put("a", 2, at: 0, "2", "{}")
            + Trace.put("a", 3, at: 0, "1", #"{"v":1}"#, type: "A") + Trace.put("a", 4, at: 0, "3", #"{"v":1}"#)
            + Trace.delete("a", 5, at: 1, "3", saw: #"{"a":4}"#)
        #expect(
            try state(of: trace) == """
                {"recordType":"A","recordID":"1","fields":{"v":1}}
                {"recordType":"Note","recordID":"10","fields":{"z":1,"é":{"a":[1.50,"\\u001b"],"b":1}}}
                {"recordType":"Note","recordID":"2","fields":{}}

                """)
    }

    @Test func writesThatShareANameAreNotedWithTheFirstPlace() throws {
        let first = Trace.put("a", at: 0, #"{"v":1}"#)
        let lines = try audit(first + first + Trace.put("b", at: 1, #"{"w":1}"#) + Trace.put("a", at: 0, #"{"v":2}"#))
        #expect(lines.map { $0["kind"] } == ["disjoint_update"])
        #expect(world.errorText.contains("1 write with the device and number of another write"))
        #expect(world.errorText.contains("trace.jsonl:4)"))
    }
}
