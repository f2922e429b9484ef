import Foundation
import SyncModel
import Testing

@testable import AuditLog

/// Followed directories: their new files are followed, and a directory is not read once for each of them.
@Suite struct FollowedDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func follower(_ names: [String], isStopped: () -> Bool = { false }) -> LogFollower {
        LogFollower(
            paths: names.map(folder.file), directories: [FollowedDirectory(path: folder.path) { $0.hasSuffix(".jsonl") }],
            isStopped: isStopped)
    }

    private func lines(_ follower: inout LogFollower) -> [String] {
        var lines: [String] = []
        repeat {
            for case .line(let line) in follower.step() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
        } while follower.isBehind
        return lines
    }

    @Test func twoThousandFilesAndOneMoreAreFoundWithFewReadings() throws {
        let names = (0..<2000).map { "log-\($0).jsonl" }
        for name in names { try folder.write("old \(name)\n", to: name) }
        var follower = follower(names)
        follower.skipToEnd { _, _ in true }
        #expect(lines(&follower) == [])
        #expect(follower.names.readings <= 3)
        try folder.write("new\n", to: "log-2000.jsonl")
        try folder.append("more\n", to: "log-7.jsonl")
        #expect(lines(&follower).sorted() == ["more", "new"])
        #expect(follower.names.readings <= 6)
        try folder.append("again\n", to: "log-2000.jsonl")
        #expect(lines(&follower) == ["again"])
    }

    @Test func aNewFileIsReadFromItsFirstLine() throws {
        try folder.write("old\n", to: "a.jsonl")
        try folder.write("older\n", to: "a.jsonl.1")
        try folder.write("listed too late\n", to: "b.jsonl")
        var follower = follower(["a.jsonl"])
        follower.skipToEnd { _, _ in true }
        #expect(lines(&follower) == ["listed too late"])
        try folder.write("x\n", to: "c.jsonl")
        try folder.write("no log\n", to: "notes.txt")
        #expect(lines(&follower) == ["x"])
        try folder.write("begun", to: "d.jsonl")
        #expect(lines(&follower) == [])
        try folder.append(" and ended\n", to: "d.jsonl")
        #expect(lines(&follower) == ["begun and ended"])
    }

    @Test func aRotatedFileIsReadOnceAndReadOn() throws {
        try folder.write("one\n", to: "log.jsonl")
        var follower = follower(["log.jsonl"])
        #expect(lines(&follower) == ["one"])
        try folder.append("two\n", to: "log.jsonl")
        try folder.move("log.jsonl", to: "log-20260115.jsonl")
        try folder.write("three\n", to: "log.jsonl")
        try folder.append("late\n", to: "log-20260115.jsonl")
        #expect(lines(&follower) == ["two", "late", "three"])
        try folder.copy("log.jsonl", to: "log-20260116.jsonl")
        try folder.append("four\n", to: "log.jsonl")
        #expect(lines(&follower) == ["four"])
    }

    @Test func aRequestToStopEndsItBeforeTheNextFileIsOpened() throws {
        let names = (0..<10).map { "\($0).jsonl" }
        for name in names { try folder.write("x\n", to: name) }
        var asked = 0
        var follower = follower(names) {
            asked += 1
            return asked > 3
        }
        var looks = 0
        follower.skipToEnd { _, _ in
            looks += 1
            return false
        }
        #expect(asked == 4 && looks == 1)
    }
}
