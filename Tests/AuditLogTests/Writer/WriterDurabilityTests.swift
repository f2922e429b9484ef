import AuditLog
import ConflictAudit
import Foundation
import SyncModel
import SyncSystem
import Testing

@Suite struct WriterDurabilityTests {
    /// What a writer asked of the system, in order: how many lines were written, and `sync`.
    private func witnessed(_ configure: @escaping (inout AuditLogWriter.Configuration) -> Void, _ body: (AuditLogWriter) -> Void) throws
        -> [String]
    {
        let directory = try LogDirectory()
        let steps = Locked<[String]>([])
        var calls = SystemCalls()
        let real = SystemCalls()
        unsafe calls.write = { descriptor, bytes in
            let lines = unsafe bytes.count { $0 == 0x0a }
            steps.withLock { $0.append("\(lines)") }
            return unsafe real.write(descriptor, bytes)
        }
        calls.synchronize = { descriptor in
            steps.withLock { $0.append("sync") }
            return real.synchronize(descriptor)
        }
        let writer = try directory.writer(calls: calls, configure)
        steps.withLock { $0 = [] }
        body(writer)
        writer.close()
        return steps.withLock { $0 }
    }

    @Test func eachBatchIsForcedOntoTheDiskWhereThePolicySaysSo() throws {
        func write(_ writer: AuditLogWriter) {
            for number in 0..<2 { writer.record(.numbered(number)) }
            writer.flush()
            writer.record(.numbered(2))
            writer.flush()
        }
        #expect(try witnessed({ $0.sync = .eachBatch }, write) == ["2", "sync", "1", "sync"])
        #expect(try witnessed({ $0.sync = .never }, write) == ["2", "1"])
    }

    @Test func aFileIsForcedOntoTheDiskBeforeTheNextBegins() throws {
        let steps = try witnessed {
            $0.sync = .eachBatch
            $0.rotation = RotationPolicy(maximumBytes: 1)
        } _: { writer in
            for number in 0..<3 { writer.record(.numbered(number)) }
        }
        for index in steps.indices where steps[index] != "sync" { #expect(steps[index + 1] == "sync", "\(steps)") }
        #expect(steps.contains("sync"))
    }

    @Test func lengthsOfTimeAndSizesAreAtLeastOne() async {
        _ = FlushPolicy.interval(.milliseconds(1))
        _ = SyncPolicy.interval(.milliseconds(1))
        _ = RotationPolicy(maximumBytes: 1, period: .milliseconds(1))
        await #expect(processExitsWith: .failure) { _ = FlushPolicy.interval(.microseconds(999)) }
        await #expect(processExitsWith: .failure) { _ = SyncPolicy.interval(.zero) }
        await #expect(processExitsWith: .failure) { _ = RotationPolicy(maximumBytes: 0) }
        await #expect(processExitsWith: .failure) { _ = RotationPolicy(period: .zero) }
    }

    @Test func filesOfExactlyTheAllowedSizeAreKept() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: 1) }
        for number in 0..<4 { writer.record(.numbered(number)) }
        writer.close()
        let names = try directory.rotated
        let bytes = try names.reduce(Int64(0)) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + name)
            return sum + Int64(try #require(attributes[.size] as? Int))
        }
        try directory.writer { $0.retention = RetentionPolicy(maximumFiles: names.count, maximumBytes: bytes) }.close()
        #expect(try directory.rotated == names)
        try directory.writer { $0.retention = RetentionPolicy(maximumBytes: bytes - 1) }.close()
        #expect(try directory.rotated == Array(names.dropFirst()))
        try directory.writer { $0.retention = RetentionPolicy(maximumFiles: names.count - 2) }.close()
        #expect(try directory.rotated == Array(names.dropFirst(2)))
    }

    /// One that fills the queue exactly fits while nothing else waits; behind another line it is dropped, and so is what follows until there is room.
    @Test func aLineAsLongAsTheQueue() throws {
        let sample = try LogDirectory()
        let measured = try sample.writer()
        measured.flush()
        let before = measured.statistics.bytesWritten
        measured.record(.numbered(1, padding: 500))
        measured.close()
        let length = measured.statistics.bytesWritten - before
        for (limit, isKept) in [(length, true), (length - 1, false)] {
            let directory = try LogDirectory()
            let writer = try directory.writer { $0.maximumQueuedBytes = limit }
            writer.record(.numbered(1, padding: 500))
            writer.close()
            #expect(try directory.lines().numbers == (isKept ? [1] : []))
        }
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.maximumQueuedBytes = length }
        writer.record(.numbered(2))
        writer.record(.numbered(3, padding: 500))
        writer.record(.numbered(4))
        writer.flush()
        writer.record(.numbered(5))
        writer.close()
        #expect(try directory.lines().numbers == [2, 5])
        #expect(try directory.lines().dropped == 2)
    }
}
