import AuditLog
import ConflictAudit
import Foundation
import SyncModel

/// Encodes conflicts and appends them to a file in pieces of 64 KiB: by the log's own encoder, and by `JSONEncoder` from a plain value of the same keys.
struct Encoding {
    private static let pieceSize = 64 << 10
    private let lines: [AuditLine]
    private let file: FileHandle

    /// Takes conflicts out of a generated log; what it writes goes to a file.
    init(path: String) throws {
        var maker = LogMaker(seed: 2026)
        var lines: [AuditLine] = []
        while lines.count < 20_000 {
            let line = maker.next()
            if case .conflict = line.event.content { lines.append(line) }
        }
        self.lines = lines
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    /// Nanoseconds for each line, of the fastest of several rounds, the two taken in turn; and bytes for each line.
    func measure(rounds: Int) throws -> (ours: Double, theirs: Double, ourBytes: Int, theirBytes: Int) {
        let plain = lines.map(PlainLine.init)
        var (ours, theirs) = (Double.infinity, Double.infinity)
        var (ourBytes, theirBytes) = (0, 0)
        for _ in 0..<rounds {
            ours = min(ours, try nanoseconds { ourBytes = try writeByEncoder(times: 1) })
            theirs = min(theirs, try nanoseconds { theirBytes = try writeByFoundation(plain) })
        }
        return (ours, theirs, ourBytes / lines.count, theirBytes / lines.count)
    }

    /// Encodes and appends every line so many times; the bytes written.
    @discardableResult
    func writeByEncoder(times: Int) throws -> Int {
        try file.truncate(atOffset: 0)
        var buffer: [UInt8] = []
        var bytes = 0
        for _ in 0..<times {
            for start in stride(from: 0, to: lines.count, by: 64) {
                LineEncoder.append(lines[start..<min(start + 64, lines.count)], to: &buffer)
                if buffer.count >= Self.pieceSize { bytes += flush(&buffer) }
            }
        }
        return bytes + flush(&buffer)
    }

    private func flush(_ buffer: inout [UInt8]) -> Int {
        defer { buffer.removeAll(keepingCapacity: true) }
        return unsafe buffer.withUnsafeBytes { unsafe write(file.fileDescriptor, $0.baseAddress, $0.count) }
    }

    private func writeByFoundation(_ lines: [PlainLine]) throws -> Int {
        try file.truncate(atOffset: 0)
        let encoder = JSONEncoder()
        var (buffer, bytes) = (Data(), 0)
        for line in lines {
            buffer.append(try encoder.encode(line))
            buffer.append(0x0a)
            if buffer.count >= Self.pieceSize {
                try file.write(contentsOf: buffer)
                bytes += buffer.count
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: buffer)
        return bytes + buffer.count
    }

    private func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let time = try ContinuousClock().measure(body)
        return Double(time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000) / Double(lines.count)
    }
}
