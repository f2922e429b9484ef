import ConflictAudit
import SyncModel
import SyncSystem

/// A device's log: what reached the disk, whatever became of the program.
///
/// Thread-safe.
final class DeviceLog: Sendable {
    private let lines = Locked<[AuditEvent]>([])

    var events: [AuditEvent] { lines.withLock { $0 } }

    func append(_ event: AuditEvent) {
        lines.withLock { $0.append(event) }
    }
}

/// The log as one run of the program writes it; the run may end before and after every line.
struct MortalLog: AuditSink {
    let log: DeviceLog
    let life: Life

    func record(_ event: AuditEvent) {
        // The end shows in the program's next step, whatever that is.
        guard (try? life.step()) != nil else { return }
        log.append(event)
        try? life.step()
    }
}
