import ConflictAudit
import Foundation
import SyncModel
import SyncSystem
import Synchronization
import Testing

@testable import SyncAuditCommands

/// `tail -f`: run beside the test, with its output in a pipe and a pipe that stops it.
@Suite(.timeLimit(.minutes(10))) struct TailFollowTests {
    /// A running `tail -f`.
    private final class Running {
        private let output = Pipe()
        private let stop = Pipe()
        private let background: Background<ExitCode>
        private var unread = ""

        init(_ arguments: [String], standardInput: Int32 = -1) {
            let outputEnd = output.fileHandleForWriting.fileDescriptor
            let stopEnd = stop.fileHandleForReading.fileDescriptor
            let notes = Notes()
            self.notes = notes
            background = Background {
                var context = CommandContext(
                    output: DescriptorWriter(descriptor: outputEnd, name: "output"),
                    errorText: { text in notes.text.withLock { $0 += text } },
                    standardInput: standardInput, now: { 1_768_500_000_000 })
                context.outputDescriptor = outputEnd
                context.catchStopSignals = { stopEnd }
                return SyncAudit.run(arguments: ["tail", "-f"] + arguments, context: context)
            }
        }

        private final class Notes: Sendable { let text = Mutex("") }
        private let notes: Notes
        var errorText: String { notes.text.withLock { $0 } }

        /// Waits for so many lines of output.
        func lines(_ count: Int) async throws -> [String] {
            func isThere() -> Bool { unread.count { $0 == "\n" } >= count }
            try await wait {
                if isThere() { return true }
                var ready = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&ready, 1, 0) == 1 else { return false }
                unread += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                return isThere()
            }
            let lines = unread.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            // The last may be half a line.
            unread = lines.dropFirst(count).joined(separator: "\n")
            return Array(lines.prefix(count))
        }

        func words(_ count: Int) async throws -> [String] { try await lines(count).flatMap(TailSample.words) }

        func waitForNote(_ text: String) async throws { try await wait { errorText.contains(text) } }

        /// Asks it to stop and waits for its end.
        func end() async -> ExitCode {
            try? stop.fileHandleForWriting.write(contentsOf: Data([0]))
            return await background.value
        }

        var exitCode: ExitCode { get async { await background.value } }

        func closeOutput() throws { try output.fileHandleForReading.close() }
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        CommandContext.ignoreBrokenPipes()
    }

    private func append(_ text: String, to name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: directory.file(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test func theLastLinesAndThenThoseThatCome() async throws {
        try directory.create("log", (1...20).map { TailSample.account("s\($0)", at: $0) }.joined())
        let tail = Running(["-n", "2", directory.file("log")])
        #expect(try await tail.words(2) == ["s19", "s20"])
        try append(TailSample.account("s21"), to: "log")
        #expect(try await tail.words(1) == ["s21"])
        try append("torn\n" + TailSample.account("s22"), to: "log")
        #expect(try await tail.words(1) == ["s22"])
        try await tail.waitForNote("a line was passed over that could not be understood")
        try append("torn again\n" + TailSample.account("s23"), to: "log")
        #expect(try await tail.words(1) == ["s23"])
        #expect(await tail.end() == .success)
        #expect(tail.errorText.contains("syncaudit: 2 lines passed over that could not be understood"))
    }

    @Test func severalFilesThroughRotationFilteredAsJSON() async throws {
        try directory.create("a")
        let tail = Running(["--format", "json", "--severity", "lossy", directory.file("a"), directory.file("b")])
        try await tail.waitForNote("\(directory.file("b")): there is no such file yet")
        try append(TailSample.conflict("one") + TailSample.conflict("no", severity: .benign) + TailSample.account("no"), to: "a")
        #expect(try await tail.lines(1) == [String(TailSample.conflict("one").dropLast())])
        try directory.create("b", TailSample.conflict("two"))
        #expect(try await tail.lines(1) == [String(TailSample.conflict("two").dropLast())])
        try FileManager.default.moveItem(atPath: directory.file("a"), toPath: directory.file("a.1"))
        try append(TailSample.conflict("late"), to: "a.1")
        try directory.create("a", TailSample.conflict("three"))
        #expect(try await tail.lines(2) == [TailSample.conflict("late"), TailSample.conflict("three")].map { String($0.dropLast()) })
        #expect(await tail.end() == .success)
    }

    @Test func whatWasWrittenBeforeTheStopIsShown() async throws {
        try directory.create("log", TailSample.account("first"))
        let tail = Running([directory.file("log")])
        #expect(try await tail.words(1) == ["first"])
        try append(TailSample.account("last") + TailSample.account("unfinished").dropLast(), to: "log")
        #expect(await tail.end() == .success)
        #expect(try await tail.words(2) == ["last", "unfinished"])
    }

    @Test func newFilesOfADirectoryAreFollowed() async throws {
        let logs = directory.file("logs")
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
        let tail = Running([logs])
        try directory.create("logs/a.jsonl", TailSample.account("first"))
        #expect(try await tail.words(1) == ["first"])
        try directory.create("logs/b.jsonl", TailSample.account("second"))
        #expect(try await tail.words(1) == ["second"])
        try append(TailSample.account("third"), to: "logs/a.jsonl")
        #expect(try await tail.words(1) == ["third"])
        #expect(await tail.end() == .success)
        #expect(tail.errorText.contains("b.jsonl: the file has appeared"))
    }

    @Test func aStopBeforeTheLastLinesAreKnownEndsItAtOnce() throws {
        try directory.create("log", TailSample.account("first"))
        let world = TestWorld()
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data([0]))
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var context = world.context
        context.catchStopSignals = { descriptor }
        #expect(SyncAudit.run(arguments: ["tail", "-f", directory.file("log")], context: context) == .success)
        #expect(world.output.text == "")
    }

    @Test func itEndsWhenNobodyReadsOn() async throws {
        try directory.create("log", TailSample.account("first"))
        let tail = Running([directory.file("log")])
        #expect(try await tail.words(1) == ["first"])
        try tail.closeOutput()
        #expect(await tail.exitCode == .success)
    }

    @Test func standardInputIsFollowedToItsEnd() async throws {
        let pipe = Pipe()
        let tail = Running(["-n", "1", "-"], standardInput: pipe.fileHandleForReading.fileDescriptor)
        try pipe.fileHandleForWriting.write(contentsOf: Data((TailSample.account("one") + TailSample.account("two")).utf8))
        #expect(try await tail.words(2) == ["one", "two"])
        try pipe.fileHandleForWriting.write(contentsOf: Data(TailSample.account("three").dropLast().utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try await tail.words(1) == ["three"])
        #expect(await tail.exitCode == .success)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func aSignalIsToldOf(number: Int32) async {
        await #expect(processExitsWith: .exitCode(23)) { [number = number as Int32] in
            let stop = StopSignals.catch()
            // To the process, as a terminal sends it: the thread of this closure may hold signals back.
            kill(getpid(), number)
            var ready = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
            exit(unsafe poll(&ready, 1, 600_000) == 1 ? 23 : 1)
        }
    }

    @Test func aSecondSignalEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let stop = StopSignals.catch()
            kill(getpid(), SIGINT)
            var ready = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
            unsafe poll(&ready, 1, 600_000)
            kill(getpid(), SIGINT)
            sleep(600)
        }
    }
}
