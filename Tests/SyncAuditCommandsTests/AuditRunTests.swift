import Foundation
import SyncAuditCommands
import Testing

/// `audit` from its arguments to its output.
@Suite struct AuditRunTests {
    private let world = TestWorld()
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A write line; times are seconds after noon.
    static func line(
        _ device: String, _ n: Int, at seconds: Int, _ record: String = "Card/1", _ fields: String? = #"{"x":1}"#, seen: String? = "{}"
    ) -> String {
        let parts = record.split(separator: "/")
        let time =
            "2026-01-15T12:" + (seconds / 60 < 10 ? "0" : "") + "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60).000Z"
        let operation = fields.map { #""put","fields":\#($0)"# } ?? #""delete""#
        return
            #"{"event":"write","ts":"\#(time)","device":"\#(device)","n":\#(n),"recordType":"\#(parts[0])","recordID":"\#(parts[1])","op":\#(operation)"#
            + (seen.map { #","seen":\#($0)"# } ?? "") + "}"
    }

    /// What `audit` writes over some lines, each conflict as `kind severity winner>loser`.
    private func audit(_ lines: [String], _ options: String...) throws -> [String] {
        try directory.create("trace.jsonl", lines.joined(separator: "\n") + "\n")
        let exit = SyncAudit.run(arguments: ["audit", directory.file("trace.jsonl")] + options, context: world.context)
        #expect(exit == .success, "\(world.errorText)")
        return try objects().compactMap { object in
            guard object["event"] as? String == "conflict", let winner = object["winner"] as? [String: Any],
                let loser = object["loser"] as? [String: Any]
            else { return nil }
            return "\(object["kind"] ?? "") \(object["severity"] ?? "") \(winner["device"] ?? "")>\(loser["device"] ?? "")"
        }
    }

    private func objects() throws -> [[String: Any]] {
        try world.found.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private var origin: String { Self.line("o", 1, at: 0, "Card/1", #"{"x":0,"y":0}"#) }

    @Test func theLineHoldsBothSidesAndTheirAncestor() throws {
        let lines = [
            origin, Self.line("a", 1, at: 60, "Card/1", #"{"x":1}"#, seen: #"{"o":1}"#),
            Self.line("b", 1, at: 90, "Card/1", #"{"x":2}"#, seen: #"{"o":1}"#),
        ]
        #expect(try audit(lines) == ["update_update lossy b>a"])
        let conflict = try #require(try objects().first)
        #expect(conflict["basis"] as? String == "causal")
        #expect(conflict["gapMs"] as? Int == 30_000)
        #expect(conflict["resolution"] as? String == "apply_remote")
        #expect((conflict["ancestor"] as? [String: Any])?["value"] as? Int == 0)
        #expect((conflict["loser"] as? [String: Any])?["value"] as? Int == 1)
        #expect((conflict["id"] as? String)?.count == 16)
        #expect(world.errorText == "syncaudit: 3 writes, 1 conflict; 1 edit lost\n")
    }

    @Test(arguments: [
        ("last-writer-wins", "update_update lossy b>a"), ("record-last-writer-wins", "update_update lossy b>a"),
        ("first-writer-wins", "update_update lossy a>b"), ("maximum", "update_update lossy a>b"), ("minimum", "update_update lossy b>a"),
        ("prefer-devices:a,b", "update_update lossy a>b"), ("manual", "update_update lossy b>a"), ("counter", "update_update lossy b>a"),
    ]) func everyPolicyNamesItsWinner(policy: String, expected: String) throws {
        let lines = [
            origin, Self.line("a", 1, at: 60, "Card/1", #"{"x":9}"#, seen: #"{"o":1}"#),
            Self.line("b", 1, at: 90, "Card/1", #"{"x":2}"#, seen: #"{"o":1}"#),
        ]
        #expect(try audit(lines, "--policy", policy) == [expected])
        let other = TestWorld()
        _ = SyncAudit.run(
            arguments: ["audit", directory.file("trace.jsonl"), "--policy-for", "Card.x=first-writer-wins"], context: other.context)
        #expect(other.output.text.contains(#""policy":"firstWriterWins""#))
    }

    @Test func countersAndSetsLoseNothing() throws {
        let lines = [
            Self.line("a", 1, at: 0, "Card/1", #"{"visits":{"$counter":2},"tags":{"$add":["hobby"]}}"#),
            Self.line("b", 1, at: 9, "Card/1", #"{"visits":{"$counter":3},"tags":{"$add":["tech"]}}"#),
        ]
        let state = directory.file("state.jsonl")
        #expect(
            try audit(lines, "--policy-for", "Card.visits=counter", "--policy-for", "Card.tags=set", "--state", state)
                == ["insert_insert merged b>a", "insert_insert merged b>a"])
        #expect(
            directory.content("state.jsonl") == #"{"recordType":"Card","recordID":"1","fields":{"tags":["hobby","tech"],"visits":5}}"#
                + "\n")
    }

    @Test(arguments: [
        ("delete-wins", "delete_update destructive b>a"), ("edit-wins", "delete_update lossy a>b"),
        ("last-writer-wins", "delete_update destructive b>a"),
    ]) func deletesMeetEdits(rule: String, expected: String) throws {
        let lines = [
            origin, Self.line("a", 1, at: 60, "Card/1", #"{"x":9}"#, seen: #"{"o":1}"#),
            Self.line("b", 1, at: 90, "Card/1", nil, seen: #"{"o":1}"#),
        ]
        #expect(try audit(lines, "--deletes", rule) == [expected])
    }

    @Test func whatLiesOutsideTheWindowIsLabelledOrOnlyCounted() throws {
        let lines = [Self.line("a", 1, at: 0), Self.line("b", 1, at: 301, "Card/1", #"{"x":2}"#)]
        #expect(try audit(lines).count == 1)
        #expect(try objects()[0]["withinWindow"] as? Bool == false)
        let counting = TestWorld()
        #expect(
            SyncAudit.run(arguments: ["audit", "--outside-window", "count", directory.file("trace.jsonl")], context: counting.context)
                == .success)
        #expect(!counting.output.text.contains(#""event":"conflict""#))
        #expect(counting.output.text.contains(#""event":"statistics","total":1"#))
        let wide = TestWorld()
        _ = SyncAudit.run(
            arguments: ["audit", "--window", "301s", "--outside-window", "count", directory.file("trace.jsonl")], context: wide.context)
        #expect(wide.output.text.contains(#""withinWindow":true"#))
    }

    @Test func theWindowIsTheReachOfSuspicion() throws {
        let lines = [Self.line("a", 1, at: 0, seen: nil), Self.line("b", 1, at: 301, "Card/1", #"{"x":2}"#, seen: nil)]
        #expect(try audit(lines).isEmpty)
        let wide = TestWorld()
        _ = SyncAudit.run(arguments: ["audit", "--window", "301s", directory.file("trace.jsonl")], context: wide.context)
        #expect(wide.output.text.contains(#""basis":"window""#))
        #expect(
            wide.errorText.hasPrefix(
                "syncaudit: 2 writes, 1 conflict, suspected (by clocks alone); 1 edit may have been lost. None of the 2 writes"))
    }

    @Test func declaredConstraintsAreWatched() throws {
        let lines = [
            Self.line("a", 1, at: 0, "Card/1", #"{"email":"x@y"}"#), Self.line("b", 1, at: 9, "Card/2", #"{"email":"x@y"}"#),
            Self.line("a", 2, at: 20, "Card/1", nil, seen: #"{"a":1}"#), Self.line("b", 2, at: 25, "Call/7", #"{"card":"1"}"#),
        ]
        #expect(
            try audit(lines, "--unique", "Card.email", "--reference", "Call.card=Card") == [
                "unique_key merged a>b", "dangling_reference lossy a>b",
            ])
    }

    @Test func privateValuesStayOut() throws {
        let lines = [
            Self.line("a", 1, at: 0, "Card/1", #"{"x":"secret","y":"open"}"#),
            Self.line("b", 1, at: 9, "Card/1", #"{"x":"hidden","y":"plain"}"#),
        ]
        #expect(try audit(lines, "--privacy", "Card.x=omitted").count == 2)
        #expect(!world.output.text.contains("secret") && !world.output.text.contains("hidden") && world.output.text.contains("plain"))
        let bare = TestWorld()
        _ = SyncAudit.run(arguments: ["audit", "--privacy", "omitted", directory.file("trace.jsonl")], context: bare.context)
        #expect(!bare.output.text.contains("plain"))
    }

    @Test func noOutputReplacesAnInputOrAnotherOutput() throws {
        let lines = [Self.line("a", 1, at: 0)]
        #expect(try audit(lines).isEmpty)
        let trace = directory.file("trace.jsonl")
        for arguments in [
            ["--output", trace], ["--state", trace], ["--output", directory.file("new"), "--state", directory.file("new")],
        ] {
            #expect(SyncAudit.run(arguments: ["audit", trace] + arguments, context: TestWorld().context) == .usage)
        }
        #expect(directory.names == ["trace.jsonl"])
        #expect(directory.content("trace.jsonl") == lines[0] + "\n")
    }

    @Test func aFileNamedTwiceIsReadOnce() throws {
        #expect(try audit([Self.line("a", 1, at: 0)], directory.file("*.jsonl")).isEmpty)
        #expect(world.errorText.contains("named more than once"))
        #expect(world.errorText.contains("1 write, no conflict: all writes are of one device, so that no two can conflict"))
    }

    /// What cannot be in a trace is not called absent from what it tells of.
    @Test func aTraceInWhichNothingCanConflictIsSaidToBeOne() throws {
        _ = try audit([Self.line("a", 1, at: 0, "Note/1", #"{"x":1}"#), Self.line("a", 2, at: 9, "Note/1", #"{"x":2}"#)])
        #expect(world.errorText.contains("2 writes, no conflict: all writes are of one device, so that no two can conflict\n"))
        let other = TestWorld()
        let lines = [Self.line("a", 1, at: 0, "Note/1", #"{"x":1}"#), Self.line("b", 1, at: 9, "Note/2", #"{"x":2}"#)]
        #expect(other.run("audit", try directory.create("apart.jsonl", lines.joined(separator: "\n"))) == .success)
        #expect(other.errorText.contains("2 writes, no conflict: no record is written twice, so that no two writes can conflict\n"))
    }
}
