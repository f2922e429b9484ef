public import ConflictAudit
public import Observation
import SyncSystem

/// An audit sink that shows which edits sync has discarded, for an app's views.
///
/// Put it beside the log in a `BroadcastingAuditSink`, give that to the replica or to the observer of another
/// sync engine, and it learns all it shows from the conflicts that they report. Memory is bounded, however many come.
///
/// ```swift
/// let conflicts = ConflictMonitor()
/// print(conflicts.summary)
/// ```
///
/// Thread-safe; observers are told on the main actor, as by ``SyncMonitor``.
@Observable
public final class ConflictMonitor: AuditSink {
    private struct Content {
        var statistics = ConflictStatistics()
        var active: [Conflict] = []
        var losses: [Conflict] = []

        mutating func record(_ conflict: Conflict, limit: Int) {
            let isKnown = (active + losses).contains { $0.id == conflict.id }
            active.removeAll { $0.id == conflict.id }
            losses.removeAll { $0.id == conflict.id }
            // A known one that comes again was decided, or is told again after a crash.
            if !isKnown { statistics.record(conflict) }
            if conflict.resolution == .manualPending {
                active = [conflict] + active.prefix(limit - 1)
            } else if conflict.losesEdit, conflict.resolution != .restored {
                losses = [conflict] + losses.prefix(limit - 1)
            }
        }
    }

    @ObservationIgnored private let content = Locked(Content())
    @ObservationIgnored private let limit: Int

    /// A monitor that has seen nothing yet.
    ///
    /// - Parameter limit: How many conflicts each list holds at most; 1 or more.
    public init(limit: Int = 50) {
        precondition(limit > 0, "a list holds a conflict at least")
        self.limit = limit
    }

    /// All conflicts since the app started, counted once each as far as the lists reach back.
    public var statistics: ConflictStatistics { read { $0.statistics } }

    /// The conflicts that wait for the app to decide, the latest first.
    public var activeConflicts: [Conflict] { read { $0.active } }

    /// The conflicts in which a value was discarded, the latest first, without those whose value was restored.
    public var lostEdits: [Conflict] { read { $0.losses } }

    /// One line for a person.
    ///
    /// It reads like `3 edits lost, 1 of them suspected; 2 conflicts to decide`.
    public var summary: String {
        let content = read { $0 }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        var parts: [String] = []
        if !content.losses.isEmpty {
            let suspected = content.losses.count { !$0.isProven }
            parts.append(count(content.losses.count, "edit") + " lost" + (suspected > 0 ? ", \(suspected) of them suspected" : ""))
        }
        if !content.active.isEmpty { parts.append(count(content.active.count, "conflict") + " to decide") }
        return parts.isEmpty ? "No edits lost" : parts.joined(separator: "; ")
    }

    /// Takes in a conflict; other events are passed over.
    public func record(_ event: AuditEvent) {
        guard case .conflict(let conflict) = event.content else { return }
        content.withLock { $0.record(conflict, limit: limit) }
        Task { @MainActor [weak self] in self?.withMutation(keyPath: \.statistics) {} }
    }

    private func read<Value: Sendable>(_ value: (Content) -> Value) -> Value {
        // One change concerns them all.
        access(keyPath: \.statistics)
        return content.withLock { value($0) }
    }
}
