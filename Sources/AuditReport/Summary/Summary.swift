public import ConflictAudit
public import SyncModel

/// Everything that a report says about any number of logs: a value that is counted up event by event, and merged.
///
/// Merging the summaries of two parts gives the summary of the whole, in whichever order: exactly for counts and dates, within the error of
/// `GapHistogram` for percentiles. Proven and suspected conflicts are kept apart throughout; ``all`` puts them together for those who ask.
/// A conflict that several devices logged counts as often as it was logged, unless ``isDistinct``; ``ConflictTally/distinct`` says how many different ones
/// there are.
///
/// - Complexity: observing is O(1) in look-ups; memory grows with the distinct devices, device pairs, fields, days, records and
///   logs, not with the number of events: where each of the five names of a conflict is new, and 20 bytes long, reading and reporting
///   it takes 700 bytes at the peak. A value type; its owner guards it.
public struct Summary: Hashable, Sendable {
    /// The events that are only counted.
    public enum OtherEvent: String, Hashable, Sendable, CaseIterable {
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
        /// Statistics up to a moment.
        case statistics
        /// The log's account of itself.
        case log
    }

    /// Conflicts known from version vectors or a common ancestor.
    public internal(set) var proven = ConflictTally()
    /// Conflicts suspected from timestamps alone.
    public internal(set) var suspected = ConflictTally()
    /// Writes observed, conflicting or not.
    public internal(set) var writes = WriteTally()
    /// The other events seen.
    public internal(set) var otherEvents: [OtherEvent: Int] = [:]
    /// Lines that the logs say could not be written: so much at most is missing from the counts.
    public internal(set) var linesDropped = 0
    /// The filters that the events counted here had to pass, in a fixed order.
    ///
    /// Empty before anything was counted without a filter; more than
    /// one where summaries with different filters were merged.
    public internal(set) var filters: [ReportFilter] = []

    /// Whether each conflict was counted once, however many devices had logged it; see ``observe(_:source:once:)``.
    public internal(set) var isDistinct = false

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

    /// How many different conflicts there are, proven and suspected together.
    ///
    /// - Complexity: O(1) in the conflicts; see ``DistinctCount``.
    public var distinctConflicts: DistinctCount {
        var count = proven.distinct
        count.merge(suspected.distinct)
        return count
    }

    /// Counts an event as ``observe(_:source:)`` does, a conflict only where its id has not been counted before.
    ///
    /// Where devices tell different things of one conflict, what is told first counts, so that the order of reading matters. Summaries made so cannot be
    /// merged into one that counts each conflict once.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - source: The device that logged it, nil where the line does not name one.
    ///   - ids: What has been counted; grows with the number of different conflicts.
    public mutating func observe(_ event: AuditEvent, source: DeviceID?, once ids: inout Set<ConflictID>) {
        isDistinct = true
        if case .conflict(let conflict) = event.content, filters.allSatisfy({ $0.matches(conflict) }), !ids.insert(conflict.id).inserted {
            return
        }
        observe(event, source: source)
    }

    /// Counts an event where it passes every filter.
    ///
    /// Filters apply to conflicts whole; to writes by time, device and record type; to other events by time. A `statistics` event cannot be
    /// filtered by anything, so that under a filter it says nothing about the writes.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - source: The device that logged it, nil where the line does not name one.
    public mutating func observe(_ event: AuditEvent, source: DeviceID?) {
        if filters.isEmpty { filters = [ReportFilter()] }
        switch event.content {
        case .conflict(let conflict):
            guard filters.allSatisfy({ $0.matches(conflict) }) else { return }
            if conflict.isProven { proven.record(conflict) } else { suspected.record(conflict) }
        case .write(let write):
            guard filters.allSatisfy({ $0.matches(write) }) else { return }
            writes.record(write, source: source)
        case .statistics(let statistics):
            count(.statistics, event)
            guard filters.allSatisfy(\.isUnrestricted), statistics.writesObserved >= 0 else { return }
            let count = min(statistics.writesObserved, .largestCount)
            writes.record(WriteTally.Reported(milliseconds: event.milliseconds, writes: count), source: source)
        case .log(let note):
            guard count(.log, event), case .dropped(let lines) = note, lines > 0 else { return }
            linesDropped = linesDropped.addingCount(lines)
        case .sync: count(.sync, event)
        case .remoteChange: count(.remoteChange, event)
        case .network: count(.network, event)
        case .account: count(.account, event)
        case .clock: count(.clock, event)
        case .checkpoint: count(.checkpoint, event)
        }
    }

    /// Adds everything that another summary counted.
    ///
    /// The sum is ``isDistinct`` only where there is nothing to add, and what it counts from then on has to pass the filters of both. Counts stop at a quarter of `Int.max` rather than overflow.
    ///
    /// - Complexity: O(*n*) in the distinct keys of the other.
    public mutating func merge(_ other: Summary) {
        isDistinct = filters.isEmpty ? other.isDistinct : other.filters.isEmpty && isDistinct
        proven.merge(other.proven)
        suspected.merge(other.suspected)
        writes.merge(other.writes)
        otherEvents.merge(other.otherEvents) { $0.addingCount($1) }
        linesDropped = linesDropped.addingCount(other.linesDropped)
        if filters != other.filters { filters = Set(filters + other.filters).sorted() }
    }

    @discardableResult
    private mutating func count(_ name: OtherEvent, _ event: AuditEvent) -> Bool {
        guard filters.allSatisfy({ $0.matches(milliseconds: event.milliseconds) }) else { return false }
        otherEvents[name, default: 0] += 1
        return true
    }
}
