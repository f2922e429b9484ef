import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncModel
import SyncOracle
import SyncSystem
import Testing

@testable import AuditLog

@Suite struct WriterTests {
    @Test func sinksKeepTheirPromises() async throws {
        let collecting = AuditSinkConformance {
            CollectingAuditSink()
        } kept: {
            $0.events
        }
        #expect(try await collecting.problems() == [])

        let broadcasting = AuditSinkConformance {
            Pair()
        } kept: { pair in
            #expect(pair.left.events == pair.right.events || pair.left.events.count > 100, "one thread's events come to both in one order")
            return pair.right.events
        }
        #expect(try await broadcasting.problems() == [])
    }

    @Test(arguments: [FlushPolicy.eachLine, .onDemand, .interval(.milliseconds(1))])
    func theWriterKeepsThePromisesOfASink(flush: FlushPolicy) async throws {
        let conformance = AuditSinkConformance {
            try Written(flush)
        } kept: { written in
            #expect(written.writer.flush())
            return try written.directory.lines().map(\.event).filter { $0.note == nil }
        }
        #expect(try await conformance.problems() == [])
    }

    /// The check itself must be able to fail.
    @Test func aSinkThatForgetsIsFound() async throws {
        let forgetful = AuditSinkConformance {
            CollectingAuditSink()
        } kept: {
            Array($0.events.dropLast())
        }
        #expect(try await !forgetful.problems().isEmpty)
        let reversing = AuditSinkConformance {
            CollectingAuditSink()
        } kept: {
            $0.events.reversed()
        }
        #expect(try await reversing.problems().count == 3)
    }

