import AuditLog
import ConflictAudit
import Foundation
import SyncModel
import SyncOracle
import Testing

@Suite struct WriterRotationTests {
    private func size(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    /// Whatever the sizes of lines and batches, no file is longer than the limit, and each but the first begins with a line that says so.
    @Test(arguments: [300, 1000, 4096], [1, 7, 1000])
    func noFileIsLongerThanTheLimit(limit: Int, batch: Int) throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: limit) }
        let count = histories(80, of: 200)
        for number in 0..<count {
            writer.record(.numbered(number, padding: number % 50))
            if number % batch == 0 { writer.flush() }
        }
        writer.close()
        let rotated = try directory.rotated
        for name in rotated {
            #expect(try size(directory.path + "/" + name) <= limit)
            #expect(name.utf8.count == 6 + 19 + 1 + 20 + 6, "\(name)")
        }
        #expect(writer.statistics.rotations == rotated.count)
        #expect(rotated.count > count * 100 / limit - 1)
        let lines = try directory.lines()
        #expect(lines.numbers == Array(0..<count))
        lines.expectNumberedWithoutUnexplainedGaps()
        for name in rotated.dropFirst() {
            let lines = try LogDirectory.lines(directory.path + "/" + name)
            #expect(lines.first?.event.note == .rotated)
            #expect(name.hasSuffix("\(lines.last?.sequence ?? 0).jsonl"), "the name tells the last line")
        }
    }

    @Test func aLineLongerThanTheLimitHasAFileOfItsOwn() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: 500) }
        for number in 0..<6 { writer.record(.numbered(number, padding: number % 2 == 0 ? 2000 : 0)) }
        writer.close()
        let lines = try directory.lines()
        #expect(lines.numbers == Array(0..<6))
        #expect(try directory.rotated.count >= 3)
    }

    @Test func aNewDayHasAFileOfItsOwn() throws {
        let directory = try LogDirectory()
        let clock = ManualClock(1_768_521_599_000)  // 2026-01-15T23:59:59Z
        let writer = try directory.writer(clock: clock) { $0.rotation = .daily() }
        writer.record(.numbered(0))
        clock.advance(999)
        writer.record(.numbered(1))
        clock.advance(1)
        writer.record(.numbered(2))
        writer.record(.numbered(3))
        clock.advance(3 * 86_400_000)
        writer.close()
        #expect(try directory.rotated == ["audit-20260116T000000000Z-00000000000000000003.jsonl"])
        #expect(try LogDirectory.lines(directory.current).numbers == [2, 3])
        // The day of a file is remembered across a restart.
        let later = try directory.writer(clock: clock) { $0.rotation = .daily() }
        later.record(.numbered(4))
        later.close()
        #expect(try directory.rotated.last == "audit-20260119T000000000Z-00000000000000000006.jsonl")
        let sameDay = try directory.writer(clock: clock) { $0.rotation = .daily() }
        sameDay.record(.numbered(5))
        sameDay.close()
        #expect(try directory.rotated.count == 2)
        #expect(try directory.lines().numbers == Array(0..<6))
    }

    /// Names rise and are never used twice, even where the clock runs backwards.
    @Test func namesRiseWhereTheClockIsSetBack() throws {
        let directory = try LogDirectory()
        let clock = ManualClock()
        for _ in 0..<3 {
            let writer = try directory.writer(clock: clock) { $0.rotation = RotationPolicy(maximumBytes: 1) }
            for number in 0..<3 {
                writer.record(.numbered(number))
                clock.advance(-1_000_000)
            }
            writer.close()
        }
        let lines = try directory.lines()
        #expect(lines.numbers == [0, 1, 2, 0, 1, 2, 0, 1, 2], "sorted by name, the files are in the order of writing")
        lines.expectNumberedWithoutUnexplainedGaps()
    }

    @Test func theOldestFilesGoFirst() throws {
        let directory = try LogDirectory()
        let foreign = [
            "audit-20200101T000000000Z-1.jsonl", "audit-old.jsonl", "other-20200101T000000000Z-00000000000000000001.jsonl",
            "audit-20200101T000000000Z-00000000000000000001.jsonl.gz",
        ]
        for name in foreign { try Data("mine\n".utf8).write(to: URL(fileURLWithPath: directory.path + "/" + name)) }
        let own = directory.path + "/audit-20200101T000000000Z-00000000000000000001.jsonl"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        let writer = try directory.writer {
            $0.rotation = RotationPolicy(maximumBytes: 1)
            $0.retention = RetentionPolicy(maximumFiles: 3)
        }
        for number in 0..<10 { writer.record(.numbered(number)) }
        writer.close()
        let found = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(foreign).isSubset(of: found), "only its own files are deleted")
        #expect(FileManager.default.fileExists(atPath: own), "a directory is no file of its own")
        let kept = try directory.rotated.filter { $0.hasPrefix("audit-2026") }
        #expect(kept.count == 3)
        #expect(try kept.flatMap { try LogDirectory.lines(directory.path + "/" + $0).numbers } == [6, 7, 8])
        #expect(writer.statistics.filesDeleted == 7)
    }

    @Test func bytesAndAgeLimitWhatIsKept() throws {
        let directory = try LogDirectory()
        let clock = ManualClock()
        let writer = try directory.writer(clock: clock) {
            $0.rotation = RotationPolicy(maximumBytes: 1)
            $0.retention = RetentionPolicy(maximumBytes: 1000)
        }
        for number in 0..<20 { writer.record(.numbered(number)) }
        writer.close()
        let sizes = try directory.rotated.map { try size(directory.path + "/" + $0) }
        #expect(sizes.reduce(0, +) <= 1000)
        #expect(sizes.reduce(0, +) > 600)
        clock.advance(5000)
        let aged = try directory.writer(clock: clock) { $0.retention = RetentionPolicy(maximumAge: .seconds(5)) }
        #expect(try directory.rotated.count == sizes.count, "not older than the limit")
        aged.close()
        clock.advance(1)
        try directory.writer(clock: clock) { $0.retention = RetentionPolicy(maximumAge: .seconds(5)) }.close()
        #expect(try directory.rotated.isEmpty)
    }

    @Test func aLogOfWhichNothingIsSaidTakesAtMost272MiB() {
        let configuration = AuditLogWriter.Configuration()
        #expect(configuration.rotation.period == .seconds(86_400))
        let (file, rotated) = (configuration.rotation.maximumBytes, configuration.retention.maximumBytes)
        #expect(Int64(file ?? 0) + (rotated ?? 0) == 272 << 20)
    }
}
