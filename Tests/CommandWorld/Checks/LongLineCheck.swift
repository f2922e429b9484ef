import Foundation
import SyncAuditCommands
import Testing

/// A line that is longer than any that is read: it is refused, or passed over, without being held.
package struct LongLineCheck {
    private let directory: TemporaryDirectory
    private let world = TestWorld()

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    /// The file is made as long with zero bytes, which take no room on disk.
    private func lengthen(_ path: String, to count: UInt64) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: count)
        try file.close()
    }

    /// Such a line at the end of a trace.
    package func atTheEnd(_ count: UInt64) throws {
        let path = try directory.path(Trace.clash())
        try lengthen(path, to: count)
        #expect(world.run("audit", path, "--output", directory.file("out")) == .badData)
        #expect(world.errorText.hasPrefix("syncaudit: \(path):3: the line is longer than"))
        #expect(directory.names == ["trace.jsonl"])
        #expect(world.run("audit", "--lenient", path) == .success)
    }

    /// Such a line alone.
    package func alone(_ count: UInt64) throws {
        let path = try directory.path("")
        try lengthen(path, to: count)
        #expect(world.run("audit", "--lenient", path) == .badData)
        #expect(world.errorText.contains("no line of it could be understood; the first problem: \(path):1: the line is longer than"))
    }

    /// A line that begins as a write does, before a good one.
    package func longText(_ count: Int) throws {
        let good = Trace.put("x", at: 0, #"{"v":1}"#)
        try directory.create("in.jsonl", #"{"event":"write","x":""# + String(repeating: "x", count: count) + "\"}\n" + good)
        let path = directory.file("in.jsonl")
        #expect(world.run("audit", path) == .badData)
        #expect(world.errorText.contains("in.jsonl:1: the line is longer than"))
        let lenient = TestWorld()
        #expect(lenient.run("audit", "--lenient", path) == .success)
        #expect(lenient.errorText.contains("1 write, no conflict"))
        #expect(lenient.errorText.contains("1 line passed over that could not be understood, the first at"))
    }
}
