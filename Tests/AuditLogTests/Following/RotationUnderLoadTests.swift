import AuditLog
import Foundation
import SyncOracle
import Synchronization
import Testing

/// Many rotations of each kind while lines are written: every line is given once.
@Suite(.serialized) struct RotationUnderLoadTests {
    /// What the writing thread and the test know of each other.
    private final class Shared: Sendable {
        let linesSeen = Atomic(0)
        let linesWritten = Atomic(-1)
        let failure = Mutex<String?>(nil)

        /// Waits until the follower has seen so many lines: what is overwritten or deleted before cannot be found by anyone.
        func waitUntilSeen(_ count: Int) {
            let deadline = Date.now + 60
            while linesSeen.load(ordering: .acquiring) < count, .now < deadline { Thread.sleep(forTimeInterval: 0.000_1) }
        }
    }

    /// The numbers of the lines that were given, told briefly: a failure would otherwise print thousands of them.
    private struct Lines: CustomStringConvertible {
        let seen: [Int]
        let written: Int

        var isEachGivenOnce: Bool { written > 100 && seen.sorted() == Array(0..<written) }
        var isInOrder: Bool { zip(seen, seen.dropFirst()).allSatisfy(<) }

        var description: String {
            let missing = Set(0..<max(0, written)).subtracting(seen).sorted()
            let repeated = Dictionary(grouping: seen) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
            return
                "\(seen.count) of \(written) lines; missing \(missing.count): \(missing.prefix(20)); repeated \(repeated.count): \(repeated.prefix(20))"
        }
    }

    private func numbersSeen(seed: UInt64, _ rotate: @escaping @Sendable (RotatingWriter, Shared) throws -> Void) throws -> Lines {
        let folder = try TemporaryFolder()
        let path = folder.file("log.jsonl")
        let shared = Shared()
        var follower = LogFollower(paths: [path])
        Thread.detachNewThread {
            do {
                let writer = try RotatingWriter(path: path, seed: seed)
                for _ in 0..<histories(25, of: 100) {
                    try writer.write(writer.random(1...20))
                    try rotate(writer, shared)
                }
                try writer.write(3)
                shared.linesWritten.store(writer.count, ordering: .releasing)
            } catch {
                shared.failure.withLock { $0 = "\(error)" }
            }
        }
        var seen: [Int] = []
        let deadline = Date.now + 60
        while shared.failure.withLock({ $0 }) == nil, .now < deadline {
            let written = shared.linesWritten.load(ordering: .acquiring)
            for case .line(let line) in follower.step() { seen.append(RotatingWriter.number(line.bytes) ?? -1) }
            shared.linesSeen.store(seen.count, ordering: .releasing)
            if written >= 0, seen.count >= written, !follower.isBehind { break }
            follower.wait()
        }
        // A line given twice would come now at the latest.
        for case .line(let line) in follower.step() { seen.append(RotatingWriter.number(line.bytes) ?? -1) }
        #expect(shared.failure.withLock { $0 } == nil)
        return Lines(seen: seen, written: shared.linesWritten.load(ordering: .acquiring))
    }

    @Test(arguments: 1...3) func renameAndCreate(seed: UInt64) throws {
        let lines = try numbersSeen(seed: seed) { writer, _ in try writer.renameAndCreate() }
        #expect(lines.isEachGivenOnce, "seed \(seed): \(lines.description)")
    }

    @Test(arguments: 1...3) func renameInChain(seed: UInt64) throws {
        let lines = try numbersSeen(seed: seed) { writer, _ in try writer.renameInChain() }
        #expect(lines.isEachGivenOnce, "seed \(seed): \(lines.description)")
    }

    @Test(arguments: 1...3) func copyAndTruncate(seed: UInt64) throws {
        let lines = try numbersSeen(seed: seed) { writer, _ in try writer.copyAndTruncate() }
        #expect(lines.isEachGivenOnce, "seed \(seed): \(lines.description)")
    }

    @Test(arguments: 1...3) func truncateAndRewriteLarger(seed: UInt64) throws {
        let lines = try numbersSeen(seed: seed) { writer, shared in
            shared.waitUntilSeen(writer.count)
            try writer.truncateAndRewriteLarger(than: writer.size)
        }
        #expect(lines.isEachGivenOnce && lines.isInOrder, "seed \(seed): \(lines.description)")
    }

    @Test(arguments: 1...3) func deleteAndCreateLate(seed: UInt64) throws {
        let lines = try numbersSeen(seed: seed) { writer, shared in
            // The file is known once a line of it was seen; what comes after may be written just before it goes.
            shared.waitUntilSeen(writer.count)
            try writer.write(writer.random(0...5))
            try writer.delete()
            if writer.random(0...1) == 0 { Thread.sleep(forTimeInterval: 0.001) }
            try writer.create()
        }
        #expect(lines.isEachGivenOnce && lines.isInOrder, "seed \(seed): \(lines.description)")
    }
}
