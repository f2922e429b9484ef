import ChildProcess
import DocumentationPages
import Foundation
import TemporaryDirectory
import Testing

/// The README's program is one that runs as it is, and prints and logs what the README says.
@Suite struct ReadmeProgramTests {
    static let source = "Tests/TwoDevices/main.swift"

    @Test func theReadmeShowsAllOfIt() throws {
        let blocks = try SnippetTests.blocks(of: "swift", in: "README.md")
        #expect(blocks.map { $0.lines.joined(separator: "\n") + "\n" } == [try Repository.text(Self.source)])
    }

    @Test func itPrintsAndLogsWhatTheReadmeSays() throws {
        let directory = try TemporaryDirectory()
        let tests = ChildProcess.helperDirectory
        let process = try ChildProcess(path: "/bin/sh", ["-c", #"cd "$1" && exec "$2/TwoDevices""#, "sh", directory.path, tests])
        process.closeInput()
        let printed = String(decoding: process.readToEnd(), as: UTF8.self)
        #expect(process.wait() == 0)
        let readme = try Repository.text("README.md")
        let lines = printed.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { #expect(readme.contains("`\(line)`")) }
        let report = try Command.output(["report", directory.file("cards-log")])
        #expect(report.hasPrefix("1 edit was lost in 2 conflicts\n"))
    }
}
