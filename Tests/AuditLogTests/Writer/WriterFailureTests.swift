import AuditLog
import ChildProcess
import ConflictAudit
import Foundation
import SyncModel
import SyncOracle
import SyncSystem
import Testing

/// Nothing that the disk does stops the app or loses a line without a count.
@Suite struct WriterFailureTests {
    @Test func aFullQueueDropsCountsAndGoesOn() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.maximumQueuedLines = 10 }
        for number in 0..<25 { writer.record(.numbered(number)) }
        #expect(writer.statistics.linesDropped == 15)
        #expect(writer.statistics.linesQueued == 10)
        writer.flush()
        for number in 25..<30 { writer.record(.numbered(number)) }
        writer.close()
        let lines = try directory.lines()
        #expect(lines.numbers == Array(0..<10) + Array(25..<30))
        #expect(lines.dropped == 15)
        lines.expectNumberedWithoutUnexplainedGaps()
    }

    @Test func whatIsDroppedDuringAWriteIsCountedThoughTheProcessEndsThere() throws {
        let directory = try LogDirectory()
        let during = Locked<(@Sendable () -> Void)?>(nil)
        var calls = SystemCalls()
        let real = SystemCalls()
        unsafe calls.write = { descriptor, bytes in
            let body = during.withLock { during in
                defer { during = nil }
                return during
            }
            body?()
            return unsafe real.write(descriptor, bytes)
        }
        let writer = try directory.writer(calls: calls) { $0.maximumQueuedLines = 10 }
        for number in 0..<10 { writer.record(.numbered(number)) }
        during.withLock { $0 = { for number in 10..<13 { writer.record(.numbered(number)) } } }
        writer.flush()
        #expect(writer.statistics.linesDropped == 3)
        // What the next process finds if this one ends now.
        let copy = try LogDirectory()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            try FileManager.default.copyItem(atPath: directory.path + "/" + name, toPath: copy.path + "/" + name)
        }
        try copy.writer().close()
        let lines = try copy.lines()
        #expect(lines.numbers == Array(0..<10))
        #expect(lines.dropped == 3)
        lines.expectNumberedWithoutUnexplainedGaps()
    }

    @Test func aWriteThatASignalInterruptsIsNoFailure() throws {
        let directory = try LogDirectory()
        let isInterrupted = Locked(false)
        var calls = SystemCalls()
        let real = SystemCalls()
        unsafe calls.write = { descriptor, bytes in
            let isNext = isInterrupted.withLock { isNext in
                defer { isNext.toggle() }
                return !isNext
            }
            return isNext ? -Int(EINTR) : unsafe real.write(descriptor, bytes)
        }
        let writer = try directory.writer(calls: calls)
        writer.record(.numbered(1))
        #expect(writer.flush())
        #expect(writer.statistics.failures == 0)
        #expect(try directory.lines().numbers == [1])
    }

    @Test func aBatchIsOneWrite() throws {
        let directory = try LogDirectory()
        let writes = Locked<[Int]>([])
        var calls = SystemCalls()
        let real = SystemCalls()
        unsafe calls.write = { descriptor, bytes in
            let lines = unsafe bytes.count { $0 == 0x0a }
            writes.withLock { $0.append(lines) }
            return unsafe real.write(descriptor, bytes)
        }
        let writer = try directory.writer(calls: calls)
        for number in 0..<1000 { writer.record(.numbered(number)) }
        writer.flush()
        writer.flush()
        // The line `opened`, the batch.
        #expect(writes.withLock { $0 } == [1, 1000])
    }

    @Test func whatCouldNotBeWrittenIsToldOnClosing() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        try FileManager.default.removeItem(atPath: directory.current)
        try FileManager.default.createDirectory(atPath: directory.current, withIntermediateDirectories: false)
        for number in 0..<3 { writer.record(.numbered(number)) }
        #expect(!writer.close())
        #expect(writer.statistics.linesQueued == 3)
        try FileManager.default.removeItem(atPath: directory.current)
        #expect(!writer.flush(), "a closed writer writes no more, since another may have the log")
        #expect(!FileManager.default.fileExists(atPath: directory.current))
    }

    @Test func aLineThatNeverFitsIsDroppedAlone() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.maximumQueuedBytes = 2000 }
        for number in 0..<5 { writer.record(.numbered(number, padding: number == 2 ? 5000 : 0)) }
        writer.close()
        let lines = try directory.lines()
        #expect(lines.numbers == [0, 1, 3, 4])
        #expect(lines.dropped == 1)
        lines.expectNumberedWithoutUnexplainedGaps()
    }

    @Test func aDeletedFileIsMadeAgain() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.flush = .eachLine }
        writer.record(.numbered(1))
        try FileManager.default.removeItem(atPath: directory.current)
        writer.record(.numbered(2))
        #expect(try directory.lines().numbers == [2])
        #expect(try directory.lines().sequences == [3])
        try FileManager.default.removeItem(atPath: directory.path)
        writer.record(.numbered(3))
        #expect(try directory.lines().numbers == [3])
        #expect(try FileManager.default.attributesOfItem(atPath: directory.current)[.posixPermissions] as? Int == 0o600)
        #expect(#expect(throws: AuditLogError.self) { try directory.writer() }?.code == .inUse, "the lock is taken again")
    }

    /// Whoever waits for the lock gets it as soon as it is let go of, however briefly.
    @Test(.timeLimit(.minutes(10))) func theLockIsKeptWhereTheFileAloneIsDeleted() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.flush = .eachLine }
        let descriptor = unsafe open(directory.path + "/audit.lock", O_RDWR)
        defer { close(descriptor) }
        let isTaken = Locked(false)
        Thread.detachNewThread {
            _ = flock(descriptor, LOCK_EX)
            isTaken.withLock { $0 = true }
        }
        Thread.sleep(forTimeInterval: 0.05)
        for number in 0..<1000 {
            try? FileManager.default.removeItem(atPath: directory.current)
            writer.record(.numbered(number))
        }
        #expect(!isTaken.withLock { $0 })
        #expect(writer.statistics.failures == 0)
        writer.close()
        while !isTaken.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
    }

    /// A process that another thread is just starting has copies of all descriptors for an instant.
    @Test func theLockIsGivenBackWhoeverSharesItsDescriptor() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        var lock = stat()
        try #require(unsafe stat(directory.path + "/audit.lock", &lock) == 0)
        let copies = (0..<Int32(1024)).compactMap { descriptor -> Int32? in
            var file = stat()
            guard unsafe fstat(descriptor, &file) == 0, file.st_ino == lock.st_ino, file.st_dev == lock.st_dev else { return nil }
            return dup(descriptor)
        }
        defer { for copy in copies { close(copy) } }
        try #require(!copies.isEmpty)
        writer.close()
        try directory.writer().close()
    }

    @Test func aFileMovedAwayIsLeftAlone() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.flush = .eachLine }
        writer.record(.numbered(1))
        try FileManager.default.moveItem(atPath: directory.current, toPath: directory.path + "/audit-moved.jsonl")
        writer.record(.numbered(2))
        #expect(try LogDirectory.lines(directory.path + "/audit-moved.jsonl").numbers == [1])
        #expect(try LogDirectory.lines(directory.current).numbers == [2])
    }

    /// System calls that fail.
    ///
    /// - Parameters:
    ///   - failures: How many bytes the next writes write, the last one first; below 0 as many less than they should, and 0 is a failure.
    ///   - canTruncate: Whether files can be cut off.
    private static func calls(_ failures: Locked<[Int]>, _ canTruncate: Locked<Bool>) -> SystemCalls {
        var calls = SystemCalls()
        let real = SystemCalls()
        unsafe calls.write = { descriptor, bytes in
            switch failures.withLock({ $0.popLast() }) {
            case nil: return unsafe real.write(descriptor, bytes)
            case 0?: return -Int(ENOSPC)
            case let count?:
                let end = count < 0 ? bytes.count + count : count
                return unsafe real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            }
        }
        calls.truncate = { canTruncate.withLock({ $0 }) ? real.truncate($0, $1) : -Int(EIO) }
        return calls
    }

    @Test func halfALineOfSomebodyElseIsKept() throws {
        let directory = try LogDirectory()
        let text = "half a line"
        let (failures, canTruncate) = (Locked<[Int]>([]), Locked(false))
        let writer = try directory.writer(calls: Self.calls(failures, canTruncate))
        writer.record(.numbered(1))
        failures.withLock { $0 = [0, text.utf8.count] }
        #expect(!writer.flush())
        canTruncate.withLock { $0 = true }
        #expect(writer.flush())

        let aside = directory.path + "/aside"
        try FileManager.default.moveItem(atPath: directory.current, toPath: aside)
        writer.record(.numbered(2))
        #expect(writer.flush())
        let file = try #require(FileHandle(forWritingAtPath: aside))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
        try FileManager.default.removeItem(atPath: directory.current)
        try FileManager.default.moveItem(atPath: aside, toPath: directory.current)
        writer.record(.numbered(3))
        #expect(writer.flush())
        #expect(try String(contentsOfFile: directory.current, encoding: .utf8).contains("\n\(text)\n"))
    }

    /// A part of a line, or all but its line break, that is not cut off before the file is opened anew.
    @Test(arguments: [11, -1]) func aLineThatWasWrittenInPartIsThereOnceAndNotToldOf(part: Int) throws {
        let directory = try LogDirectory()
        let (failures, canTruncate) = (Locked<[Int]>([]), Locked(false))
        let writer = try directory.writer(calls: Self.calls(failures, canTruncate))
        writer.record(.numbered(1))
        failures.withLock { $0 = [0, part] }
        #expect(!writer.flush())
        canTruncate.withLock { $0 = true }
        #expect(writer.flush())
        let lines = try directory.lines()
        #expect(lines.numbers == [1])
        #expect(lines.recovered == [])
    }

    /// A directory where the file should be: the log waits, backs off, and goes on when the way is free.
    @Test func attemptsBackOffAndTheLogResumes() throws {
        let directory = try LogDirectory()
        let clock = ManualClock()
        let writer = try directory.writer(clock: clock) { $0.flush = .eachLine }
        try FileManager.default.removeItem(atPath: directory.current)
        try FileManager.default.createDirectory(atPath: directory.current, withIntermediateDirectories: false)
        for number in 0..<50 { writer.record(.numbered(number)) }
        #expect(writer.statistics.failures == 1, "not tried again before 100 ms are over")
        for _ in 0..<100 {
            clock.advance(100)
            writer.record(.numbered(0))
        }
        #expect((5...9).contains(writer.statistics.failures), "after 100, 200, 400 … ms")
        #expect(writer.statistics.lastFailure?.contains("audit.jsonl") == true)
        try FileManager.default.removeItem(atPath: directory.current)
        clock.advance(30_000)
        writer.record(.numbered(50))
        let lines = try directory.lines()
        #expect(lines.numbers == Array(0..<50) + [Int](repeating: 0, count: 100) + [50])
        #expect(lines.dropped == 0)
    }

    @Test(.enabled(if: Tmpfs.isPermitted, "mounting a file system needs rights that this process lacks"))
    func aFullDiskIsSurvived() throws {
        let directory = try LogDirectory()
        let tmpfs = try Tmpfs(directory.path, bytes: 256 * 1024)
        defer { tmpfs.unmount() }
        let filler = directory.path + "/filler"
        try Data(count: 128 * 1024).write(to: URL(fileURLWithPath: filler))
        let clock = ManualClock()
        let writer = try directory.writer(clock: clock) {
            $0.flush = .eachLine
            $0.maximumQueuedBytes = 20_000
        }
        var count = 0
        while writer.statistics.linesDropped < 500 {
            writer.record(.numbered(count, padding: count % 200))
            count += 1
            clock.advance(20)
            try #require(count < 100_000)
        }
        #expect(writer.statistics.failures > 1)
        #expect(writer.statistics.lastFailure?.contains("No space") == true)
        try FileManager.default.removeItem(atPath: filler)
        clock.advance(30_000)
        for _ in 0..<100 {
            writer.record(.numbered(count))
            count += 1
        }
        writer.close()
        let lines = try directory.lines()
        #expect(lines.dropped >= 500)
        #expect(lines.dropped == count - lines.numbers.count)
        lines.expectNumberedWithoutUnexplainedGaps()
    }

    @Test(
        .enabled(if: Tmpfs.isPermitted),
        arguments: [true, false])
    func afterAFullDiskTheNextOpeningReportsHowManyLinesAreMissing(isKilled: Bool) throws {
        let directory = try LogDirectory()
        let tmpfs = try Tmpfs(directory.path, bytes: 256 * 1024)
        defer { tmpfs.unmount() }
        let filler = directory.path + "/filler"
        // The process that is killed records 3000 lines of more than 300 bytes.
        try Data(count: 128 * 1024).write(to: URL(fileURLWithPath: filler))
        let count = 3000
        if isKilled {
            let helper = try ChildProcess(helper: "AuditLogProcess", ["write", directory.path, "each", "0"])
            while let line = helper.line(), line != "\(count - 1)" {}
            helper.signal(SIGKILL)
            helper.wait()
        } else {
            let writer = try directory.writer {
                $0.flush = .eachLine
                $0.maximumQueuedBytes = 20_000
            }
            for number in 0..<count { writer.record(.numbered(number, padding: 300)) }
            #expect(writer.statistics.linesDropped > 1000)
            #expect(!writer.close())
        }
        #expect(try directory.lines().dropped == 0)
        // Hardly any room: what cannot be said is not forgotten.
        try directory.writer().close()
        try FileManager.default.removeItem(atPath: filler)
        try directory.writer().close()
        var lines = try directory.lines()
        // What the log had to say of itself, such as that it was rotated, was lost with them.
        let missing = count - lines.numbers.count
        #expect(missing > 1000 && (missing...missing + 20).contains(lines.dropped))
        lines.expectNumberedWithoutUnexplainedGaps()
        let dropped = lines.dropped
        try directory.writer().close()
        lines = try directory.lines()
        #expect(lines.dropped == dropped, "it is told once")
    }

    @Test func aLineThatWaitsForAHealthyDiskIsNotNotedAsLost() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        let before = try #require(FileManager.default.contents(atPath: directory.path + "/audit.lock"))
        writer.record(.numbered(1))
        #expect(FileManager.default.contents(atPath: directory.path + "/audit.lock") == before)
    }

    @Test(
        arguments: [
            ("", 0), ("x y\n", 0), ("3 9\n", 4), ("7 9\n", 2), ("3 5\n", 0),
            // What nobody could have numbered.
            ("3 1125899906842628\n", 0), ("4611686018427387903 4611686018427387905\n", 0),
        ])
    func aLogReportsOnlyLinesLostBehindItsEnd(record: String, expected: Int) throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        for number in 0..<4 { writer.record(.numbered(number)) }
        writer.close()
        #expect(try directory.lines().count == 5)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: directory.path + "/audit.lock"))
        try handle.seek(toOffset: 24)
        let padded = record.isEmpty ? "" : record.dropLast() + String(repeating: " ", count: 42 - record.count) + "\n"
        try handle.write(contentsOf: Data(padded.utf8))
        try handle.close()
        try directory.writer().close()
        let lines = try directory.lines()
        #expect(lines.dropped == expected)
        lines.expectNumberedWithoutUnexplainedGaps()
    }
}