    @Test func sequenceGoesOnAcrossRestartsAndRotations() throws {
        let directory = try LogDirectory()
        for restart in 0..<4 {
            let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: 2000) }
            for number in 0..<25 { writer.record(.numbered(restart * 25 + number)) }
            writer.close()
        }
        let lines = try directory.lines()
        #expect(lines.numbers == Array(0..<100))
        #expect(lines.sequences == Array(1...UInt64(lines.count)))
        #expect(lines.notes.count { $0 == .opened } == 4)
        #expect(try directory.rotated.count == lines.notes.count { $0 == .rotated })
        #expect(lines.allSatisfy { $0.source == "device" })
    }

    @Test(arguments: [nil, "", "no line of ours\n", "[]\n{}\n"])
    func sequenceGoesOnWhereTheCurrentFileIsMissingOrEmpty(remainder: String?) throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: 1) }
        for number in 0..<3 { writer.record(.numbered(number)) }
        writer.close()
        // As after a crash between giving the old file its name and writing the first line of the new one.
        let last = try #require(try LogDirectory.lines(directory.current).sequences.last)
        let digits = String(last)
        let name =
            try #require(try directory.rotated.last).prefix(26) + String(repeating: "0", count: 20 - digits.count) + digits + ".jsonl"
        try FileManager.default.moveItem(atPath: directory.current, toPath: directory.path + "/" + name)
        if let remainder { try Data(remainder.utf8).write(to: URL(fileURLWithPath: directory.current)) }
        try directory.writer().close()
        var reader = AuditLogReader(isLenient: true)
        var sequences: [UInt64?] = []
        try reader.read(path: directory.current) { line, _ in sequences.append(line.sequence) }
        #expect(sequences == [last + 1])
    }

    @Test func filesAreForTheOwnerAlone() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: 1) }
        writer.record(.numbered(1))
        writer.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + name)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count > 2)
    }

    @Test func aWriterThatGoesAwayWritesWhatIsQueued() throws {
        let directory = try LogDirectory()
        do {
            let writer = try directory.writer()
            writer.record(.numbered(1))
            #expect(try directory.lines().numbers == [])
        }
        #expect(try directory.lines().numbers == [1])
    }

    @Test func aClosedWriterCountsWhatItIsGiven() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        writer.record(.numbered(1))
        #expect(writer.close())
        #expect(writer.close())
        writer.record(.numbered(2))
        #expect(writer.statistics.linesDropped == 1)
        #expect(writer.statistics.linesWritten == 2)
        #expect(try directory.lines().numbers == [1])
    }

    @Test func theThreadWritesWithoutBeingAsked() async throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.flush = .interval(.milliseconds(1)) }
        for number in 0..<20 {
            writer.record(.numbered(number))
            while try directory.lines().numbers.last != number { await Task.yield() }
        }
    }

    @Test func theThreadSleepsWhileThereIsNothingToWrite() async throws {
        let directory = try LogDirectory()
        let looksAtTheClock = Locked(0)
        var configuration = AuditLogWriter.Configuration()
        configuration.flush = .interval(.milliseconds(1))
        configuration.sync = .never
        let writer = try AuditLogWriter(directory: directory.path, source: "device", configuration: configuration) {
            looksAtTheClock.withLock { $0 += 1 }
            return WallTime(millisecondsSince1970: 1_768_485_600_000)
        }
        writer.record(.numbered(1))
        try await wait(until: { writer.statistics.linesQueued == 0 })
        // The thread may still have to go to sleep; one that looks every millisecond never stops.
        var looks: [Int] = []
        repeat {
            looks.append(looksAtTheClock.withLock { $0 })
            try await Task.sleep(for: .milliseconds(100))
        } while looksAtTheClock.withLock { $0 } != looks.last && looks.count < 20
        #expect(looksAtTheClock.withLock { $0 } == looks.last)
    }

    @Test func linesAreSyncedAfterTheIntervalThoughNoFurtherLineComes() async throws {
        let directory = try LogDirectory()
        let clock = ManualClock()
        let writer = try directory.writer(clock: clock) {
            $0.flush = .interval(.milliseconds(1))
            $0.sync = .interval(.seconds(60))
        }
        writer.record(.numbered(1))
        try await wait(until: { writer.statistics.linesQueued == 0 })
        #expect(writer.statistics.syncs == 1, "opening syncs")
        clock.advance(60_000)
        try await wait(until: { writer.statistics.syncs > 1 })
        #expect(writer.statistics.syncs == 2)
    }

    @Test func aSyncThatFailedIsTriedAgainAlsoWhereLinesAreWrittenOnDemand() async throws {
        let directory = try LogDirectory()
        let clock = ManualClock()
        let fails = Locked(false)
        var calls = SystemCalls()
        let real = SystemCalls()
        calls.synchronize = { fails.withLock { $0 } ? -Int(Errno.inputOutput) : real.synchronize($0) }
        let writer = try directory.writer(clock: clock, calls: calls) { $0.sync = .interval(.milliseconds(10)) }
        writer.record(.numbered(1))
        fails.withLock { $0 = true }
        #expect(!writer.flush())
        fails.withLock { $0 = false }
        clock.advance(100)
        try await wait(until: { writer.statistics.syncs > 1 })
        #expect(writer.statistics.syncs == 2)
    }

    @Test func aLineIsWrittenThoughTheThreadWasWokenBeforeIt() async throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.flush = .interval(.milliseconds(5)) }
        for number in 0..<5 {
            writer.record(.numbered(number))
            try await wait(until: { writer.statistics.linesQueued == 0 })
            #expect(writer.statistics.linesQueued == 0, "line \(number)")
        }
    }

    @Test func theThreadIsWaitedForToItsEnd() throws {
        let isDone = Locked(false)
        let thread = try #require(
            BackgroundThread {
                Thread.sleep(forTimeInterval: 0.05)
                isDone.withLock { $0 = true }
            })
        thread.join()
        #expect(isDone.withLock { $0 })
    }

    @Test func syncsAsThePolicySays() throws {
        let directory = try LogDirectory()
        let clock = ManualClock()
        let each = try directory.writer(clock: clock) {
            $0.flush = .eachLine
            $0.sync = .eachBatch
        }
        for number in 0..<5 { each.record(.numbered(number)) }
        #expect(each.statistics.syncs == 6)
        each.close()
        let never = try directory.writer(clock: clock) { $0.flush = .eachLine }
        never.record(.numbered(5))
        never.close()
        #expect(never.statistics.syncs == 0)
        let interval = try directory.writer(clock: clock) {
            $0.flush = .eachLine
            $0.sync = .interval(.seconds(86_400))
        }
        #expect(interval.statistics.syncs == 1, "opening syncs")
        interval.record(.numbered(6))
        #expect(interval.statistics.syncs == 1)
        clock.advance(86_400_000)
        interval.record(.numbered(7))
        #expect(interval.statistics.syncs == 2)
        interval.record(.numbered(8))
        interval.flush()
        #expect(interval.statistics.syncs == 3)
    }

    private struct Pair: AuditSink {
        let left = CollectingAuditSink()
        let right = CollectingAuditSink()

        func record(_ event: AuditEvent) { BroadcastingAuditSink([left, right]).record(event) }
    }

    private struct Written: AuditSink {
        let directory: LogDirectory
        let writer: AuditLogWriter

        init(_ flush: FlushPolicy) throws {
            directory = try LogDirectory()
            writer = try directory.writer { $0.flush = flush }
        }

        func record(_ event: AuditEvent) { writer.record(event) }
    }
}
