import CompressedData
import Foundation
import SyncAuditCommands
import Testing

/// Compressed logs, as a person names them.
@Suite struct CompressedInputRunTests {
    private let world = TestWorld()
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func pack(_ name: String, _ text: String) throws -> String {
        try Data(compressed(text.utf8)).write(to: URL(fileURLWithPath: directory.file(name)))
        return directory.file(name)
    }

    private func output(_ arguments: [String]) -> String {
        let world = TestWorld()
        #expect(world.run(arguments) == .success, "\(world.errorText)")
        return world.output.text
    }

    @Test func everyVerbReadsThem() throws {
        try directory.create("plain/trace.jsonl", Trace.clash())
        let (plain, packed) = (directory.file("plain/trace.jsonl"), try pack("trace.gz", Trace.clash()))
        for arguments in [
            ["audit"], ["report"], ["report", "--format", "json"], ["tail", "-n", "3"], ["tail", "-n", "1", "--format", "json"],
        ] {
            #expect(!output(arguments + [plain]).isEmpty)
            #expect(output(arguments + [packed]) == output(arguments + [plain]))
            let world = TestWorld()
            world.redirect(from: packed)
            #expect(world.run(arguments + ["-"]) == .success)
            #expect(world.output.text == output(arguments + [plain]))
        }
    }

    @Test func aDirectoryHoldsThemToo() throws {
        try directory.create("b.jsonl", Trace.clash())
        _ = try pack("a.jsonl.gz", Trace.clash())
        _ = try pack("other.gz", Trace.clash())
        let both = output(["report", directory.path])
        #expect(both == output(["report", directory.file("a.jsonl.gz"), directory.file("b.jsonl")]))
        // While a file is compressed, the plain one is whole and the other is not yet.
        _ = try pack("b.jsonl.gz", "")
        #expect(output(["report", directory.path]) == both)
    }

    @Test func aDamagedOneIsBadDataWithItsPlace() throws {
        let path = directory.file("cut.gz")
        try Data(compressed(Trace.clash().utf8).dropLast(4)).write(to: URL(fileURLWithPath: path))
        for verb in ["audit", "report", "tail"] {
            let world = TestWorld()
            #expect(world.run(verb, path) == .badData)
            #expect(world.errorText.contains("syncaudit: \(path):"))
            #expect(world.errorText.contains("the gzip data are cut off"))
        }
    }

    @Test func followingOneIsRefusedInWords() throws {
        let path = try pack("old.gz", Trace.clash())
        #expect(world.run("tail", "-f", path) == .success)
        #expect(world.errorText.contains("the file is compressed, so that nothing will be written to it; it is not followed"))
    }
}
