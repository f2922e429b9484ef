import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

@Suite struct ShowVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func oneConflictOnOneScreen() throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        #expect(world.run("show", id, story.log, story.trace) == .success, Comment(rawValue: world.errorText))
        let files = "\(story.log) \(story.trace)"
        #expect(
            world.output.text == """
                Card/42.phone \(id)
                lossy, proven, update_update, policy lastWriterWins
                iPad's edit was lost because iPhone's was 19 s newer; neither had seen the
                other.

                Timeline  ○ lost  ● shown  ◆ seen by both
                  iPad    ────────────────────────────────────────────────────○────────────────
                  iPhone  ────────────────────────────────────────────────────────────────────●
                  Mac     ◆────────────────────────────────────────────────────────────────────
                          2026-01-15 14:00:00.000                       2026-01-15 14:01:19.000
                  iPad's write 1 had seen Mac up to 1
                  iPhone's write 1 had seen Mac up to 1

                both had seen              lost: iPad                 shown: iPhone
                "+1-555-0000"              "+1-555-«1234»"            "+1-555-«9876»"

                Lost: 4 characters of text.
                Get it back: syncaudit restore \(id) \(files)

                """)
        let lines = world.output.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24)
        // All but the command line, which is there to be copied, fit.
        #expect(lines.filter { !$0.hasPrefix("Get it back") }.allSatisfy { $0.count <= 80 })
    }

    /// A form that was saved whole names what its writer was shown; with the trace, whose value that is.
    @Test(arguments: [("A", "A's \"t\""), ("B", "its own \"t\"")]) func whoseValueWasRepeated(author: String, named: String) throws {
        let writes = [
            (author, 1, #"{"title":"t","body":"b"}"#, "{}"), ("B", 2, #"{"title":"t","body":"of B"}"#, #"{"\#(author)":1}"#),
            ("A", 3, #"{"title":"of A"}"#, #"{"\#(author)":1}"#),
        ]
        let lines = writes.enumerated().map { index, write in
            #"{"event":"write","ts":"2026-01-15T14:0\#(index):00Z","device":"\#(write.0)","n":\#(write.1),"recordType":"Card","#
                + #""recordID":"9","op":"put","fields":\#(write.2),"seen":\#(write.3)}"# + "\n"
        }
        let (trace, log) = (try directory.path(lines.joined(), as: "trace.jsonl"), directory.file("log.jsonl"))
        #expect(world.run("audit", "-o", log, trace) == .success)
        let (whole, alone) = (TestWorld(), TestWorld())
        #expect(whole.run("show", try TestWorld.id(in: log), log, trace) == .success)
        #expect(whole.output.text.contains("Nothing was lost: B only saved again \(named), which A had seen"), "\(whole.output.text)")
        #expect(alone.run("show", try TestWorld.id(in: log), log) == .success)
        #expect(alone.output.text.contains("Nothing was lost: B only saved again what both had seen"))
    }

    @Test func theBeginningOfTheIDIsEnoughInEitherCase() throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        #expect(world.run("show", String(id.prefix(3)).uppercased(), story.log) == .success)
        #expect(world.output.text.contains(id))
        #expect(
            world.output.text.contains("only the line of a write\n  tells: name the trace or the device's log too\n"),
            "\(world.output.text)")
    }

    @Test(arguments: [50, 60, 70, 80]) func nothingButValuesIsCutOnNarrowScreens(_ columns: Int) throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        world.reportedWidth = columns
        #expect(world.run("show", id, story.log, story.trace) == .success)
        let lines = world.output.text.components(separatedBy: "both had seen")[0].split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns && !$0.contains("…") }, "\(world.output.text)")
        #expect(lines.contains { $0.contains("14:00") && $0.contains("14:01") })
    }

    @Test func aBeginningOfSeveralListsThem() throws {
        let many = (0..<40).map {
            Trace.put("a", $0 + 1, at: 0, "\($0)", #"{"v":1}"#) + Trace.put("b", $0 + 1, at: 9, "\($0)", #"{"v":2}"#)
        }
        let story = try Story(directory, trace: many.joined())
        let ids = TestWorld()
        #expect(ids.run("tail", "-n", "100", "--format", "json", story.log) == .success)
        let first = try #require(
            Dictionary(grouping: try ids.lines.compactMap { $0["id"]?.string?.prefix(1) }, by: \.self).first { $0.value.count > 1 })
        #expect(world.run("show", String(first.key), story.log) == .usage)
        #expect(world.output.text == "")
        #expect(world.errorText.split(separator: "\n").count == first.value.count + 2)
        #expect(world.errorText.contains("is the beginning of \(first.value.count) conflicts"))
    }

    @Test(arguments: [
        (["xyz"], "is no id of a conflict"), ([], "the conflict is missing"), (["01234567890123456"], "is no id of a conflict"),
        (["-"], "is no id of a conflict"),
    ])
    func whatIsNoID(operands: [String], complaint: String) throws {
        try world.pipe("")
        #expect(world.run(["show"] + operands) == .usage)
        #expect(world.errorText.contains(complaint))
    }

    @Test func aConflictThatIsNotThere() throws {
        let story = try Story(directory)
        #expect(world.run("show", "0000000000000000", story.log) == .noInput)
        #expect(world.errorText.contains("none of the 1 line of conflicts has it"))
        let other = TestWorld()
        #expect(other.run("show", "00", story.trace) == .noInput)
        #expect(other.errorText.contains("'syncaudit audit FILE | syncaudit show 00 - FILE' looks for conflicts first"))
    }

    @Test func whatComesThroughAPipeIsReadTwice() throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let text = (directory.content("log.jsonl") ?? "") + (directory.content("trace.jsonl") ?? "")
        _ = unsafe text.utf8CString.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count - 1) }
        close(ends[1])
        let piped = TestWorld()
        var context = piped.context
        context.standardInput = ends[0]
        #expect(SyncAudit.run(arguments: ["show", id], context: context) == .success, Comment(rawValue: piped.errorText))
        close(ends[0])
        #expect(piped.output.text.contains("iPad's write 1 had seen Mac up to 1"))
        #expect(piped.output.text.contains("restore \(id) -"))
    }

    @Test func theSameAsJSON() throws {
        let story = try Story(directory)
        #expect(world.run("show", "--format", "json", try TestWorld.id(in: story.log), story.log, story.trace) == .success)
        let line = try #require(try world.lines.first)
        #expect(line["conflict"]?.object?["loser"]?.object?["value"] == "+1-555-1234")
        #expect(line["explanation"]?.object?["evidence"] == "neither had seen the other")
        #expect(line["recoverability"] == "available")
        #expect(line["charactersLost"] == 4)
        #expect(line["timeline"]?.array?.compactMap { $0.object?["role"]?.string } == ["ancestor", "loser", "winner"])
    }

    @Test func byHowMuchEachWasMadeBeforeTheHubHadTheOther() throws {
        func line(_ device: String, _ made: String, _ received: String) -> String {
            #"{"event":"write","ts":"2026-01-15T14:\#(made)Z","device":"\#(device)","n":1,"received":"2026-01-15T14:\#(received)Z","recordType":"Note""#
                + #","recordID":"1","op":"put","fields":{"v":"\#(device)"}}"# + "\n"
        }
        let story = try Story(directory, trace: line("phone", "00:00", "45:00") + line("tablet", "20:00", "20:30"))
        #expect(world.run("show", try TestWorld.id(in: story.log), story.log, story.trace) == .success)
        let sentence =
            "suspected: tablet's was made 25 min before phone's reached the hub, and phone's 20 min 30 s before tablet's did."
        #expect(world.output.text.replacing("\n", with: " ").contains(sentence))
        let other = TestWorld()
        #expect(other.run("show", try TestWorld.id(in: story.log), story.log) == .success)
        #expect(other.output.text.replacing("\n", with: " ").contains("each was made before the hub had received the other"))
    }

    @Test func nothingInTheDataActsOnTheTerminal() throws {
        let name = #"\u001b[31m\u202e\u0007"#
        let trace =
            Trace.put(name, at: 0, name, #"{"\#(name)":"\#(name)"}"#, type: name)
            + Trace.put("b", at: 9, name, #"{"\#(name)":"x"}"#, type: name)
        let story = try Story(directory, trace: trace)
        for format in ["text", "json"] {
            #expect(world.run("show", "--format", format, try TestWorld.id(in: story.log), story.log, story.trace) == .success)
        }
        #expect(world.output.text.unicodeScalars.allSatisfy { $0.isHarmlessOnTerminal || $0 == "\n" })
    }
}
