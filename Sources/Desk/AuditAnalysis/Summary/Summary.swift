import AuditLog
public import ConflictAudit
public import SyncModel

/// Everything that a report says about any number of logs: a value that is counted up event by event, and merged.
///
/// ```swift
/// summary.merge(other)
/// print(summary.proven.total.losses, "edits were lost for certain")
/// ```
///
/// Merging the summaries of two parts gives the summary of the whole, in whichever order: exactly for counts and dates, within the error of
/// `GapHistogram` for percentiles. Proven and suspected conflicts are kept apart throughout; ``all`` puts them together for those who ask.
/// Lines are counted as they come, or each conflict and each write once (``isDistinct``), whichever way they are observed; `distinct` says
/// how many different conflicts there are. Summaries that count once are merged by adding up: what is in both counts twice then, and
/// ``parts`` says of how many that may be true.
///
/// - Complexity: observing is O(1) in look-ups; memory grows with the distinct devices, device pairs, fields, days, records and
///   logs, not with the number of events: where each of the five names of a conflict is new, and 20 bytes long, reading and reporting
///   it takes 700 bytes at the peak. A value type; its owner guards it.
public struct Summary: Hashable, Sendable {
    /// The events that are only counted.
    package enum OtherEvent: String, Hashable, Sendable, CaseIterable {
        /// Versions of a record met in a conflict handler.
        case merge
        /// A sync began or ended.
        case sync
        /// Writes of other devices were merged.
        case remoteChange = "remote_change"
        /// The network came, went or changed.
        case network
        /// The account's status changed.
        case account
        /// A device's clock was compared with the hub's.
        case clock
        /// What the replica held.
        case checkpoint
        /// Statistics up to a time.
        case statistics
        /// What the log says of itself.
        case log
    }

    /// Conflicts known from version vectors or a common ancestor.
    public internal(set) var proven = ConflictTally()
    /// Conflicts suspected from times, of clocks or of receipts, or from what rows repeat.
    public internal(set) var suspected = ConflictTally()
    /// Writes observed, conflicting or not.
    public internal(set) var writes = WriteTally()
    /// Whether a `write` line was read, whether it passed the filter or not.
    package var hasWriteLines = false
    /// Whether a line was read that only whoever has looked for conflicts logs, whether it passed the filter or not.
    package var hasAudit = false
    /// The other events seen.
    package internal(set) var otherEvents: [OtherEvent: Int] = [:]
    /// A few of the edits lost, to be shown.
    package var examples = LossExamples()
    /// What the logs tell of sync itself.
    package internal(set) var health = SyncHealth()
    /// Lines that the logs say could not be written: so much at most is missing from the counts.
    public internal(set) var linesDropped = 0
    /// The filters that the events counted here had to pass, in a fixed order.
    ///
    /// Empty before anything was counted without a filter; more than
    /// one where summaries with different filters were merged.
    package internal(set) var filters: [ReportFilter] = []

    /// Whether each conflict and each write was counted once, however many devices had logged it, at least within each of the ``parts``.
    public internal(set) var isDistinct = false
    /// How many summaries that count once were put together, which may have conflicts in common.
    public internal(set) var parts = 0
    /// The lines of conflicts that were left out because the conflict had been counted.
    package internal(set) var copiesLeftOut = 0
    /// How many conflicts at most are missing from the count of any record, where there were too many records to keep a count of each.
    package var recordsMissing = 0

    /// How many records are counted exactly: of more, those with the most conflicts are kept, and ``recordsMissing`` says how far their
    /// counts may be off.
    package static let recordLimit = 1 << 18

    /// The lines of conflicts that count though the conflict may have been counted: those beyond what is remembered.
    package internal(set) var unchecked = 0

    /// Nothing counted, and everything to be counted.
    ///
    /// Merging it into another summary changes nothing.
    public init() {}

    /// Nothing counted, and only what passes a filter to be counted.
    public init(filter: ReportFilter) {
        if !filter.isUnrestricted { filters = [filter] }
    }

    /// Proven and suspected conflicts together.
    ///
    /// - Complexity: O(*n*) in the distinct keys of the suspected ones.
    public var all: ConflictTally {
        var all = proven
        all.merge(suspected)
        return all
    }

