import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel

/// Lines for the tests of `tail`.
enum TailSample {
    static let date: Int64 = 1_768_485_600_000  // 2026-01-15T14:00:00Z

    /// A line that says only when it was logged and one word.
    static func account(_ status: String, at seconds: Int64 = 0) -> String {
        line(.account(status: status), at: seconds)
    }

    /// A conflict of a note's field.
    static func conflict(_ field: FieldName, at seconds: Int64 = 0, severity: Conflict.Severity = .lossy, lost: FieldValue? = "old")
        -> String
    {
        let moment = HybridTimestamp(milliseconds: date + seconds * 1000)
        let conflict = Conflict(
            id: ConflictID(rawValue: UInt64(seconds)), kind: .updateUpdate, severity: severity, basis: .causal,
            key: RecordKey(type: "Note", id: "1"), field: field,
            winner: Conflict.Side(dot: Dot(device: "iPad", sequence: 1), timestamp: moment, operation: .put, value: "new"),
            loser: Conflict.Side(dot: Dot(device: "iPhone", sequence: 1), timestamp: moment, operation: .put, value: lost),
            gap: .zero,
            withinWindow: true, window: .seconds(300), policy: "lastWriterWins", resolution: .applyRemote, reason: .newer,
            clockSuspect: false)
        return line(.conflict(conflict), at: seconds)
    }

    private static func line(_ content: AuditEvent.Content, at seconds: Int64) -> String {
        var bytes: [UInt8] = []
        LineEncoder.append(AuditLine(sequence: 1, source: "phone", event: AuditEvent(at: date + seconds * 1000, content)), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The words of account lines in what `tail` wrote as text.
    static func words(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    }
}
