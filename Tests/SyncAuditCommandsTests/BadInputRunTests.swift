import Foundation
import SyncAuditCommands
import Testing

/// What is wrong with an input is said with its place, and leaves no output behind.
@Suite struct BadInputRunTests {
    static let good = AuditRunTests.line("a", 1, at: 0)

    static let bad: [(name: String, content: String, line: Int)] = [
        ("not JSON", good + "\nhello\n", 2), ("truncated line", good + "\n" + good.dropLast(9) + "\n", 2),
        ("wrong type", good.replacingOccurrences(of: #""n":1"#, with: #""n":"one""#), 1),
        ("missing key", good.replacingOccurrences(of: #""device":"a","#, with: ""), 1),
        ("out of range", good.replacingOccurrences(of: #""n":1"#, with: #""n":99999999999999999999"#), 1),
        ("no such date", good.replacingOccurrences(of: "2026-01-15", with: "2026-02-29"), 1),
        ("duplicate key", good.replacingOccurrences(of: #"{"x":1}"#, with: #"{"x":1,"x":2}"#), 1),
        ("deep nesting", good.replacingOccurrences(of: #"{"x":1}"#, with: #"{"x":"# + String(repeating: "[", count: 5000)), 1),
        ("NUL bytes", "\u{0}\u{0}\n", 1), ("empty file", "", 1), ("blank lines", "\n\n", 1),
    ]

    @Test(arguments: bad, ["audit", "report"]) func badInputIsNamed(input: (name: String, content: String, line: Int), verb: String) throws
    {
        // `report` takes a log of nothing but blank lines for a log in which nothing happened.
        if input.name == "blank lines", verb == "report" { return }
        let directory = try TemporaryDirectory()
        try directory.create("in.jsonl", input.content)
        let world = TestWorld()
        let path = directory.file("in.jsonl")
        #expect(world.run(verb, "--output", directory.file("out"), path) == .badData)
        #expect(world.errorText.hasPrefix("syncaudit: \(path):\(input.line): "), "\(world.errorText)")
        #expect(world.output.text == "")
        #expect(directory.names == ["in.jsonl"])
    }

    @Test func invalidUTF8IsNamed() throws {
        let directory = try TemporaryDirectory()
        let bytes = Array(Self.good.utf8).map { $0 == UInt8(ascii: "a") ? 0xff : $0 }
        try Data(bytes).write(to: URL(fileURLWithPath: directory.file("in.jsonl")))
        let world = TestWorld()
        #expect(world.run("audit", directory.file("in.jsonl")) == .badData)
        #expect(world.errorText.contains("UTF-8"))
    }

    @Test func directoriesAndMissingFilesAreNoInput() throws {
        let directory = try TemporaryDirectory()
        for verb in ["audit", "report"] {
            #expect(TestWorld().run(verb, directory.path) == .noInput)
            #expect(TestWorld().run(verb, directory.file("none.jsonl")) == .noInput)
        }
    }

    @Test func whatCannotBeWrittenIsAnInputOutputError() throws {
        let directory = try TemporaryDirectory()
        try directory.create("in.jsonl", Self.good + "\n")
        #expect(TestWorld().run("audit", "--output", directory.file("no/such/folder"), directory.file("in.jsonl")) == .inputOutput)
        #expect(TestWorld().run("audit", "--output", directory.path, directory.file("in.jsonl")) == .inputOutput)
    }

    @Test func aLogOfConflictsIsNoTrace() throws {
        let directory = try TemporaryDirectory()
        try directory.create(
            "in.jsonl", #"{"v":1,"ts":"2026-01-15T12:00:00.000Z","seq":1,"source":"a","event":"log","opened":true}"# + "\n")
        let world = TestWorld()
        #expect(world.run("audit", directory.file("in.jsonl")) == .badData)
        #expect(world.errorText.contains("syncaudit report"))
    }
}