    /// How far the lines can tell of conflicts.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var evidence: AuditEvidence {
        var evidence = AuditEvidence()
        (evidence.hasWriteLines, evidence.hasAudit) = (hasWriteLines, hasAudit)
        (evidence.writes, evidence.withContext) = (writes.count, writes.countWithContext)
        return evidence
    }

    /// How many different conflicts there are, proven and suspected together, and whether that is exact.
    ///
    /// - Complexity: O(1) in the conflicts; see `DistinctCount`.
    package var distinctConflicts: (count: Int, isExact: Bool) {
        let lines = proven.total.conflicts.addingCount(suspected.total.conflicts)
        if isDistinct, parts <= 1, unchecked == 0 { return (lines, true) }
        var count = proven.distinct
        count.merge(suspected.distinct)
        return (min(count.count, lines), count.isExact)
    }

    /// Counts an event as ``observe(_:source:)`` does, a conflict or a write only where it has not been counted before.
    ///
    /// Where devices tell different things of one conflict, what is told first counts, so that the order of reading matters; but a clock is
    /// suspect where any of them says so.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - source: The device that logged it, nil where the line does not name one.
    ///   - copies: What has been counted in this summary, and in no other; ``take(_:)`` takes what it has counted at the end.
    package mutating func observe(_ event: AuditEvent, source: DeviceID?, once copies: inout FirstCopies) {
        let passes =
            switch event.content {
            case .conflict(let conflict): filters.allSatisfy { $0.matches(conflict) }
            case .write(let write): filters.allSatisfy { $0.matches(write) }
            default: false
            }
        if let event = passes ? copies.admitted(event) : event { observe(event, source: source) }
    }

    /// Whether there is a conflict, proven or suspected.
    package var hasConflicts: Bool { proven.total.conflicts > 0 || suspected.total.conflicts > 0 }
    /// Whether any edit was lost, or may have been.
    package var hasLosses: Bool { proven.total.losses > 0 || suspected.total.losses > 0 }

    /// Adds what was counted and left out while each conflict and each write was to be counted once.
    package mutating func add(_ tallies: FirstCopies.Tallies) {
        isDistinct = true
        copiesLeftOut = copiesLeftOut.addingCount(tallies.copiesLeftOut)
        unchecked = unchecked.addingCount(tallies.unchecked)
        proven.statistics.unresolvedConflicts -= tallies.decided.proven
        suspected.statistics.unresolvedConflicts -= tallies.decided.suspected
        for (winner, late) in tallies.lateSuspects {
            proven.addSuspects(late.proven, wonBy: winner)
            suspected.addSuspects(late.suspected, wonBy: winner)
        }
        writes.add(tallies.writes)
        if hasConflicts || writes.distinct?.count ?? 0 > 0 { parts = max(parts, 1) }
    }

    /// Counts an event where it passes every filter.
    ///
    /// Filters apply to conflicts whole; to writes by time, device and record type; to other events by time. A `statistics` event cannot be
    /// filtered by anything, so that under a filter it says nothing about the writes, nor about edits put back.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - source: The device that logged it, nil where the line does not name one.
    public mutating func observe(_ event: AuditEvent, source: DeviceID?) {
        if filters.isEmpty { filters = [ReportFilter()] }
        var evidence = AuditEvidence()
        evidence.observe(event)
        hasWriteLines = hasWriteLines || evidence.hasWriteLines
        hasAudit = hasAudit || evidence.hasAudit
        observeHealth(event, source: source)
        switch event.content {
        case .conflict(let conflict):
            guard filters.allSatisfy({ $0.matches(conflict) }) else { return }
            if conflict.isProven { proven.record(conflict) } else { suspected.record(conflict) }
            examples.observe(conflict)
            boundRecords()
        case .write(let write):
            guard filters.allSatisfy({ $0.matches(write) }) else { return }
            writes.record(write, source: source)
        case .statistics(let statistics):
            count(.statistics, event)
            guard filters.allSatisfy(\.isUnrestricted), statistics.writesObserved >= 0 else { return }
            let count = min(statistics.writesObserved, .largestCount)
            let contexts = statistics.writesWithContext.flatMap { $0 < 0 ? nil : min($0, count) }
            let reverts = min(max(statistics.reverts, 0), .largestCount)
            writes.record(
                WriteTally.Reported(milliseconds: event.milliseconds, writes: count, withContext: contexts, reverts: reverts),
                source: source)
        case .log(let note):
            guard count(.log, event), case .dropped(let lines) = note, lines > 0 else { return }
            linesDropped = linesDropped.addingCount(lines)
        case .merge: count(.merge, event)
        // Evidence for an audit of joined logs, and nothing to count.
        case .acknowledgement, .rules: break
        // Counted as health.
        case .outbox, .refresh: break
        case .sync: count(.sync, event)
        case .network: count(.network, event)
        case .account: count(.account, event)
        case .remoteChange: count(.remoteChange, event)
        case .clock: count(.clock, event)
        case .checkpoint: count(.checkpoint, event)
        }
    }

    /// Counts what an event tells of sync itself, where it passes every filter.
    package mutating func observeHealth(_ event: AuditEvent, source: DeviceID?) {
        switch event.content {
        case .outbox, .refresh, .sync, .network, .account, .clock:
            if filters.allSatisfy({ $0.isUnrestricted || $0.matches(AuditLine(source: source, event: event)) }) {
                health.observe(event, source: source)
            }
        default: break
        }
    }

    /// The latest time that the logs name, in milliseconds since 1970, against which ages are measured; nil where they name none.
    package var newestMilliseconds: Int64? {
        [
            health.newestMilliseconds, writes.lastMilliseconds, proven.statistics.lastConflictMilliseconds,
            suspected.statistics.lastConflictMilliseconds,
        ].compactMap { $0 }.max()
    }

    /// Adds everything that another summary counted.
    ///
    /// The sum is ``isDistinct`` where both are, and what it counts from then on has to pass the filters of both. Counts stop at a quarter
    /// of `Int.max` rather than overflow.
    ///
    /// - Complexity: O(*n*) in the distinct keys of the other.
    public mutating func merge(_ other: Summary) {
        if !other.filters.isEmpty { isDistinct = other.isDistinct && (isDistinct || filters.isEmpty) }
        parts = parts.addingCount(other.parts)
        copiesLeftOut = copiesLeftOut.addingCount(other.copiesLeftOut)
        unchecked = unchecked.addingCount(other.unchecked)
        proven.merge(other.proven)
        suspected.merge(other.suspected)
        writes.merge(other.writes)
        recordsMissing = recordsMissing.addingCount(other.recordsMissing)
        boundRecords()
        hasWriteLines = hasWriteLines || other.hasWriteLines
        hasAudit = hasAudit || other.hasAudit
        otherEvents.merge(other.otherEvents) { $0.addingCount($1) }
        health.merge(other.health)
        examples.merge(other.examples)
        linesDropped = linesDropped.addingCount(other.linesDropped)
        if filters != other.filters { filters = Set(filters + other.filters).sorted() }
    }

    /// The same, where what was put together had counted each conflict and each write once among all of it.
    package var countedTogether: Summary {
        var summary = self
        summary.parts = min(parts, 1)
        summary.writes.distinct?.isPutTogether = false
        return summary
    }

    /// Forgets the counts of each record, what filters there were and what is shown of single edits, which no metric tells of.
    package mutating func keepOnlyMetrics() {
        filters = []
        recordsMissing = proven.total.conflicts.addingCount(suspected.total.conflicts)
        (proven.records, suspected.records) = (NamedCounts(), NamedCounts())
        examples = LossExamples()
    }

    /// Forgets the records with few conflicts where there are more than `limit`.
    ///
    /// - Complexity: O(1) where there is nothing to do.
    mutating func boundRecords(_ limit: Int = Self.recordLimit) {
        guard max(proven.records.nameCount, suspected.records.nameCount) > limit else { return }
        recordsMissing = recordsMissing.addingCount(NamedCounts.evict(&proven.records, &suspected.records, limit: limit))
    }

    @discardableResult
    private mutating func count(_ name: OtherEvent, _ event: AuditEvent) -> Bool {
        guard filters.allSatisfy({ $0.matches(milliseconds: event.milliseconds) }) else { return false }
        otherEvents[name, default: 0] += 1
        return true
    }
}
