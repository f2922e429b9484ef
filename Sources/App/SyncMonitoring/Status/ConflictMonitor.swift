public import ConflictAudit
public import Observation
import SyncSystem

/// An audit sink that shows which edits sync has discarded, for an app's views.
///
/// Put it beside the log in a `BroadcastingAuditSink`, give that to the replica or to the observer of another
/// sync engine, and it learns from the conflicts that they report what is lost from then on. Have it show the replica or the observer too,
/// and it has the lost edits of all launches, until they are restored or dismissed. Memory is bounded, however many come.
///
/// ```swift
/// let conflicts = ConflictMonitor()
/// configuration.sink = BroadcastingAuditSink([log, conflicts])
/// let replica = try Replica(device: "iPhone", store: store, configuration: configuration)
/// conflicts.show(replica)
/// print(conflicts.summary)
/// ```
///
/// Thread-safe; observers are told on the main actor, as by ``SyncMonitor``.
@Observable
public final class ConflictMonitor: AuditSink {
    private struct Content {
        var statistics = ConflictStatistics()
        var active: [Conflict] = []
        /// The losses that were reported; not shown where there are keepers.
        var losses: [Conflict] = []
        var keepers: [Keeper] = []
        /// What the keepers have; nil where that is not known, and the reason where it could not be read.
        var kept: (conflicts: [Conflict], failure: (any Error)?)?
        /// Rises whenever the keepers may have something else.
        var version = 0

        mutating func forgetKept() {
            version += 1
            kept = nil
        }

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

    /// Whoever keeps lost edits has this monitor among its sinks, as a rule.
    private struct Keeper {
        weak var keeper: (any LostEditKeeper)?
        let observation: LostEditObservation
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

    /// The conflicts in which a value was discarded, the latest first, without those whose value was restored or that were dismissed.
    ///
    /// Since the app started, or, of those whom the monitor shows, of all launches: see ``show(_:)``. They are read from the store when
    /// they are first asked for after a change.
    public var lostEdits: [Conflict] { losses().conflicts }

    /// What kept the lost edits of those whom the monitor shows from being read when they were last asked for; nil where nothing did.
    public var failure: (any Error)? { losses().failure }

    /// One line for a person.
    ///
    /// It reads like `3 edits lost, 1 of them suspected; 2 conflicts to decide`.
    public var summary: String {
        let (losses, failure) = losses()
        let active = activeConflicts
        if failure != nil { return "The lost edits cannot be read" }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        var parts: [String] = []
        if !losses.isEmpty {
            let suspected = losses.count { !$0.isProven }
            parts.append(count(losses.count, "edit") + " lost" + (suspected > 0 ? ", \(suspected) of them suspected" : ""))
        }
        if !active.isEmpty { parts.append(count(active.count, "conflict") + " to decide") }
        return parts.isEmpty ? "No edits lost" : parts.joined(separator: "; ")
    }

    /// Shows from now on the edits that a replica or an observer keeps as lost, those of earlier launches among them; of several the edits
    /// of all, and no others.
    ///
    /// The monitor follows each change of theirs and does not keep them alive. Whom it shows already is not shown twice.
    public func show(_ keeper: some LostEditKeeper) {
        let observation = keeper.observeLostEdits { [weak self] in self?.keptHasChanged() }
        content.withLock { content in
            guard !content.keepers.contains(where: { $0.keeper === keeper }) else { return }
            content.keepers.append(Keeper(keeper: keeper, observation: observation))
        }
        keptHasChanged()
    }

    /// Takes an edit off the list for good: on this device, also after the next launch, where one of those whom the monitor shows keeps it.
    ///
    /// - Throws: What they throw.
    public func dismiss(_ conflict: Conflict) throws {
        for keeper in content.withLock({ $0.keepers }) { try keeper.keeper?.dismiss(conflict) }
        content.withLock { $0.losses.removeAll { $0.id == conflict.id } }
        tell()
    }

    /// Takes in a conflict; other events are passed over.
    public func record(_ event: AuditEvent) {
        guard case .conflict(let conflict) = event.content else { return }
        content.withLock { $0.record(conflict, limit: limit) }
        tell()
    }

    private func keptHasChanged() {
        content.withLock { $0.forgetKept() }
        tell()
    }

    private func tell() { Task { @MainActor [weak self] in self?.withMutation(keyPath: \.statistics) {} } }

    private func losses() -> (conflicts: [Conflict], failure: (any Error)?) {
        let content = read { $0 }
        if content.keepers.isEmpty { return (content.losses, nil) }
        if let kept = content.kept { return kept }
        var lists: [[Conflict]] = []
        var failure: (any Error)?
        for keeper in content.keepers {
            do { try lists.append(keeper.keeper?.lostEdits(limit: limit) ?? []) } catch { failure = error }
        }
        // One has them in the order in which they were found.
        var conflicts = lists.count == 1 ? lists[0] : lists.joined().sorted { ($0.time, $0.id) > ($1.time, $1.id) }
        conflicts = Array(conflicts.prefix(limit))
        self.content.withLock { [conflicts, failure] in
            if $0.version == content.version { $0.kept = (conflicts, failure) }
        }
        return (conflicts, failure)
    }

    private func read<Value: Sendable>(_ value: (Content) -> Value) -> Value {
        // One change concerns them all.
        access(keyPath: \.statistics)
        return content.withLock { value($0) }
    }
}
