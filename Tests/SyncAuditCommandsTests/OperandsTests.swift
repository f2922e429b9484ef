import Foundation
import SyncAuditCommands
import Testing

@Suite struct OperandsTests {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func inputs(_ operands: String...) throws -> [CommandInput] {
        try sampleVerb.parse(["--"] + operands).inputs(world.context)
    }

    private func files(_ names: String...) -> [CommandInput] { names.map { .file(directory.file($0)) } }

    @Test func withoutOperandsStandardInputIsReadUnlessItIsATerminal() throws {
        #expect(try inputs() == [.standardInput])
        world.terminals.input = true
        #expect(throws: UsageError("there is nothing to read: name files, or '-' to read from the terminal", verb: "sample")) {
            try inputs()
        }
        #expect(try inputs("-") == [.standardInput])
    }

    @Test func filesAreTakenAsTheyAreInTheirOrder() throws {
        try directory.create("b")
        try directory.create("a.txt")
        #expect(try inputs(directory.file("b"), "-", directory.file("a.txt")) == files("b") + [.standardInput] + files("a.txt"))
        #expect(throws: UsageError.self) { try inputs("-", "-") }
    }

    @Test func aPatternIsExpandedInTheOrderOfNames() throws {
        for name in ["log-2.jsonl", "log-1.jsonl", "log-10.jsonl", "other"] { try directory.create(name) }
        #expect(try inputs(directory.file("log-*.jsonl")) == files("log-1.jsonl", "log-10.jsonl", "log-2.jsonl"))
        #expect(try inputs(directory.file("log-?.jsonl")) == files("log-1.jsonl", "log-2.jsonl"))
        #expect(try inputs(directory.file("log-[2-9].jsonl")) == files("log-2.jsonl"))
    }

    @Test func aFileWhoseNameLooksLikeAPatternIsItself() throws {
        try directory.create("a*")
        try directory.create("ab")
        #expect(try inputs(directory.file("a*")) == files("a*"))
    }

    @Test func aDirectoryStandsForItsLogs() throws {
        for name in ["logs/b.jsonl", "logs/a.jsonl", "logs/c.txt", "logs/.hidden.jsonl", "logs/d.jsonl/e.jsonl"] {
            try directory.create(name)
        }
        #expect(try inputs(directory.file("logs")) == files("logs/a.jsonl", "logs/b.jsonl"))
        #expect(try inputs(directory.file("logs/")) == files("logs/a.jsonl", "logs/b.jsonl"))
        #expect(try inputs(directory.file("lo*")) == files("logs/a.jsonl", "logs/b.jsonl"))
    }

    @Test func whatIsNotThereIsExplained() throws {
        try directory.create("empty/c.txt")
        try directory.create("file")
        for (name, problem) in [
            ("none", "there is no such file or directory"),
            ("file/child", "there is no such file or directory"),
            ("none-*", "no file matches the pattern"),
            ("empty", "the directory holds no .jsonl and no .jsonl.gz file"),
        ] {
            let path = directory.file(name)
            #expect(throws: CommandError(.noInput, "\(path): \(problem)")) { try inputs(path) }
        }
    }

    @Test func aLinkToNothingThatLooksLikeAPatternIsNotFollowedForEver() throws {
        let path = directory.file("a*")
        try #require(unsafe symlink("nowhere", path) == 0)
        #expect(throws: CommandError(.noInput, "\(path): cannot be read: it is a link to nothing")) { try inputs(path) }
    }

    /// Names are bytes: to Swift an é of one character equals an é of two.
    @Test func namesThatDifferByTheirUnicodeFormAreTwoFiles() throws {
        for name in ["\u{e9}.jsonl", "e\u{301}.jsonl", "n\u{303}.jsonl.gz", "\u{f1}.jsonl"] { try directory.create("logs/" + name, name) }
        // A file system that takes them for one has two of them.
        let count = try FileManager.default.contentsOfDirectory(atPath: directory.file("logs")).count
        #expect(try inputs(directory.file("logs")).count == count)
    }

    @Test func aNameThatIsNoUTF8IsNotSaidToBeMissing() throws {
        let bytes = Array(directory.file("x").utf8.dropLast()) + [0xff] + Array(".jsonl\0".utf8)
        let descriptor = unsafe bytes.withUnsafeBufferPointer { name in
            unsafe name.withMemoryRebound(to: CChar.self) { unsafe open($0.baseAddress.unsafelyUnwrapped, O_CREAT | O_WRONLY, 0o600) }
        }
        try #require(descriptor >= 0, "the file system takes no such name")
        close(descriptor)
        for operand in [directory.path, directory.file("*.jsonl"), directory.file("\u{fffd}.jsonl")] {
            #expect {
                try inputs(operand)
            } throws: {
                ($0 as? CommandError)?.sentence?.contains("is no UTF-8") == true
            }
        }
    }
}
