public import ConflictAudit
import SyncModel
import SyncSystem

/// Keeps every event in memory, for tests of code that audits.
///
/// ```swift
/// let log = CollectingAuditSink()
/// var auditor = TraceAuditor(sink: log)
/// ```
///
/// Thread-safe.
public final class CollectingAuditSink: AuditSink {
    private let collected = Locked<[AuditEvent]>([])

    /// A sink that holds nothing yet.
    public init() {}

    /// Keeps the event.
    public func record(_ event: AuditEvent) {
        collected.withLock { $0.append(event) }
    }

    /// The events so far, in the order in which they came.
    public var events: [AuditEvent] { collected.withLock { $0 } }

    /// The conflicts among the events so far.
    public var conflicts: [Conflict] {
        events.compactMap { if case .conflict(let conflict) = $0.content { conflict } else { nil } }
    }
}
