import CommandWorld
import SyncModel
import TemporaryDirectory
import Testing

@testable import SyncAuditCommands

/// The names of records in the lines of conflicts, and what verbs make of them.
@Suite struct RecordNameVerbTests {
    private let directory: TemporaryDirectory

    private static let trace =
        Trace.put("a", 1, at: 0, #"{"title":"Plan","body":"x"}"#) + Trace.put("b", 1, at: 40, #"{"body":"y"}"#, saw: #"{"a":1}"#)
        + Trace.put("a", 2, at: 60, #"{"body":"z"}"#, saw: #"{"a":1}"#)

    init() throws { directory = try TemporaryDirectory() }

    private func audited(_ arguments: [String] = ["--name", "Note=title"], trace: String = trace) throws -> TestWorld {
        let world = TestWorld()
        #expect(world.run(["audit"] + arguments + [try directory.create("writes.jsonl", trace)]) == .success)
        return world
    }

    @Test(arguments: [["--name", "Note=title"], ["--name", "Note.title"], ["--name", "title"]])
    func anAuditWritesTheName(arguments: [String]) throws {
        #expect(try audited(arguments).only("name") == ["field": "title", "value": "Plan"])
        #expect(try audited([]).only("name") == nil)
    }

    @Test func theRulesNameTheFieldToo() throws {
        let configuration = try directory.create(".syncaudit.json", #"{"types": {"Note": {"name": "title"}}}"#)
        let world = try audited(["--config", configuration])
        #expect(try world.only("name") == ["field": "title", "value": "Plan"])
        #expect(world.output.text.contains(#""types":{"Note":{"name":"title"}}"#))
    }

    @Test(arguments: ["omitted", "Note.title=omitted", "title=omitted"]) func whatMayNotBeWrittenIsNoName(privacy: String) throws {
        let world = try audited(["--name", "Note=title", "--privacy", privacy])
        #expect(try world.only("name") == nil && !world.output.text.contains("Plan"))
        #expect(try audited(["--name", "Note=title", "--privacy", "body=omitted"]).only("name") != nil)
    }

    @Test func aFieldThatIsNotThereIsTold() throws {
        let world = try audited(["--name", "Note=titel"])
        #expect(
            world.errorText.contains(#"--name: nothing that was read has the field "Note.titel"; the most similar name is "Note.title""#))
    }

    @Test(arguments: [
        ["report"], ["report", "--all"], ["report", "--format", "markdown"], ["report", "--format", "html"], ["tail"], ["lost"], ["show"],
    ]) func theNameIsShownWhereTheLogHoldsNothingElse(arguments: [String]) throws {
        let log = try directory.create("log.jsonl", try audited().output.text)
        let id = arguments == ["show"] ? [try TestWorld.id(in: log)] : []
        let world = TestWorld()
        #expect(world.run(arguments + id + [log]) == .success)
        let text = world.output.text.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
        #expect(text.contains(#"Note "Plan""#))
        let nameless = TestWorld()
        #expect(nameless.run(arguments + id + [try directory.create("other.jsonl", try audited([]).output.text)]) == .success)
        #expect(!nameless.output.text.contains("Plan"))
    }

    @Test func otherProgramsGetTheName() throws {
        let log = try directory.create("log.jsonl", try audited().output.text)
        let lost = TestWorld()
        #expect(lost.run("lost", "--format", "json", log) == .success)
        #expect(lost.output.text.contains(#""recordID":"1","name":"Plan","field":"body""#))
        let show = TestWorld()
        #expect(show.run("show", "--format", "json", try TestWorld.id(in: log), log) == .success)
        #expect(show.output.text.contains(#""name":{"field":"title","value":"Plan"}"#))
        let summary = TestWorld()
        #expect(summary.run("report", "--format", "summary", log) == .success)
        #expect(!summary.output.text.contains("Plan"), "a summary tells no values")
    }

    @Test func aNameOfATableIsThatOfTheRow() throws {
        let rows = """
            id,version,base,device,edited,title,body
            1,1,,a,2026-01-15T14:00:00Z,Plan,x
            1,2,1,b,2026-01-15T14:01:00Z,Plan,y
            1,3,1,a,2026-01-15T14:02:00Z,Plan,z

            """
        let table = try directory.create("notes.csv", rows)
        let world = TestWorld()
        let map = ["--map", "recordID=id,version=version,base=base,device=device,ts=edited,recordType=:Note", "--fields", "title,body"]
        #expect(world.run(["audit", "--name", "Note=title", table] + map) == .success, "\(world.errorText)")
        #expect(try world.lines.first { $0["event"] == "conflict" }?["name"] == ["field": "title", "value": "Plan"])
    }

    @Test func aHostileNameIsEscapedAndShort() throws {
        let name = #"\u001b[31m\u202e<b>"# + String(repeating: "x", count: 5000)
        let world = try audited(trace: Self.trace.replacing("Plan", with: name))
        #expect(!world.output.text.contains("\u{1b}") && world.output.text.utf8.count < 2500)
        let log = try directory.create("log.jsonl", world.output.text)
        for arguments in [["report"], ["report", "--format", "html"], ["tail"], ["lost"], ["lost", "--format", "json"]] {
            let world = TestWorld()
            #expect(world.run(arguments + [log]) == .success)
            #expect(!world.output.text.contains("\u{1b}") && !world.output.text.contains("\u{202e}"))
            #expect(!world.output.text.contains("<b>xxx") || arguments.last != "html")
        }
    }
}
