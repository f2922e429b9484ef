public import SyncMerge
package import SyncModel
import SyncSystem

/// Listens to a replica's decisions: classifies them, keeps the statistics and the list of what waits for the app, and passes every
/// conflict to a sink.
///
/// Thread-safe. The sink is called outside the lock, by the thread that reported the decision.
///
/// ```swift
/// let auditor = ConflictAuditor(sink: sink)
/// auditor.record(state.merge(write, rules: MergeRules()))
/// print(auditor.summary)
/// ```
public final class ConflictAuditor: Sendable {
    private struct State {
        /// All that is counted but for what is in `breakdown`.
        var totals = ConflictStatistics()
        var breakdown = ConflictBreakdown()
        var active: [ConflictID: Conflict] = [:]
        /// The active conflicts that an earlier run found: they wait, but are not among those counted.
        var restored: Set<ConflictID> = []
        var offsets = ClockOffsets()

        var statistics: ConflictStatistics {
            var statistics = totals
            breakdown.add(to: &statistics)
            return statistics
        }

        mutating func count(_ conflict: Conflict) {
            totals.recordTimes(conflict)
            breakdown.record(conflict)
            if conflict.resolution == .manualPending { active[conflict.id] = conflict.withoutWrites }
        }
    }

    private let classifier: ConflictClassifier
    private let sink: any AuditSink
    /// Whether nobody listens, so that no events need be made.
    private let isUnheard: Bool
    private let state = Locked(State())

    /// An auditor.
    ///
    /// - Parameters:
    ///   - rules: What is looked for and reported.
    ///   - sink: Where conflicts go.
    public init(rules: AuditRules = AuditRules(), sink: some AuditSink) {
        classifier = ConflictClassifier(rules: rules)
        self.sink = sink
        isUnheard = (sink as? BroadcastingAuditSink)?.isEmpty ?? false
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

    /// Counts writes merged, conflicting or not.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - withContext: How many of them carried a causal context; nil where that is not known.
    public func recordWrites(_ count: Int = 1, withContext: Int? = nil) {
        state.withLock { $0.totals.recordWrites(count, withContext: withContext) }
    }

    /// Records a comparison of clocks; decisions from now on are checked against it.
    public func record(_ measurement: ClockMeasurement) {
        state.withLock { $0.offsets.record(measurement) }
    }

    /// Replaces all that is known of clocks.
    func replaceOffsets(_ offsets: ClockOffsets) { state.withLock { $0.offsets = offsets } }

    /// Classifies what the merge decided.
    ///
    /// - Parameters:
    ///   - decisions: What the merge decided.
    ///   - basis: How it is known that neither side had seen the other; by default what the writes themselves carry.
    ///   - names: What the record of each decision is called, nil where that is not known; empty where it is of none.
    /// - Returns: The conflicts to report; those outside the window are left out where they are only to be counted.
    @discardableResult
    public func record(
        _ decisions: [MergeDecision], basis: Conflict.Basis? = nil, names: [RecordName?] = []
    ) -> [Conflict] {
        precondition(names.isEmpty || names.count == decisions.count, "each decision has a name, or nil, or none has one")
        if decisions.isEmpty { return [] }
        return report(
            state.withLock { state in
                var conflicts: [Conflict] = []
                conflicts.reserveCapacity(decisions.count)
                for (index, decision) in decisions.enumerated() {
                    var conflict = classifier.conflict(decision, basis: basis, offsets: state.offsets)
                    if !names.isEmpty, let name = names[index] { conflict.name = name }
                    state.count(conflict)
                    conflicts.append(consume conflict)
                }
                return conflicts
            })
    }

    /// Reports broken constraints.
    ///
    /// - Parameter name: Says what the record of a finding is called, nil where that is not known.
    @discardableResult
    package func record(_ findings: [ConstraintFinding], naming name: (ConstraintFinding) -> RecordName? = { _ in nil }) -> [Conflict] {
        if findings.isEmpty { return [] }
        return record(
            findings.map { finding in
                var conflict = classifier.conflict(finding)
                if let name = name(finding) { conflict.name = name }
                return conflict
            })
    }

    /// Counts conflicts and passes them on.
    func record(_ conflicts: [Conflict]) -> [Conflict] {
        state.withLock { state in
            for conflict in conflicts { state.count(conflict) }
        }
        return report(conflicts)
    }

    /// Passes conflicts on that have been counted.
    private func report(_ conflicts: [Conflict]) -> [Conflict] {
        let reported = rules.outsideWindow == .log ? conflicts : conflicts.filter(\.withinWindow)
        if isUnheard { return reported }
        sink.record(contentsOf: reported.map { AuditEvent(at: $0.milliseconds, .conflict($0)) })
        return reported
    }

    /// Restores a conflict that an earlier run found and nobody has decided since: it is active again, but neither counted nor passed on.
    package func restore(_ conflicts: [Conflict]) {
        state.withLock { state in
            for conflict in conflicts where state.active[conflict.id] == nil {
                state.active[conflict.id] = conflict
                state.restored.insert(conflict.id)
            }
        }
    }

    /// Removes a conflict from the active ones and reports it once more, as decided by the app; does nothing where it is not active.
    ///
    /// - Parameters:
    ///   - milliseconds: When it was decided.
    ///   - result: The value that is shown since then.
    package func resolve(_ id: ConflictID, at milliseconds: Int64, result: FieldValue?) {
        let conflict = state.withLock { state in
            let conflict = state.active.removeValue(forKey: id)
            if conflict != nil, state.restored.remove(id) == nil { state.totals.unresolvedConflicts -= 1 }
            return conflict
        }
        guard var conflict, conflict.withinWindow || rules.outsideWindow == .log else { return }
        conflict.resolution = .manualResolved
        conflict.result = result
        sink.record(AuditEvent(at: milliseconds, .conflict(conflict)))
    }
}
