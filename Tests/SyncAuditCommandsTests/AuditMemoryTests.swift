import Foundation
import Testing

@testable import SyncAuditCommands

/// `audit --memory` and `--grouped` with few writes; `AuditMemoryHistories` has as many as pass between two looks at the memory in use.
@Suite struct AuditMemoryTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func whatDoesNotFitIntoMemoryComesOutTheSame() throws {
        try MemoryCheck(records: 20, writes: 150, writesPerLook: 10).whatDoesNotFit()
    }

    @Test func recordsOneAfterTheOtherNeedTheMemoryOfOne() throws {
        try MemoryCheck(records: 20, writes: 150, writesPerLook: 10).oneAfterTheOther()
    }

    @Test func aRecordThatComesAgainIsNoGroup() throws {
        let lines = [
            Trace.put("a", 1, at: 0, "1", #"{"v":1}"#), Trace.put("a", 2, at: 1, "2", #"{"v":1}"#),
            Trace.put("a", 3, at: 2, "1", #"{"v":2}"#),
        ]
        let world = TestWorld()
        let path = try directory.path(lines.joined())
        #expect(world.run("audit", "--grouped", path) == .badData)
        let type = lines[0].firstMatch(of: #/"recordType":"(\w+)"/#).map { String($0.1) } ?? ""
        let sentence = "\(path):3: the record \"\(type)\" \"1\" comes again after writes to others, so the input is not grouped by record"
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    @Test(arguments: [
        (["--memory", "1", "--unique", "T.f"], "look across records"), (["--grouped", "--reference", "T.f=T"], "look across records"),
        (["--grouped", "--memory", "1G"], "one record is in memory"), (["--joined", "--memory", "1G"], "held in memory whole"),
        (["--memory", "0"], "out of range"), (["--memory", "2Q"], "is not a size"), (["--memory", "9999999T"], "out of range"),
    ])
    func whatCannotBeIsSaid(arguments: [String], sentence: String) throws {
        let world = TestWorld()
        #expect(world.run(["audit"] + arguments + [try directory.path(Trace.clash())]) == .usage)
        #expect(world.errorText.contains(sentence), "\(world.errorText)")
    }

    @Test func noRoomForFilesIsSaid() throws {
        let path = try directory.path(MemoryCheck.trace(records: 40, writes: 100).joined())
        let world = TestWorld()
        world.environment["TMPDIR"] = directory.file("none")
        var context = world.context
        context.writesPerLook = 10
        let arguments = ["audit", "--memory", "1", "-o", directory.file("out.jsonl"), path]
        #expect(SyncAudit.run(arguments: arguments, context: context) == .inputOutput)
        #expect(world.errorText.contains("do not fit into memory, and no temporary file can be made in"), "\(world.errorText)")
        #expect(directory.names == ["trace.jsonl"])
    }

    @Test func noFileIsLeftBehind() throws {
        let path = try directory.path(MemoryCheck.trace(records: 40, writes: 100).joined())
        try directory.create("tmp/keep")
        let world = TestWorld()
        world.environment["TMPDIR"] = directory.file("tmp")
        var context = world.context
        context.writesPerLook = 10
        #expect(SyncAudit.run(arguments: ["audit", "--memory", "1", path], context: context) == .success)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("tmp")) == ["keep"])
    }
}
