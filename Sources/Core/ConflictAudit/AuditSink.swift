/// A sink that records audit events.
///
/// An implementation returns quickly and never throws: what it cannot keep, it counts and reports by its own means.
///
/// ```swift
/// struct PrintingSink: AuditSink {
///     func record(_ event: AuditEvent) { print(event.time, event.content) }
/// }
/// ```
public protocol AuditSink: Sendable {
    /// Records an event. Called from any thread, in the order in which one thread saw the events.
    func record(_ event: AuditEvent)

    /// Records several events, in order, as if they came one by one.
    ///
    /// A sink for which it costs less to record several at once has an implementation of its own.
    func record(contentsOf events: [AuditEvent])

    /// What can tell later which conflicts the sink has kept; nil for a sink that keeps nothing beyond the process.
    var conflictKeeper: (any ConflictKeeper)? { get }
}

/// A sink that keeps conflicts beyond the process, and can tell which.
///
/// With it, a conflict is told exactly once wherever a process ends between telling it and noting that it was told.
///
/// ```swift
/// let isKept = log.conflictKeeper?.keptConflicts(among: [conflict.id])?.contains(conflict.id) ?? false
/// ```
public protocol ConflictKeeper: Sendable {
    /// Puts what was recorded where the end of the process cannot take it, and returns those of some conflicts that are there.
    ///
    /// May look only at what was recorded lately: a conflict that it does not find may be recorded twice.
    ///
    /// - Returns: Nil where that is not known, such as for a full disk.
    func keptConflicts(among ids: Set<ConflictID>) -> Set<ConflictID>?
}

extension AuditSink {
    /// Records one event after the other.
    public func record(contentsOf events: [AuditEvent]) {
        for event in events { record(event) }
    }

    /// Nothing.
    public var conflictKeeper: (any ConflictKeeper)? { nil }
}

/// A sink that passes every event to several others, in order.
///
/// ```swift
/// let both = BroadcastingAuditSink([log, monitor])
/// var auditor = TraceAuditor(sink: both)
/// ```
public struct BroadcastingAuditSink: AuditSink {
    private let sinks: [any AuditSink]

    /// A sink that passes every event on.
    public init(_ sinks: [any AuditSink]) {
        self.sinks = sinks
    }

    /// Whether there is nobody to pass events on to.
    var isEmpty: Bool { sinks.isEmpty }

    /// Passes the event to each sink in turn.
    public func record(_ event: AuditEvent) {
        for sink in sinks { sink.record(event) }
    }

    /// Passes the events to each sink in turn.
    public func record(contentsOf events: [AuditEvent]) {
        for sink in sinks { sink.record(contentsOf: events) }
    }

    /// The keeper of the first sink that has one.
    public var conflictKeeper: (any ConflictKeeper)? { sinks.lazy.compactMap(\.conflictKeeper).first }
}
