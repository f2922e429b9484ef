import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// Three versions that met in a conflict handler.
@Suite struct MergeLineTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let ancestor = #""ancestor":{"fields":{"name":"Ann","mail":"a@x","visits":3}},"#

    /// The phone changed the name and the visits, the tablet all three.
    private static func line(_ ancestor: String = ancestor, id: String = "1", result: String = "") -> String {
        #"{"event":"merge","ts":"2026-01-15T14:10:00.000Z","device":"phone","recordType":"Card","recordID":"\#(id)",\#(ancestor)"#
            + #""client":{"fields":{"name":"Anna","mail":"a@x","visits":4},"ts":"2026-01-15T14:00:00.000Z"},"#
            + #""server":{"fields":{"name":"Anne","mail":"b@x","visits":5},"ts":"2026-01-15T14:05:00.000Z","device":"tablet"}\#(result)}"#
            + "\n"
    }

    private func audit(_ trace: String, _ options: String...) throws -> [FieldMap] {
        #expect(world.run(["audit", try directory.path(trace)] + options) == .success, Comment(rawValue: world.errorText))
        return try world.lines
    }

    @Test func whatBothSidesChangedIsAProvenConflict() throws {
        let lines = try audit(Self.line(), "--policy-for", "Card.visits=counter")
        #expect(lines.map { $0["field"] } == ["name", "visits"])
        #expect(lines.map { $0["basis"] } == ["ancestor", "ancestor"])
        #expect(lines.map { $0["severity"] } == ["lossy", "merged"])
        #expect(lines.map { $0["kind"] } == ["update_update", "update_update"])
        #expect(lines.first?["winner"]?.object?["device"] == "tablet" && lines.first?["loser"]?.object?["value"] == "Anna")
        #expect(lines.first?["ancestor"]?.object?["value"] == "Ann" && lines.last?["result"] == 6)
        #expect(world.errorText == "syncaudit: 2 writes, 2 conflicts; 1 edit lost\n")
    }

    @Test func withoutAnAncestorEveryDifferenceIsSuspected() throws {
        let lines = try audit(Self.line(""))
        #expect(lines.map { $0["field"] } == ["mail", "name", "visits"])
        #expect(lines.allSatisfy { $0["basis"] == "window" && $0["kind"] == "update_update" })
        #expect(world.errorText.contains("None of the 2 writes says what its writer had seen"))
    }

    @Test func withoutAnAncestorBothCreatedTheRecord() throws {
        let lines = try audit(Self.line(#""ancestor":{"fields":null},"#))
        #expect(lines.map { $0["field"] } == ["mail", "name", "visits"])
        #expect(lines.allSatisfy { $0["basis"] == "ancestor" && $0["kind"] == "insert_insert" && $0["ancestor"] == nil })
        let log = directory.file("both.jsonl")
        try Data((world.output.text + Self.line(#""ancestor":{"fields":null},"#)).utf8).write(to: URL(fileURLWithPath: log))
        #expect(TestWorld().run("check", log) == .success)
    }

    @Test func aSideThatEqualsTheAncestorHasChangedNothing() throws {
        let gone = Self.line(#""ancestor":{"fields":null},"#)
            .replacing(#""server":{"fields":{"name":"Anne","mail":"b@x","visits":5}"#, with: #""server":{"fields":null"#)
        #expect(try audit(gone).isEmpty)
        let side = #"{"fields":{"name":"Anna"},"ts":"2026-01-15T14:00:00.000Z","device":"phone"}"#
        let again = TestWorld()
        try again.pipe(
            #"{"event":"merge","ts":"2026-01-15T14:10:00.000Z","device":"phone","recordType":"Card","recordID":"1","# + Self.ancestor
                + #""client":\#(side),"server":\#(side)}"# + "\n")
        #expect(again.run("audit") == .success)
        #expect(try again.lines.isEmpty)
    }

    @Test func twoDeletesAreOneMatterOfTheRecord() throws {
        let line = Self.line().replacing(#"{"fields":{"name":"Anne","mail":"b@x","visits":5}"#, with: #"{"fields":null"#)
            .replacing(#"{"fields":{"name":"Anna","mail":"a@x","visits":4}"#, with: #"{"fields":null"#)
        let lines = try audit(line)
        #expect(lines.map { $0["kind"] } == ["delete_delete"] && lines.map { $0["severity"] } == ["benign"])
        let log = directory.file("deletes.jsonl")
        try Data((world.output.text + line).utf8).write(to: URL(fileURLWithPath: log))
        #expect(TestWorld().run("check", log) == .success)
    }

    @Test func otherPoliciesDecideMergesAgain() throws {
        let replay = TestWorld()
        try replay.pipe(Self.line() + Self.line(id: "2"))
        #expect(replay.run("replay", "--policy", "Card.visits=counter", "--policy", "first-writer-wins") == .success)
        let text = replay.output.text
        #expect(text.hasPrefix("4 writes decided again under 2 other policies\n4 edits lose under last-writer-wins."))
        #expect(text.contains("A  Card.visits=counter              4     2      2           0        0"))
        #expect(text.contains("B  first-writer-wins                4     4      4           4        4"))
    }

    @Test func aDeletedVersionHasNoFields() throws {
        let line = Self.line().replacing(#""server":{"fields":{"name":"Anne","mail":"b@x","visits":5}"#, with: #""server":{"fields":null"#)
        let lines = try audit(line)
        #expect(lines.map { $0["kind"] } == ["delete_update", "delete_update"])
        #expect(lines.allSatisfy { $0["severity"] == "destructive" })
    }

    @Test func theSameMergeOnSeveralDevicesIsOneConflictAndOthersAreNot() throws {
        let lines = try audit(Self.line() + Self.line() + Self.line(id: "2"))
        #expect(Set(lines.map { $0["id"] }).count == 4 && lines.count == 6)
        let log = directory.file("conflicts.jsonl")
        try Data((world.output.text + Self.line()).utf8).write(to: URL(fileURLWithPath: log))
        let report = TestWorld()
        #expect(report.run("report", log) == .success)
        #expect(report.output.text.hasPrefix("4 edits were lost in 4 conflicts"))
        #expect(TestWorld().run("check", log) == .success)
    }

    @Test(arguments: [
        (#","result":{"fields":{"name":"Anne","mail":"b@x","visits":5}}"#, true),
        (#","result":{"fields":{"name":"Anne","mail":"b@x","visits":6}}"#, true),
        (#","result":{"fields":{"name":"Anna","mail":"b@x","visits":6}}"#, false),
        (#","result":{"fields":{"name":"Anna","mail":"a@x","visits":6}}"#, false),
        (#","result":{"fields":{"name":"Anna Anne","mail":"b@x","visits":6}}"#, false), (#","result":{"fields":null}"#, false), ("", true),
    ])
    func aResultThatNobodyWroteIsFound(result: String, isSound: Bool) throws {
        let path = try directory.path(Self.line(result: result))
        #expect(world.run("check", "--policy-for", "Card.visits=counter", path) == (isSound ? .success : .limitExceeded))
        #expect(world.output.text.contains("the result of the merge of Card/1") == !isSound)
    }

    /// The handler kept the older name, and dropped the tablet's mail, which nobody else had changed.
    @Test func allVerbsTellWhatTheResultDropped() throws {
        let merge = Self.line(result: #","result":{"fields":{"name":"Anna","mail":"a@x","visits":5}}"#)
        let lines = try audit(merge)
        let lost = Dictionary(uniqueKeysWithValues: lines.map { ($0["field"]?.string ?? "", $0) })
        #expect(lost["name"]?["loser"]?.object?["value"] == "Anne" && lost["name"]?["winner"]?.object?["value"] == "Anna")
        #expect(lost["mail"]?["loser"]?.object?["value"] == "b@x" && lost["mail"]?["stale"] == true)
        #expect(lost["visits"]?["loser"]?.object?["value"] == 4 && lost["visits"]?["policy"] == "lastWriterWins")
        let log = directory.file("result.jsonl")
        try Data((world.output.text + merge).utf8).write(to: URL(fileURLWithPath: log))
        let (ledger, restore, check) = (TestWorld(), TestWorld(), TestWorld())
        #expect(ledger.run("lost", log) == .success)
        #expect(ledger.output.text.contains("tablet's name \"Ann«e»\" on Card/1 of 2026-01-15"), Comment(rawValue: ledger.output.text))
        #expect(restore.run("restore", lost["name"]?["id"]?.string ?? "", log) == .success)
        #expect(restore.output.text.contains(#""fields":{"name":"Anne"}"#), Comment(rawValue: restore.output.text))
        #expect(check.run("check", log) == .limitExceeded)
        #expect(check.output.text.hasPrefix("2 findings"), Comment(rawValue: check.output.text))
        #expect(check.output.text.contains(#"Card/1.mail is "a@x", which drops the server's "b@x": nobody else had changed it"#))
        #expect(check.output.text.contains(#"Card/1.name is "Anna", the older of two edits; by lastWriterWins it is "Anne""#))
    }

    @Test func aWholeRecordThatTheRulesChooseDropsNothing() throws {
        let result = #","result":{"fields":{"name":"Anna","mail":"a@x","visits":4}}"#
        // The client's is the later one, so that all of it is shown.
        let path = try directory.path(Self.line(result: result).replacing("14:00:00", with: "14:09:00"))
        #expect(world.run("check", "--policy", "record-last-writer-wins", path) == .success, Comment(rawValue: world.output.text))
        #expect(world.run("check", path) == .limitExceeded)
    }

    @Test func whatIsPrivateStaysSo() throws {
        let lines = try audit(Self.line(), "--privacy", "omitted")
        #expect(lines.count == 2 && !world.output.text.contains("Ann"))
    }

    @Test(arguments: [
        (#""client":{"fields":7}"#, #""client.fields" must be an object"#), (#""client":{}"#, #""client.fields" is missing"#),
        (#""client":7"#, #""client" must be an object"#), (#""client":{"fields":{},"ts":"now"}"#, "not a date that exists"),
    ])
    func whatIsWrongIsNamed(client: String, problem: String) throws {
        let line = Self.line().replacing(
            #""client":{"fields":{"name":"Anna","mail":"a@x","visits":4},"ts":"2026-01-15T14:00:00.000Z"}"#, with: client)
        #expect(world.run("audit", try directory.path(line)) == .badData)
        #expect(world.errorText.contains(problem), Comment(rawValue: world.errorText))
    }

    @Test func nothingInItActsOnTheTerminal() throws {
        let path = try directory.path(Self.line(id: #"\u001b[31m"#, result: #","result":{"fields":{"\u001b[2J":"\u001b[1m"}}"#))
        #expect(world.run("tail", path) == .success)
        _ = world.run("check", path)
        #expect(!world.output.text.contains("\u{1b}") && world.output.text.contains("merged by phone, with an ancestor"))
    }
}
