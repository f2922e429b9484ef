import AuditLog
import ConflictAudit
import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// Options name types and fields by what the input holds, and say when they mean nothing.
@Suite struct NamesGivenTests {
    private let world = TestWorld()
    private let directory: TemporaryDirectory
    private let trace: String

    private static let secrets = ["ann@home.example", "bob@work.example"]

    init() throws {
        directory = try TemporaryDirectory()
        trace = try directory.path(
            Self.clash(type: "com.example.Card", field: "email") + Self.clash(type: "Note", field: "a.b", id: "2", from: 2))
    }

    /// Two devices that set a field at once.
    private static func clash(type: String, field: String, id: String = "1", from number: Int = 1) -> String {
        Trace.put("a", number, at: 0, id, #"{"\#(field)":"\#(secrets[0])"}"#, type: type)
            + Trace.put("b", number, at: 60, id, #"{"\#(field)":"\#(secrets[1])"}"#, type: type)
    }

    private var showsSecret: Bool { Self.secrets.contains { world.output.text.contains($0) } }

    @Test func aTypeOrFieldWithDotsIsHiddenByItsName() throws {
        #expect(world.run("audit", "--privacy", "com.example.Card.email=omitted", "--privacy", "Note.a.b=omitted", trace) == .success)
        #expect(!showsSecret)
        #expect(try world.lines.count == 2)
        #expect(world.errorText == "syncaudit: 4 writes, 2 conflicts; 2 edits lost\n")
    }

    @Test func aFieldAloneIsThatOfEveryType() throws {
        let both = try directory.path(
            Self.clash(type: "Card", field: "email") + Self.clash(type: "Note", field: "email", id: "2", from: 2)
                + Self.clash(type: "Note", field: "text", id: "3", from: 3), as: "both.jsonl")
        for name in ["email", "x.email"] {
            let trace = try directory.path(try String(contentsOfFile: both, encoding: .utf8).replacing("\"email\"", with: "\"\(name)\""))
            let world = TestWorld()
            #expect(world.run("audit", "--privacy", name + "=omitted", trace) == .success)
            let lines = try world.lines
            #expect(lines.count == 3 && world.output.text.components(separatedBy: Self.secrets[0]).count == 2)
            // A rule for the field of one type comes before that for the field of every type.
            let mixed = TestWorld()
            #expect(mixed.run("audit", "--privacy", name + "=omitted", "--privacy", "Note.\(name)=full", trace) == .success)
            #expect(mixed.output.text.components(separatedBy: Self.secrets[0]).count == 3)
        }
    }

    @Test(arguments: ["audit", "check"]) func aConstraintOnAFieldAloneIsOfEveryType(verb: String) throws {
        func trace(_ type: String, _ number: Int) -> String {
            Trace.put("a", number, at: 0, "1", #"{"email":"x"}"#, type: type)
                + Trace.put("b", number, at: 9, "2", #"{"email":"x"}"#, type: type)
        }
        let same = try directory.path(trace("Card", 1) + trace("Note", 2), as: "same.jsonl")
        _ = world.run(verb, "--unique", "email", same)
        if verb == "audit" { #expect(try world.lines.map { $0["kind"] } == ["unique_key", "unique_key"]) }
        let owner = try directory.path(
            Trace.put("a", 1, at: 0, "1", #"{"name":"x"}"#, type: "Person") + Trace.put("a", 2, at: 5, "2", #"{"owner":"1"}"#, type: "Card")
                + Trace.put("a", 3, at: 5, "3", #"{"owner":"1"}"#, type: "Note") + Trace.delete("b", 1, at: 9, "1", type: "Person"),
            as: "owner.jsonl")
        let references = TestWorld()
        _ = references.run(verb, "--reference", "owner=Person", owner)
        if verb == "audit" {
            #expect(try references.lines.map { $0["kind"] } == ["delete_update"] + ["dangling_reference", "dangling_reference"])
        }
        #expect(!references.errorText.contains("nothing that was read") && !world.errorText.contains("nothing that was read"))
    }

    @Test func aNameThatMayMeanTwoFieldsHidesBoth() throws {
        let both = try directory.path(
            Self.clash(type: "x", field: "y.z") + Self.clash(type: "x.y", field: "z", id: "2", from: 2), as: "both.jsonl")
        #expect(world.run("audit", "--privacy", "x.y.z=omitted", both) == .success)
        #expect(!showsSecret)
        #expect(try world.lines.count == 2)
    }

    @Test(
        arguments: ["Nope.email", "com.example.Cord.email", "com.example.Card.emial"])
    func aRuleThatHidesNothingIsAnErrorAndNothingIsWritten(_ name: String) throws {
        for processors in [1, 4] {
            let world = TestWorld()
            var context = world.context
            context.processors = processors
            for output in [[], ["-o", directory.file("out")], ["--state", directory.file("state")]] {
                #expect(SyncAudit.run(arguments: ["audit", "--privacy", name + "=omitted", trace] + output, context: context) == .badData)
            }
            #expect(world.output.text == "")
            #expect(directory.names == ["trace.jsonl"])
            #expect(
                world.errorText.contains(
                    "--privacy: nothing that was read has the field \"\(name)\"; the most similar name is \"\(name == "Nope.email" ? "Note.a.b" : "com.example.Card.email")\""
                ))
            #expect(world.errorText.contains("nothing was written: --privacy names a field that the trace does not hold"))
        }
    }

    @Test func oneRuleOfTwoThatHidesNothingIsAnErrorToo() {
        #expect(world.run("audit", "--privacy", "Note.a.b=omitted", "--privacy", "com.example.Card.e-mail=omitted", trace) == .badData)
        #expect(world.output.text == "")
    }

    @Test func linesBeforeTheHiddenFieldAreHeldBackAndNotLost() throws {
        let early = (0..<3000).map {
            Trace.put("c", $0 + 1, at: 0, "\($0)", #"{"v":1}"#) + Trace.put("d", $0 + 1, at: 1, "\($0)", #"{"v":2}"#)
        }
        let long = try directory.path(early.joined() + Self.clash(type: "Card", field: "email"), as: "long.jsonl")
        #expect(world.run("audit", "--privacy", "Card.email=omitted", long) == .success)
        let lines = try world.lines
        #expect(lines.count == 3001)
        #expect(lines.map { $0["seq"]?.integer } == (2...3002).map { $0 })
        #expect(!showsSecret)
        let plain = TestWorld()
        #expect(plain.run("audit", long) == .success)
        #expect(try plain.lines.dropLast() == lines.dropLast())
    }

    @Test func policiesUniquenessAndReferencesFindATypeWithDots() throws {
        #expect(
            world.run("audit", "--policy-for", "com.example.Card.email=first-writer-wins", "--policy-for", "Note=first-writer-wins", trace)
                == .success)
        #expect(try world.lines.map { $0["policy"] } == ["firstWriterWins", "firstWriterWins"])
        let typed = TestWorld()
        #expect(typed.run("audit", "--policy-for", "com.example.Card=record-last-writer-wins", trace) == .success)
        #expect(try typed.lines[0]["field"] == nil)
        let same = try directory.path(
            Trace.put("a", at: 0, "1", #"{"email":"x"}"#, type: "com.example.Card")
                + Trace.put("b", at: 9, "2", #"{"email":"x"}"#, type: "com.example.Card"),
            as: "same.jsonl")
        let unique = TestWorld()
        #expect(unique.run("audit", "--unique", "com.example.Card.email", same) == .success)
        #expect(try unique.only("kind") == "unique_key")
    }

    @Test(
        arguments: [
            (
                ["audit", "--policy-for", "Nite.a.b=set"],
                #"--policy-for: nothing that was read has the type or field "Nite.a.b"; the most similar name is "Note.a.b""#
            ),
            (
                ["audit", "--policy-for", "Nota=set"],
                #"--policy-for: nothing that was read has the type "Nota"; the most similar name is "Note""#
            ),
            (
                ["audit", "--policy-for", "Note.a.b=record-last-writer-wins"],
                #"--policy-for: nothing that was read has the type "Note.a.b""#
            ),
            (
                ["audit", "--policy", "record-last-writer-wins", "--policy-for", "Note.a.b=set"],
                #"--policy-for: nothing that was read has the type "Note.a.b""#
            ),
            (
                ["audit", "--unique", "Note.a.c"],
                #"--unique: nothing that was read has the field "Note.a.c"; the most similar name is "Note.a.b""#
            ),
            (
                ["audit", "--reference", "Note.a=Note"],
                #"--reference: nothing that was read has the field "Note.a"; the most similar name is "Note.a.b""#
            ),
            (
                ["audit", "--policy-for", "email=set"],
                #"--policy-for: nothing that was read has the type "email"; as a field it is there, and is written like "com.example.Card.email""#
            ),
            (
                ["audit", "--privacy", "Note=omitted"],
                #"--privacy: nothing that was read has the field "Note"; as a type it is there, and a field of it is written like "Note.FIELD""#
            ),
            (
                ["check", "--unique", "Note"],
                #"--unique: nothing that was read has the field "Note"; as a type it is there, and a field of it is written like "Note.FIELD""#
            ),
            (["audit", "--unique", "emial"], #"--unique: nothing that was read has the field "emial"; the most similar name is "email""#),
            (["audit", "--reference", "Note.a.b=Cord"], #"--reference: nothing that was read has the type "Cord""#),
            (["replay", "--policy", "Nota=set"], #"--policy: nothing that was read has the type "Nota""#),
            (["replay", "--recorded-for", "Nota.x=set"], #"--recorded-for: nothing that was read has the type or field "Nota.x""#),
            (["check", "--policy-for", "Nota=set"], #"--policy-for: nothing that was read has the type "Nota""#),
            (
                ["report", "--record-type", "Nota"],
                #"--record-type: nothing that was read has the type "Nota"; the most similar name is "Note""#
            ),
            (["report", "--field", "a.c"], #"--field: nothing that was read has the field "a.c"; the most similar name is "a.b""#),
            (["report", "--format", "html", "--field", "a.c"], #"--field: nothing that was read has the field "a.c""#),
            (
                ["report", "--field", "Note.a.c"],
                #"--field: nothing that was read has the field "Note.a.c"; the most similar name is "Note.a.b""#
            ),
            (["lost", "--field", "a.c"], #"--field: nothing that was read has the field "a.c""#),
            (
                ["report", "--name", "Note=a.c"],
                #"--name: nothing that was read has the field "Note.a.c"; the most similar name is "Note.a.b""#
            ),
            (["report", "--format", "html", "--name", "emial"], #"--name: nothing that was read has the field "emial""#),
            (["lost", "--name", "Note=a.c"], #"--name: nothing that was read has the field "Note.a.c""#),
            (["tail", "--name", "Note.a.c"], #"--name: nothing that was read has the field "Note.a.c""#),
            (["tail", "--record-type", "Nota"], #"--record-type: nothing that was read has the type "Nota""#),
            (["export", "--record-type", "Nota"], #"--record-type: nothing that was read has the type "Nota""#),
        ])
    func everyOptionThatMatchesNothingIsAnErrorWithTheNames(_ arguments: [String], _ sentence: String) {
        _ = world.run(arguments + [trace])
        #expect(world.errorText.contains(sentence), Comment(rawValue: world.errorText))
    }

    @Test(
        arguments: [
            ["audit", "--policy-for", "Note.a.b=set"], ["replay", "--policy", "com.example.Card=set"], ["report", "--record-type", "Note"],
            ["report", "--field", "a.b"], ["report", "--field", "Note.a.b"], ["lost", "--field", "com.example.Card.email"],
            ["lost", "--record-type", "com.example.Card"], ["tail", "--field", "email"], ["export", "--field", "email"],
            ["check", "--policy-for", "Note=set"], ["report", "--name", "Note=a.b"], ["report", "--name", "email"],
            ["lost", "--name", "Note.a.b"], ["tail", "--name", "Note=a.b"],
        ])
    func anOptionThatMatchesSomethingGivesNoError(_ arguments: [String]) {
        _ = world.run(arguments + [trace])
        #expect(!world.errorText.contains("nothing that was read"), Comment(rawValue: world.errorText))
    }

    @Test(arguments: ["show", "restore"]) func aNameOfNothingIsToldWithOneConflictToo(_ verb: String) throws {
        let story = try Story(directory)
        let id = try TestWorld.id(in: story.log)
        _ = world.run(verb, "--name", "Card=fullName", id, story.log, story.trace)
        #expect(world.errorText.contains(#"--name: nothing that was read has the field "Card.fullName"; "#), "\(world.errorText)")
        let other = TestWorld()
        _ = other.run(verb, "--name", "Card=phone", id, story.log, story.trace)
        #expect(!other.errorText.contains("--name"), "\(other.errorText)")
    }

    @Test func namesOutOfAPipeAreToldToBeOfNoUse() throws {
        let story = try Story(directory)
        try world.pipe(directory.content("log.jsonl") ?? "")
        #expect(world.run("report", "--name", "Card=phone", "-") == .success)
        #expect(world.errorText.contains("--name: what comes through a pipe is read once"), "\(world.errorText) \(story.log)")
    }

    @Test func aLibrarysPairOfTypeAndFieldIsNotParsedForDots() {
        let key = ConflictStatistics.FieldKey(type: "com.example", field: "Card.email")
        let privacy = ValuePrivacy(.full, fields: [key: .omitted])
        func email(_ type: RecordType, _ field: FieldName) -> FieldValue? {
            let write = TaggedWrite(
                dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: RecordKey(type: type, id: "1"),
                operation: .put([field: "x"]), seen: VersionVector())
            return privacy.applied(to: write).value(of: field)
        }
        #expect(email("com.example.Card", "email") == "x")
        #expect(email("com.example", "Card.email") != "x")
    }
}
