package import AuditAnalysis
package import ConflictAudit
import SyncMerge
import SyncModel

extension Summary {
    /// The conflicts of ``sample``.
    package static let sampleConflicts: [Conflict] = {
        let day: Int64 = 86_400_000
        let start: Int64 = 1_768_485_600_000  // 2026-01-15T14:00:00Z
        let groceries = RecordKey(type: "Note", id: "groceries")
        let holiday = RecordKey(type: "Note", id: "holiday")
        let urgent = RecordKey(type: "Tag", id: "urgent")
        return [
            conflict(groceries, at: start, gap: 19_500),
            conflict(groceries, field: "body", at: start + 60_000, gap: 130_000),
            conflict(
                groceries, winner: "tablet", loser: "phone", at: start + day, gap: 7_200_000, severity: .benign, resolution: .keepLocal),
            conflict(
                holiday, field: nil, winner: "laptop", loser: "phone", at: start + 4 * day, gap: 3 * day, kind: .deleteUpdate,
                severity: .destructive, reason: .deleteWins, clockSuspect: true),
            conflict(
                urgent, field: nil, winner: "laptop", loser: "tablet", at: start + 4 * day, gap: 900, kind: .disjointUpdate,
                severity: .merged,
                resolution: .merged),
            conflict(
                urgent, field: "colour", winner: "watch", at: start + 5 * day, gap: 40_000, basis: .window, resolution: .manualPending),
            conflict(holiday, winner: "watch", loser: "laptop", at: start + 6 * day, gap: 12, severity: .benign, basis: .window),
        ]
    }()

    /// A few conflicts with something for every section of a report: the source of the golden files.
    package static let sample: Summary = {
        let start: Int64 = 1_768_485_600_000  // 2026-01-15T14:00:00Z
        var summary = Summary()
        for conflict in Self.sampleConflicts {
            summary.observe(AuditEvent(at: conflict.milliseconds, .conflict(conflict)), source: "phone")
        }
        for index in 0..<42 { summary.observe(AuditEvent(at: start, .write(write(at: start + Int64(index) * 3_600_000))), source: "phone") }
        summary.observe(
            AuditEvent(at: start, .sync(SyncActivity(phase: .import, state: .succeeded, writes: 1, bytes: 1, duration: .milliseconds(1)))),
            source: "phone")
        summary.observe(AuditEvent(at: start, .log(.dropped(2))), source: "tablet")
        return summary
    }()
}
