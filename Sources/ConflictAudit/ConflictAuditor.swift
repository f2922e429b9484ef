public import SyncMerge
import SyncModel

/// Listens to a replica's decisions: classifies them, keeps the statistics and the list of what waits for the app, and passes every conflict to a sink.
///
/// Thread-safe. The sink is called outside the lock, by the thread that reported the decision.
public final class ConflictAuditor: Sendable {
    private struct State {
        var statistics = ConflictStatistics()
        var active: [ConflictID: Conflict] = [:]
        var offsets = ClockOffsets()
    }

    private let classifier: ConflictClassifier
    private let sink: any AuditSink
    private let state = Locked(State())

    /// An auditor.
    ///
    /// - Parameters:
    ///   - rules: What is looked for and reported.
    ///   - sink: Where conflicts go.
    public init(rules: AuditRules = AuditRules(), sink: some AuditSink) {
        classifier = ConflictClassifier(rules: rules)
        self.sink = sink
    }

    /// The rules given.
    public var rules: AuditRules { classifier.rules }

    /// Everything counted so far.
    public var statistics: ConflictStatistics { state.withLock { $0.statistics } }

    /// The conflicts that wait for the app to decide, oldest first.
    public var activeConflicts: [Conflict] {
        state.withLock { Array($0.active.values) }.sorted { ($0.milliseconds, $0.id) < ($1.milliseconds, $1.id) }
    }

    /// One line for a person: how many conflicts, how many decided by themselves, how many lost something.
    public var summary: String {
        let statistics = statistics
        guard statistics.totalConflicts > 0 else { return "No conflicts" }
        let noun = statistics.totalConflicts == 1 ? "conflict" : "conflicts"
        return "\(statistics.totalConflicts) \(noun): \(statistics.autoResolvedConflicts) resolved automatically, "
            + "\(statistics.unresolvedConflicts) waiting, \(statistics.dataLost) lost an edit"
    }

    /// Takes note of writes merged, conflicting or not.
    public func recordWrites(_ count: Int = 1) {
        state.withLock { $0.statistics.recordWrites(count) }
    }

    /// Takes note of a comparison of clocks; decisions from now on are checked against it.
    public func record(_ measurement: ClockMeasurement) {
        state.withLock { $0.offsets.record(measurement) }
    }

    /// Classifies what the merge decided.
    ///
    /// - Returns: The conflicts to report; those outside the window are left out where they are only to be counted.
    @discardableResult
    public func record(_ decisions: [MergeDecision], basis: Conflict.Basis? = nil) -> [Conflict] {
        guard !decisions.isEmpty else { return [] }
        let offsets = state.withLock { $0.offsets }
        return record(decisions.map { classifier.conflict($0, basis: basis, offsets: offsets) })
    }

    /// Counts conflicts and passes them on.
    func record(_ conflicts: [Conflict]) -> [Conflict] {
        state.withLock { state in
            for conflict in conflicts {
                state.statistics.record(conflict)
                if conflict.resolution == .manualPending { state.active[conflict.id] = conflict }
            }
        }
        let reported = conflicts.filter { $0.withinWindow || rules.outsideWindow == .log }
        for conflict in reported { sink.record(AuditEvent(at: conflict.milliseconds, .conflict(conflict))) }
        return reported
    }
}
