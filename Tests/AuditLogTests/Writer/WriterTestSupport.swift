import AuditLog
import ConflictAudit
import Foundation
import SyncModel
import SyncSystem
import Testing

/// A clock that a test moves by hand.
final class ManualClock: Sendable {
    private let milliseconds: Locked<Int64>

    init(_ milliseconds: Int64 = 1_768_485_600_000) {
        self.milliseconds = Locked(milliseconds)
    }

    var now: Int64 { milliseconds.withLock { $0 } }

    func advance(_ milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }
}

/// A directory of a test's own, and what the log in it holds.
final class LogDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "writer-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var current: String { path + "/audit.jsonl" }

    /// The rotated files, oldest first.
    var rotated: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("audit-") && $0.hasSuffix(".jsonl") }.sorted()
        }
    }

    /// Every line of the rotated files and the current one, read strictly: a torn line is an error.
    func lines() throws -> [AuditLine] {
        try rotated.flatMap { try Self.lines(path + "/" + $0) } + Self.lines(current)
    }

    static func lines(_ path: String) throws -> [AuditLine] {
        var reader = AuditLogReader()
        var lines: [AuditLine] = []
        try reader.read(path: path) { line, _ in lines.append(line) }
        return lines
    }

    func writer(
        clock: ManualClock = ManualClock(), calls: SystemCalls = SystemCalls(),
        _ configure: (inout AuditLogWriter.Configuration) -> Void = { _ in }
    ) throws -> AuditLogWriter {
        var configuration = AuditLogWriter.Configuration()
        configuration.flush = .onDemand
        configuration.sync = .never
        configuration.rotation = .never
        configuration.retention = .everything
        configuration.values = .full
        configure(&configuration)
        return try AuditLogWriter(
            directory: path, name: "audit", source: "device", configuration: configuration, calls: calls,
            wallClock: { WallTime(millisecondsSince1970: clock.now) })
    }
}

extension AuditEvent {
    /// An event that is told from others by its number.
    static func numbered(_ number: Int, padding: Int = 0) -> AuditEvent {
        AuditEvent(
            at: 1_768_485_600_000, .network(status: "\(number)", interface: padding > 0 ? String(repeating: "x", count: padding) : nil))
    }

    var number: Int? {
        if case .network(let status, _) = content { Int(status) } else { nil }
    }

    var note: LogNote? {
        if case .log(let note) = content { note } else { nil }
    }
}

extension [AuditLine] {
    var numbers: [Int] { compactMap(\.event.number) }
    var notes: [LogNote] { compactMap(\.event.note) }
    var sequences: [UInt64] { compactMap(\.sequence) }

    /// The sum of the counts in `dropped` lines.
    var dropped: Int { notes.reduce(0) { if case .dropped(let count) = $1 { $0 + count } else { $0 } } }

    var recovered: [Int] { notes.compactMap { if case .recovered(let bytes) = $0 { bytes } else { nil } } }

    /// Whether the numbers rise by one from 1, and each gap is as long as the `dropped` line behind it says.
    func expectNumberedWithoutUnexplainedGaps(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        var expected: UInt64 = 1
        for line in self {
            let gap = Int(line.sequence ?? 0) - Int(expected)
            if case .dropped(let count)? = line.event.note {
                #expect(gap == count, comment, sourceLocation: sourceLocation)
            } else {
                #expect(gap == 0, comment, sourceLocation: sourceLocation)
            }
            expected = (line.sequence ?? 0) + 1
        }
    }
}

/// Waits until something holds, for as long as two minutes where the machine is busy.
func wait(until holds: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while !holds(), .now < end { try await Task.sleep(for: .milliseconds(1)) }
}
