import Foundation
import SyncAuditCommands
import SyncModel
import Testing

/// Which files `audit` reads and writes, and what becomes of its output when things go wrong.
@Suite struct AuditFilesTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func outputGoesToAFileWhole() throws {
        let path = try directory.path(Trace.clash())
        #expect(world.run("audit", path) == .success)
        #expect(world.run("audit", path, "--output", directory.file("out")) == .success)
        #expect(directory.content("out") == world.output.text)
        #expect(directory.names == ["out", "trace.jsonl"])
    }

    @Test func aFileNamedTwiceIsReadOnce() throws {
        let path = try directory.path(Trace.clash())
        try FileManager.default.createSymbolicLink(atPath: directory.file("link.jsonl"), withDestinationPath: path)
        #expect(world.run("audit", path, directory.path + "/./trace.jsonl", directory.file("link.jsonl")) == .success)
        #expect(world.errorText.contains("\n") && world.errorText.hasSuffix("syncaudit: 2 writes, 1 conflict; 1 edit lost\n"))
        #expect(world.errorText.components(separatedBy: "is named more than once").count == 3)
    }

    @Test func noOutputReplacesAnInputOrAnotherOutput() throws {
        let path = try directory.path(Trace.clash())
        let again = directory.path + "/./trace.jsonl"
        let new = directory.file("new")
        for options in [["--output", again], ["--state", path], ["--output", new, "--state", directory.path + "/./new"]] {
            #expect(world.run(["audit", path] + options) == .usage)
        }
        world.redirect(from: path)
        #expect(world.run("audit", "-", "--output", path) == .usage)
        #expect(directory.content("trace.jsonl") == Trace.clash())
        #expect(directory.names == ["trace.jsonl"])
        #expect(world.output.text == "")
    }

    @Test func aReaderThatHasSeenEnoughEndsTheAuditButNotTheState() throws {
        CommandContext.ignoreBrokenPipes()
        let path = try directory.path(Trace.clash())
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        var context = world.context
        context.output = DescriptorWriter(descriptor: ends[1], name: "standard output", capacity: 1)
        #expect(SyncAudit.run(arguments: ["audit", path], context: context) == .success)
        #expect(world.errorText == "")
        context.output = DescriptorWriter(descriptor: ends[1], name: "standard output", capacity: 1)
        #expect(SyncAudit.run(arguments: ["audit", path, "--state", directory.file("state")], context: context) == .success)
        #expect(directory.content("state")?.contains(#""v":3"#) == true)
    }

    @Test func whatCannotBeWrittenIsAnIOError() throws {
        let path = try directory.path(Trace.clash())
        for option in ["--output", "--state"] {
            #expect(world.run("audit", path, option, directory.file("none/out")) == .inputOutput)
            #expect(world.run("audit", path, option, directory.path) == .inputOutput)
            guard FileManager.default.fileExists(atPath: "/dev/full") else { continue }
            #expect(world.run("audit", path, option, "/dev/full") == .inputOutput)
        }
        #expect(world.errorText.contains("its directory does not exist"))
        #expect(directory.names == ["trace.jsonl"])
    }

    @Test func nothingInTheDataActsOnATerminal() throws {
        let evil = #"\u001b]0;x\u0007\u202e\u009b\u2028"#
        let name = "a\u{1b}[2J\u{202e}.jsonl"
        let trace =
            Trace.put(evil, at: 0, evil, "{\"\(evil)\":\"\(evil)\"}", type: evil)
            + Trace.put("b", at: 1, evil, "{\"\(evil)\":\"b\(evil)\"}", type: evil)
        let path = try directory.path(trace, as: name)
        #expect(world.run("audit", path, "--state", directory.file("state")) == .success)
        try directory.create("log.jsonl", world.output.text)
        #expect(world.run("report", directory.file("log.jsonl")) == .success)
        #expect(world.run("report", "--format", "json", directory.file("log.jsonl")) == .success)
        try directory.create(name, trace + "{\"event\":\"\(evil)\"}\n" + "{\"event\":\"write\",\"ts\":\"\(evil)\"}\n")
        #expect(world.run("audit", path) == .badData)
        #expect(world.run("audit", "--lenient", path, evil) == .noInput)
        #expect(world.run("audit", "--lenient", path) == .success)
        #expect(world.run("audit", path, "\u{1b}[2J") == .noInput)
        #expect(world.run("\u{1b}[2J") == .usage)
        #expect(world.run("audit", "--\u{1b}[2J") == .usage)
        #expect(world.errorText.contains(#"a\u{1b}[2J\u{202e}.jsonl:4: "#))
        let state = try #require(directory.content("state"))
        for text in [world.output.text, world.errorText, state] {
            let acting = text.unicodeScalars.filter { scalar in
                scalar != "\n" && (scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value))
                    || [0x202e, 0x2028].contains(scalar.value)
            }
            #expect(acting.isEmpty)
        }
    }
}
