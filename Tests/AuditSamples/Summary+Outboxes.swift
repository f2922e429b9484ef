package import AuditAnalysis
import ConflictAudit
package import SyncModel

extension Summary {
    /// The summary of what waited to be sent on devices, in bytes, a thousand to a write, at minutes from 2026-01-15T14:00:00Z.
    package init(outboxes: [(source: DeviceID?, minute: Int64, bytes: Int)], filter: ReportFilter = ReportFilter()) {
        let start: Int64 = 1_768_485_600_000
        self.init(filter: filter)
        for outbox in outboxes {
            let status = OutboxStatus(writes: outbox.bytes / 1000, bytes: outbox.bytes, oldest: WallTime(millisecondsSince1970: start))
            observe(AuditEvent(at: start + outbox.minute * 60_000, .outbox(status)), source: outbox.source)
        }
    }
}
