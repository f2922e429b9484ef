import AuditLog
import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncBytes
import SyncMerge
import SyncModel
import Testing

@testable import SyncAuditCommands

/// What `.syncaudit.json` says counts for every verb, and for an app.
@Suite struct ConfigurationTests {
    private let directory: TemporaryDirectory
    private let trace: String

    private static let lines =
        Trace.put("a", 1, at: 0, #"{"visits":1,"name":"Ada"}"#)
        + Trace.put("a", 2, at: 10, #"{"visits":2}"#, saw: #"{"a":1}"#)
        + Trace.put("b", 1, at: 40, #"{"visits":5,"name":"Bea"}"#, saw: #"{"a":1}"#)
        + Trace.put("a", 3, at: 50, #"{"name":"Eve"}"#, saw: #"{"a":2}"#)
        + Trace.put("a", 4, at: 60, #"{"visits":9}"#, saw: #"{"a":2}"#)

    init() throws {
        directory = try TemporaryDirectory()
        trace = try directory.create("writes.jsonl", Self.lines)
    }

    private func world(_ configuration: String) throws -> TestWorld {
        let world = TestWorld()
        world.configurationFile = try directory.create(".syncaudit.json", configuration)
        return world
    }

    private static let rules = #"{"deletes": "edit-wins", "types": {"Note": {"fields": {"visits": {"policy": "maximum"}}}}}"#

    @Test func rulesOfTheFileAreThoseOfTheOptions() throws {
        let world = try world(Self.rules)
        #expect(world.run("audit", trace) == .success)
        #expect(world.errorText.hasPrefix("syncaudit: with the configuration \(world.configurationFile?.quoted ?? "")\n"))
        let options = TestWorld()
        #expect(options.run("audit", "--policy-for", "Note.visits=maximum", "--deletes", "edit-wins", trace) == .success)
        #expect(world.found == options.found && world.output.text.contains(#""policy":"maximum""#))
        // And those of an app that ships the file.
        let configuration = try AuditConfiguration(contentsOfFile: try #require(world.configurationFile))
        let sink = CollectingAuditSink()
        var auditor = TraceAuditor(mergeRules: configuration.mergeRules, auditRules: configuration.auditRules, sink: sink)
        var reader = AuditLogReader()
        try reader.read(path: trace) { line, _ in if case .write(let write) = line.event.content { auditor.observe(write) } }
        let ids = Set(sink.conflicts.map(\.id.description))
        #expect(!ids.isEmpty && ids.allSatisfy(world.output.text.contains))
        #expect(world.found.count == ids.count)
    }

    @Test func optionsComeFirst() throws {
        let plain = TestWorld()
        #expect(plain.run("audit", trace) == .success)
        let none = try world(Self.rules)
        #expect(none.run("audit", "--config", "none", trace) == .success)
        #expect(none.output.text == plain.output.text && !none.errorText.contains("configuration"))
        let other = try world(Self.rules)
        #expect(other.run("audit", "--policy-for", "Note.visits=last-writer-wins", trace) == .success)
        #expect(other.found == plain.found)
        let named = TestWorld()
        #expect(named.run("audit", "--config", directory.path + "/.syncaudit.json", trace) == .success)
        #expect(named.output.text.contains(#""policy":"maximum""#) && !named.errorText.contains("configuration"))
    }

    @Test func aFileWithAMistakeEndsTheVerb() throws {
        let world = try world(#"{"polcy": "set"}"#)
        #expect(world.run("report", trace) == .badData)
        #expect(world.errorText.contains(#".syncaudit.json: "polcy": that means nothing here"#))
        #expect(world.run("simulate", "--help") == .success)
    }

    @Test func onATerminalTheLogsOfTheFileAreRead() throws {
        let world = try world(#"{"logs": ["writes.jsonl"]}"#)
        world.terminals.input = true
        #expect(world.run("audit") == .success)
        #expect(world.output.text.contains(#""event":"conflict""#))
        let found = try directory.create("log.jsonl", world.output.text)
        let shown = try self.world(#"{"logs": ["log.jsonl"]}"#)
        shown.terminals.input = true
        #expect(shown.run("show", try TestWorld.id(in: found)) == .success && shown.run("show") == .usage)
        let piped = try self.world(#"{"logs": ["none.jsonl"]}"#)
        try piped.pipe(Self.lines)
        #expect(piped.run("audit") == .success)
    }

    @Test func valuesThatAreOmittedStayInside() throws {
        let world = try world(#"{"types": {"Note": {"fields": {"name": {"values": "omitted"}, "nam": {"values": "omitted"}}}}}"#)
        #expect(world.run("audit", trace) == .success)
        #expect(!world.output.text.contains("Bea") && world.output.text.contains("\"visits\""))
        #expect(
            world.errorText.contains(
                #".syncaudit.json: nothing that was read has the field "Note.nam"; the most similar name is "Note.name""#))
    }

    @Test func replayTakesItsPoliciesAsRecorded() throws {
        let world = try world(Self.rules)
        #expect(world.run("replay", trace) == .success)
        #expect(world.output.text.contains("recorded: the configuration"))
        #expect(world.output.text.contains("edits lose under the configuration. "))
        #expect(world.output.text.contains("last-writer-wins"))
    }

    @Test(arguments: [
        ["report"], ["report", "--all"], ["tail", "-n", "100"], ["lost"], ["show"],
    ]) func recordsAreCalledByTheirNames(arguments: [String]) throws {
        let audit = TestWorld()
        #expect(audit.run("audit", trace) == .success)
        let log = try directory.create("log.jsonl", audit.output.text + Self.lines)
        let id = arguments == ["show"] ? [try TestWorld.id(in: log)] : []
        let world = try world(#"{"types": {"Note": {"name": "name"}}}"#)
        #expect(world.run(arguments + id + [log]) == .success)
        #expect(world.output.text.contains(#"Note "Eve""#))
        // What is shown as it is read comes before some of the names.
        #expect(arguments.first == "tail" || !world.output.text.contains("Note/"))
        let none = try self.world(#"{"types": {"Note": {"name": "name"}}}"#)
        #expect(none.run(arguments + id + ["--name", "Note=nothing", log]) == .success)
        #expect(none.output.text.contains("Note/") && !none.output.text.contains(#"Note ""#))
    }

    // MARK: init

    @Test func whatIsWrittenIsReadAndKeepsTheEdits() throws {
        let path = directory.path + "/new.json"
        let world = TestWorld()
        #expect(world.run("init", "--output", path, trace) == .success)
        #expect(world.errorText.contains("syncaudit: Note.visits: it only ever grows, mostly by small steps: 'counter' would keep"))
        #expect(world.errorText.contains("syncaudit: not written: manual for Note.name: "))
        let configuration = try AuditConfiguration(contentsOfFile: path)
        #expect(configuration.displayFields == ["Note": "name"] && configuration.logs == [trace])
        #expect(configuration.mergeRules.policyName(for: "Note", field: "visits") == "counter")
        #expect(world.run("init", "--output", path, trace) == .usage)
        #expect(world.errorText.contains("\(path.quoted) is there already; name another file"))
        let audit = TestWorld()
        #expect(audit.run("audit", "--config", path, trace) == .success && audit.output.text.contains(#""policy":"counter""#))
    }

    @Test func aLinkIsNeverWrittenThrough() throws {
        let other = try directory.create("other.json", "mine")
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.json"), withDestinationPath: other)
        let world = TestWorld()
        #expect(world.run("init", "-o", directory.file("link.json"), trace) == .usage)
        #expect(directory.content("other.json") == "mine")
    }

    @Test func aRuleForDeletesOfOneTypeIsNotThatOfAll() throws {
        let delete = Trace.put("b", 2, at: 70, #"{"name":"x"}"#, saw: #"{"a":1}"#).replacing(
            #""op":"put","fields":{"name":"x"}"#, with: #""op":"delete""#)
        let one = try directory.create("deletes.jsonl", Self.lines + delete)
        let world = TestWorld()
        #expect(world.run("init", "-o", "-", one) == .success)
        #expect(world.output.text.contains(#""deletes": "edit-wins""#))
        let two = try directory.create(
            "two.jsonl", Self.lines + delete + Trace.put("a", 9, at: 0, #"{"t":"x"}"#).replacing("Note", with: "Card"))
        let other = TestWorld()
        #expect(other.run("init", "-o", "-", two) == .success)
        #expect(!other.output.text.contains("deletes") && other.errorText.contains("not written: deletes=edit-wins for Note"))
    }

    @Test func hostileNamesAreWrittenAsStrings() throws {
        let name = #"a\"b\\\u001b[31m<\u2028"#
        let line = Trace.put("a", 1, at: 0, #"{"title":"x"}"#).replacing("Note", with: name)
        let path = try directory.create("hostile.jsonl", line)
        let world = TestWorld()
        #expect(world.run("init", "-o", directory.path + "/hostile.json", path) == .success)
        let read = try AuditConfiguration(contentsOfFile: directory.path + "/hostile.json")
        #expect(read.displayFields == ["a\"b\\\u{1b}[31m<\u{2028}": "title"])
        let text = try String(contentsOfFile: directory.path + "/hostile.json", encoding: .utf8)
        #expect(!text.contains("\u{1b}") && !text.contains("\u{2028}"))
    }

    @Test func aTraceWithoutWritesIsNoGround() throws {
        let empty = try directory.create("empty.jsonl", "")
        let world = TestWorld()
        #expect(world.run("init", "-o", "-", empty) == .badData)
        #expect(world.output.text.isEmpty && world.errorText.contains("there is no write in it"))
    }
}

/// What a configuration says of the columns of a table.
@Suite struct TableSettingsTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Nobody would guess who wrote and from which version in a table like this.
    private func table() throws -> String {
        try directory.path(
            "row,thing,a,b,c,title,body\n1,x,p1,1,,t,b\n2,x,p2,2,1,T,b\n3,x,p3,3,1,t,B\n4,y,p1,1,,t,b\n5,y,p2,2,1,T,b\n",
            as: "things.v1.csv")
    }

    private func configured(_ settings: String) throws {
        world.configurationFile = try directory.path(#"{"tables": {"things": \#(settings)}}"#, as: ".syncaudit.json")
    }

    private static let map = #""map": {"recordID": "thing", "device": "a", "version": "b", "base": "c", "order": "row"}"#

    @Test(arguments: [["report"], ["lost"], ["replay"], ["restore", "--all", "--as", "put"], ["audit"]])
    func everyVerbThatReadsTheTableGoesByIt(verb: [String]) throws {
        let path = try table()
        #expect(world.run(verb + [path]) == .badData, Comment(rawValue: world.errorText))
        try configured("{\(Self.map)}")
        #expect(world.run(verb + [path]) == .success, Comment(rawValue: world.errorText))
        #expect(world.output.text.contains("title"))
    }

    @Test func anOptionComesBeforeIt() throws {
        try configured(#"{\#(Self.map), "fields": ["title"], "keeps": "merged"}"#)
        let path = try table()
        #expect(world.run("audit", path) == .success)
        #expect(world.errorText.contains("as stated, the server merges") && !world.output.text.contains(#""stale":true"#))
        #expect(world.run("audit", "--keeps", "whole", "--fields", "title,body", path) == .success)
        #expect(try world.lines.contains { $0["field"] == "title" && $0["stale"] == true })
    }

    @Test(arguments: [
        (#"{"map": {"nothing": "a"}}"#, #"tables.things.map: there is no key "nothing""#), (#"{"map": ["a"]}"#, "it is no object"),
        (#"{"keeps": "all"}"#, #"tables.things.keeps: "all" is not one of whole, merged, sent"#),
        (#"{"times": "Berlin"}"#, #"tables.things.times: "Berlin" means nothing"#), (#"{"keys": {}}"#, "known are map, fields"),
        (#"{"map": {"device": 1}}"#, #"the value of "device" is no string"#),
    ])
    func whatMeansNothingIsNamed(settings: String, sentence: String) throws {
        let named = settings.contains("keeps") ? "{\(Self.map), " + settings.dropFirst() : settings
        try configured(named)
        #expect(world.run("audit", try table()) == .badData)
        #expect(world.errorText.contains(sentence), Comment(rawValue: world.errorText))
    }
}
