import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// `audit --minimal-trace`: a small trace that still gives one conflict.
@Suite struct MinimalTraceVerbTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Two people change a number that both had seen; other records and a later write have nothing to do with it.
    private static let writes =
        Trace.put("c", 1, at: 0, "1", #"{"phone":"0000","name":"Ann"}"#) + Trace.put("c", 2, at: 1, "2", #"{"phone":"5555"}"#)
        + Trace.put("a", 1, at: 10, "1", #"{"phone":"1234"}"#, saw: #"{"c":1}"#)
        + Trace.put("b", 1, at: 20, "1", #"{"phone":"98765"}"#, saw: #"{"c":1}"#)
        + Trace.put("c", 3, at: 30, "1", #"{"phone":"7"}"#, saw: #"{"a":1,"b":1}"#)

    private func id(in trace: String, _ options: String...) throws -> String {
        let world = TestWorld()
        #expect(world.run(["audit"] + options + [trace]) == .success, Comment(rawValue: world.errorText))
        return try #require(try world.lines.first?["id"]?.string)
    }

    @Test func auditOfTheLinesGivesTheConflictAndNoValueIsLeft() throws {
        let trace = try directory.path(Self.writes)
        let id = try id(in: trace)
        #expect(world.run("audit", "--minimal-trace", id, trace) == .success)
        #expect(
            world.output.text == """
                {"event":"write","ts":"2026-01-15T14:00:10.000Z","device":"a","n":1,"counter":0,"recordType":"Note","recordID":"1",\
                "op":"put","fields":{"phone":"aaaa"},"seen":{"c":1}}
                {"event":"write","ts":"2026-01-15T14:00:20.000Z","device":"b","n":1,"counter":0,"recordType":"Note","recordID":"1",\
                "op":"put","fields":{"phone":"aaaaa"},"seen":{"c":1}}

                """)
        #expect(
            world.errorText == """
                syncaudit: 2 lines of 4 of its record give \(id): lossy, update_update, basis causal
                syncaudit: letters and digits stand for the values; the names of records, fields and devices are as they were

                """)
        let small = try directory.path(world.output.text, as: "small.jsonl")
        #expect(try self.id(in: small) == id)
    }

    @Test func valuesMayStay() throws {
        let trace = try directory.path(Self.writes)
        #expect(world.run("audit", "--minimal-trace", try id(in: trace), "--keep-values", trace) == .success)
        #expect(world.output.text.contains("1234") && world.output.text.contains("98765"))
        #expect(world.errorText.contains("read the lines before you show them to anybody"))
    }

    /// A trace through a pipe is read twice, the beginning of an id is enough, and a file is written like any output.
    @Test func traceOfAPipeGoesIntoAFile() throws {
        let id = try id(in: try directory.path(Self.writes))
        try world.pipe(Self.writes)
        let small = directory.file("small.jsonl")
        #expect(world.run("audit", "--minimal-trace", String(id.prefix(5)).uppercased(), "-o", small, "-") == .success)
        #expect(world.output.text.isEmpty)
        #expect(try self.id(in: small) == id)
    }

    @Test(arguments: [
        ["--unique", "Note.phone"], ["--policy", "record-last-writer-wins"], ["--whole-records"],
        ["--deletes", "edit-wins", "--memory", "1M"],
        ["--outside-window", "count"], ["--times", "seconds"],
    ])
    func optionsOfTheAuditHold(options: [String]) throws {
        let writes =
            Self.writes + Trace.put("d", 1, at: 5, "9", #"{"phone":"5555"}"#)
            + Trace.delete("d", 2, at: 40, "9", saw: "{}") + Trace.put("a", 2, at: 41, "9", #"{"phone":"1"}"#)
        let text = options.contains("seconds") ? writes.replacing("\"2026-01-15T14:00:10.000Z\"", with: "1768485610") : writes
        let trace = try directory.path(text)
        #expect(world.run(["audit"] + options + [trace]) == .success, Comment(rawValue: world.errorText))
        for line in try world.lines.filter({ $0["event"] == "conflict" }).suffix(2) {
            let (id, cut, again) = (try #require(line["id"]?.string), TestWorld(), TestWorld())
            #expect(cut.run(["audit", "--minimal-trace", id] + options + [trace]) == .success, Comment(rawValue: cut.errorText))
            try again.pipe(cut.output.text)
            #expect(again.run(["audit"] + options + ["-"]) == .success)
            let found = try again.lines.first { $0["id"]?.string == id }
            for key in ["kind", "severity", "basis", "reason"] as [FieldName] { #expect(found?[key] == line[key], "\(id) \(key)") }
            #expect(!cut.output.text.contains("1234") && !cut.output.text.contains("Ann"))
        }
    }

    @Test func conflictThatIsNotThere() throws {
        let trace = try directory.path(Self.writes)
        #expect(world.run("audit", "--minimal-trace", "00", trace) == .noInput)
        #expect(
            world.errorText
                == "syncaudit: there is no conflict 00: by these options none of 1 conflict has it; "
                + "give the options with which it was found\n"
        )
        let plain = TestWorld()
        #expect(plain.run("audit", "--minimal-trace", "00", try directory.path(Trace.put("a", at: 0, "{}"), as: "one")) == .noInput)
        #expect(plain.errorText.contains("by these options there is no conflict in 1 write"))
        let empty = TestWorld()
        #expect(empty.run("audit", "--minimal-trace", "00", try directory.path("", as: "none")) == .noInput)
        #expect(empty.errorText.contains("holds no write"))
    }

    @Test func idOfSeveralConflictsNamesThem() throws {
        let many = (0..<40).map {
            Trace.put("a", $0 + 1, at: 1, "\($0)", #"{"v":5}"#) + Trace.put("b", $0 + 1, at: 2, "\($0)", #"{"v":3}"#)
        }
        let trace = try directory.path(many.joined())
        #expect(world.run("audit", trace) == .success)
        let ids = try world.lines.compactMap { $0["id"]?.string }
        let prefix = try #require(Dictionary(grouping: ids, by: { $0.prefix(1) }).first { $0.value.count > 1 })
        let other = TestWorld()
        #expect(other.run("audit", "--minimal-trace", String(prefix.key), trace) == .usage)
        #expect(prefix.value.allSatisfy(other.errorText.contains))
        #expect(other.errorText.contains("write more digits of the one you mean"))
    }

    @Test(arguments: [
        (["--minimal-trace", "xyz"], "no id of a conflict"), (["--keep-values"], "give that too"),
        (["--minimal-trace", "1", "--csv"], "rows are none"), (["--minimal-trace", "1", "--joined"], "leave --joined or it out"),
        (["--minimal-trace", "1", "--state", "s"], "leave it out"), (["--minimal-trace", "1", "--statistics"], "leave it out"),
        (["--minimal-trace", "1", "--privacy", "omitted"], "leave it out"), (["--minimal-trace", "1", "--fields", "a"], "is for rows"),
    ])
    func whatGoesNotTogetherIsRefused(options: [String], sentence: String) throws {
        #expect(world.run(["audit"] + options + [try directory.path(Self.writes)]) == .usage)
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
        #expect(world.output.text.isEmpty)
    }

    @Test func configurationThatKeepsValuesBackHolds() throws {
        world.configurationFile = try directory.path(#"{"values":"omitted"}"#, as: ".syncaudit.json")
        let trace = try directory.path(Self.writes)
        #expect(world.run("audit", "--minimal-trace", try id(in: trace), "--keep-values", trace) == .usage)
        #expect(world.errorText.contains("--config none"))
        #expect(world.run("audit", "--minimal-trace", try id(in: trace), trace) == .success)
    }

    /// Names and values that are anything but names and values.
    @Test func hostileTraceIsCut() throws {
        let (name, value) = (#"x\u001b[2J<b>\u202e"#, #"\"id\":\"4\u0000{}\n</script>"#)
        let writes =
            Trace.put("a", at: 0, name, #"{"\#(name)":{"\#(value)":["\#(value)",1e308,-0.0],"$add":1}}"#)
            + Trace.put("b", at: 9, name, #"{"\#(name)":"\#(value)"}"#)
        let trace = try directory.path(writes)
        let id = try id(in: trace)
        #expect(world.run("audit", "--minimal-trace", id, trace) == .success, Comment(rawValue: world.errorText))
        #expect(!world.output.bytes.contains(0x1b) && !world.output.text.contains("script"))
        #expect(!world.errorText.unicodeScalars.contains("\u{1b}"))
        #expect(try self.id(in: try directory.path(world.output.text, as: "small.jsonl")) == id)
    }

    @Test func realTrace() throws {
        let trace = URL(filePath: #filePath).appending(path: "../../../Samples/traces/languages-writes.jsonl.gz").standardized.path
        #expect(world.run("audit", "--minimal-trace", "6024df08", trace) == .success, Comment(rawValue: world.errorText))
        #expect(try id(in: try directory.path(world.output.text)).hasPrefix("6024df08"))
        #expect(world.output.text.split(separator: "\n").count == 2)
    }
}
