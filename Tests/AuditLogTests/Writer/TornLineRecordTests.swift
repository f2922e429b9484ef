import ConflictAudit
import Foundation
import SyncBytes
import SyncSystem
import Testing

@testable import AuditLog

/// A torn line is counted once, also where the writer that repairs it is killed at any moment of the repair.
@Suite struct TornLineRecordTests {
    /// The files of a directory.
    private typealias Snapshot = [String: [UInt8]]

    private static func snapshot(_ path: String) -> Snapshot {
        var files: Snapshot = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            files[name] = FileManager.default.contents(atPath: path + "/" + name).map { Array($0) }
        }
        return files
    }

    private static func restore(_ files: Snapshot) throws -> LogDirectory {
        let directory = try LogDirectory()
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: directory.path + "/" + name)) }
        return directory
    }

    /// Opens a log and returns the files as each moment left them: before each call that changes one, and in the middle of each write.
    private func moments(of directory: LogDirectory) throws -> [Snapshot] {
        let path = directory.path
        let moments = Locked([Self.snapshot(path)])
        var calls = SystemCalls()
        let real = SystemCalls()
        unsafe calls.write = { descriptor, bytes in
            let before = Self.snapshot(path)
            let result = unsafe real.write(descriptor, bytes)
            let after = Self.snapshot(path)
            for (name, content) in after where content != before[name] {
                let start = before[name]?.count ?? 0
                for length in stride(from: start, to: content.count, by: 7) {
                    var part = before
                    part[name] = Array(content[..<length])
                    moments.withLock { [part] in $0.append(part) }
                }
            }
            moments.withLock { $0.append(after) }
            return result
        }
        calls.truncate = { descriptor, length in
            moments.withLock { $0.append(Self.snapshot(path)) }
            let result = real.truncate(descriptor, length)
            moments.withLock { $0.append(Self.snapshot(path)) }
            return result
        }
        let writer = try directory.writer(calls: calls)
        writer.close()
        return moments.withLock { $0 } + [Self.snapshot(path)]
    }

    /// What the logs of a directory tell of torn lines once it has been opened and closed.
    private func told(_ directory: LogDirectory) throws -> Int {
        let writer = try directory.writer()
        writer.record(.numbered(7))
        #expect(writer.close())
        let lines = try directory.lines()
        #expect(lines.numbers.last == 7)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/audit.torn"))
        return lines.recovered.reduce(0, +)
    }

    /// The bytes behind the last line break of the log.
    private func torn(_ files: Snapshot) -> Int {
        let log = files["audit.jsonl"] ?? []
        return log.count - 1 - (log.lastIndex(of: 0x0a) ?? -1)
    }

    /// - Parameter isAlone: Whether there is no line before it.
    private func logWithTornLine(isAlone: Bool = false) throws -> LogDirectory {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        for number in 0..<3 { writer.record(.numbered(number)) }
        writer.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.current)).dropLast(20)
        let start = isAlone ? (bytes.lastIndex(of: 0x0a) ?? -1) + 1 : 0
        try bytes[start...].write(to: URL(fileURLWithPath: directory.current))
        return directory
    }

    @Test(arguments: [false, true]) func everyMomentOfARepairMayBeTheLast(isAlone: Bool) throws {
        let directory = try logWithTornLine(isAlone: isAlone)
        let found = torn(Self.snapshot(directory.path))
        #expect(found > 50)
        let moments = try moments(of: directory)
        #expect(moments.count > 20)
        for (index, files) in moments.enumerated() {
            // The repair itself may leave the beginning of its own line.
            let isCut = files["audit.jsonl"] != moments[0]["audit.jsonl"]
            let expected = found + (isCut ? torn(files) : 0)
            #expect(try told(Self.restore(files)) == expected, "moment \(index)")
        }
    }

    @Test func theRepairOfARepairMayBeTheLastThingToo() throws {
        let directory = try logWithTornLine()
        let found = torn(Self.snapshot(directory.path))
        let firstMoments = try moments(of: directory)
        // Those in which the torn line is gone and nothing tells of it yet.
        let cut = firstMoments.filter { $0["audit.jsonl"] != firstMoments[0]["audit.jsonl"] && $0["audit.torn"] != nil }
        for (index, files) in cut.enumerated() where index % 3 == 0 {
            let isTold = LogDirectory.recovered(files["audit.jsonl"] ?? []) > 0
            let before = found + torn(files)
            let second = try moments(of: Self.restore(files))
            for (number, later) in second.enumerated() where number % 2 == 0 {
                let isCut = later["audit.jsonl"] != files["audit.jsonl"]
                #expect(
                    try told(Self.restore(later)) == before + (isCut ? torn(later) : 0),
                    "moment \(number) after moment \(index), told: \(isTold)")
            }
        }
    }

    @Test func neitherReadingNorWritingARecordLeavesADescriptorOpen() throws {
        let directory = try LogDirectory()
        let path = directory.path + "/audit.torn"
        try Data("3 50 20 7\n".utf8).write(to: URL(fileURLWithPath: path))
        let record = try #require(TornLineRecord(path: path, calls: SystemCalls()))
        #expect(try descriptors(of: path) == [])
        try FileManager.default.removeItem(atPath: path)
        record.write(to: path, calls: SystemCalls())
        #expect(try descriptors(of: path) == [])
    }

    /// The descriptors that this process has open for a file.
    private func descriptors(of path: String) throws -> [Int32] {
        let file = try FileStatus(path: path).identity
        return try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap(Int32.init).filter {
            (try? FileStatus(descriptor: $0))?.identity == file
        }
    }
}

extension LogDirectory {
    /// What some whole lines tell of torn ones.
    fileprivate static func recovered(_ bytes: [UInt8]) -> Int {
        var decoder = LineDecoder()
        return bytes.split(separator: 0x0a).reduce(0) { sum, line in
            guard case .line(let line)? = try? decoder.decode(Array(line).span), case .recovered(let count)? = line.event.note else {
                return sum
            }
            return sum + count
        }
    }
}
