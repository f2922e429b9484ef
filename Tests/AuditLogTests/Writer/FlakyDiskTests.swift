import AuditLog
import ConflictAudit
import Foundation
import SyncOracle
import SyncSystem
import Testing

/// A disk that fails now and then loses no line without a count.
@Suite struct FlakyDiskTests {
    /// A disk that fails as a seeded die says until it is told to work.
    private final class FlakyDisk: Sendable {
        private let random: Locked<SplitMix64>
        private let works = Locked(true)

        init(seed: UInt64) {
            random = Locked(SplitMix64(seed: seed))
        }

        func setWorking(_ isWorking: Bool) { works.withLock { $0 = isWorking } }

        private func roll(_ sides: Int) -> Int { works.withLock { $0 } ? -1 : random.withLock { Int.random(in: 0..<sides, using: &$0) } }

        var calls: SystemCalls {
            var calls = SystemCalls()
            let real = SystemCalls()
            unsafe calls.write = { descriptor, bytes in
                switch self.roll(6) {
                case 0: return -Int(EINTR)
                case 1: return -Int(ENOSPC)
                case 2: return -Int(EIO)
                case 3, 4:
                    let part = 1 + self.random.withLock { Int.random(in: 0..<bytes.count, using: &$0) }
                    return unsafe real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<part]))
                default: return unsafe real.write(descriptor, bytes)
                }
            }
            calls.truncate = { self.roll(3) == 0 ? -Int(EIO) : real.truncate($0, $1) }
            calls.synchronize = { self.roll(3) == 0 ? -Int(EIO) : real.synchronize($0) }
            return calls
        }
    }

    @Test(arguments: 1...UInt64(histories(15, of: 40)))
    func aFlakyDiskLosesNothingUncounted(seed: UInt64) throws {
        let directory = try LogDirectory()
        let disk = FlakyDisk(seed: seed)
        let clock = ManualClock()
        let writer = try directory.writer(clock: clock, calls: disk.calls) {
            $0.flush = seed % 2 == 0 ? .eachLine : .onDemand
            $0.sync = seed % 3 == 0 ? .eachBatch : .never
            $0.rotation = seed % 5 == 0 ? RotationPolicy(maximumBytes: 3000) : .never
            $0.maximumQueuedBytes = 5000
        }
        var count = 0
        for round in 0..<10 {
            disk.setWorking(round % 3 == 2)
            for number in 0..<40 {
                writer.record(.numbered(count, padding: number))
                count += 1
                if number % 10 == 9 { writer.flush() }
                clock.advance(30)
            }
        }
        disk.setWorking(true)
        #expect(writer.flush(), "the log resumes: \(writer.statistics.lastFailure ?? "")")
        writer.close()
        let lines = try directory.lines()
        #expect(lines.numbers == lines.numbers.sorted() && Set(lines.numbers).count == lines.numbers.count, "in order, none twice")
        #expect(lines.dropped == count - lines.numbers.count, "seed \(seed)")
        #expect(writer.statistics.linesDropped == lines.dropped)
        #expect(writer.statistics.linesWritten == lines.count)
        #expect(writer.statistics.failures > 0)
        lines.expectNumberedWithoutUnexplainedGaps("seed \(seed)")
    }
}
