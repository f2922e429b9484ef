import ChildProcess
import CommandWorld
import Foundation
import SyncAuditCommands
import Testing

/// Watched exports as processes that are killed, or find a disk full.
@Suite struct CounterFileRunTests {
    private let directory: TemporaryDirectory
    private let exports: CounterExport

    init() throws {
        directory = try TemporaryDirectory()
        exports = try CounterExport(directory)
    }

    @Test func aProcessKilledAtAnyTimeCountsEachLineOnce() throws {
        var last = 0
        for (index, group) in CounterExport.groups.enumerated() {
            let log = directory.file("logs/\(index / 7).jsonl")
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log), creating: true)
            handle.write(Data(group.utf8))
            try handle.close()
            let child = try ChildProcess(
                helper: "syncaudit", ["export", "--watch", "100ms", "-o", directory.file("out.prom"), directory.file("logs")])
            usleep(UInt32(index) * 1500)
            child.signal(SIGKILL)
            child.wait()
            let now = exports.conflicts ?? 0
            #expect(now >= last && now <= index + 1)
            last = now
        }
        try exports.run()
        #expect(exports.conflicts == 30)
        #expect(exports.counters()["syncaudit_writes_total"] == 60)
    }

    @Test func aFullDiskLeavesCountersAndOutputAsTheyWere() throws {
        try directory.create("logs/a.jsonl", CounterExport.groups[0])
        try exports.run()
        let (output, counters) = (directory.content("out.prom"), directory.content("out.prom.counters"))
        try directory.create("logs/a.jsonl", CounterExport.groups[..<2].joined())
        // No file may grow beyond a kilobyte, which is told as an error where the signal is ignored.
        let command = ChildProcess.helperDirectory + "syncaudit"
        let script = #"trap '' XFSZ; ulimit -f 1; exec "$1" export --watch 100ms -o "$2" "$3""#
        let outcome = ChildProcess.run(["sh", "-c", script, "sh", command, directory.file("out.prom"), directory.file("logs")])
        #expect(outcome.status == ExitCode.inputOutput.rawValue)
        #expect(outcome.errors.contains("failed: File too large"))
        #expect(directory.content("out.prom") == output && directory.content("out.prom.counters") == counters)
        try exports.run()
        #expect(exports.conflicts == 2)
    }
}

extension FileHandle {
    /// Opens a file at its end, which is made where there is none.
    fileprivate convenience init(forWritingTo url: URL, creating: Bool) throws {
        let descriptor = unsafe open(url.path, O_WRONLY | O_APPEND | (creating ? O_CREAT : 0), 0o644)
        try #require(descriptor >= 0)
        self.init(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
