import AuditLog
import ConflictAudit
public import SyncModel

/// Writes observed, log by log.
///
/// A log that holds `write` lines is counted by them. One that holds none, because its writer was told to log conflicts only, is counted by
/// the latest of its `statistics` lines, whose counters run from the start of the log: latest by date, and by the higher count among equal
/// dates, so that the order of reading does not matter. The sum runs over all logs: a write logged by three devices counts three times. A trace,
/// whose lines name no log, and the audit of a trace are taken for accounts of the same writes, and the larger counts.
public struct WriteTally: Hashable, Sendable {
    /// The writes of one log.
    public struct Source: Hashable, Sendable {
        /// The `write` lines counted.
        public internal(set) var observed = 0
        /// The latest statistics of the log, nil where it holds none.
        public internal(set) var reported: Reported?

        /// The writes of the log: those observed, or where there are none, those reported.
        public var count: Int { observed > 0 ? observed : reported?.writes ?? 0 }
    }

    /// What a `statistics` line said.
    public struct Reported: Hashable, Comparable, Sendable {
        /// The date of the line, in milliseconds since 1970.
        public let milliseconds: Int64
        /// Writes observed up to then.
        public let writes: Int

        /// Whether the left line is the earlier.
        public static func < (left: Reported, right: Reported) -> Bool {
            (left.milliseconds, left.writes) < (right.milliseconds, right.writes)
        }
    }

    /// The logs by the device that wrote them; nil for lines that do not name one.
    public internal(set) var bySource: [DeviceID?: Source] = [:]
    /// The earliest write counted from a `write` line, in milliseconds since 1970.
    public internal(set) var firstDate: Int64?
    /// The latest write counted from a `write` line, in milliseconds since 1970.
    public internal(set) var lastDate: Int64?

    /// Nothing counted.
    public init() {}

    /// Writes of all logs.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var count: Int {
        let logs = bySource.filter { $0.key != nil && $0.key != .auditOfTrace }.values
        let traced = max(bySource[nil]?.count ?? 0, bySource[.auditOfTrace]?.count ?? 0)
        return logs.reduce(traced) { $0.addingCount($1.count) }
    }

    mutating func record(_ write: TaggedWrite, source: DeviceID?) {
        let date = write.timestamp.milliseconds
        bySource[source, default: Source()].observed += 1
        firstDate = min(firstDate ?? date, date)
        lastDate = max(lastDate ?? date, date)
    }

    mutating func record(_ reported: Reported, source: DeviceID?) {
        bySource[source, default: Source()].note(reported)
    }

    mutating func merge(_ other: WriteTally) {
        for (source, theirs) in other.bySource {
            bySource[source, default: Source()].merge(theirs)
        }
        if let date = other.firstDate { firstDate = min(firstDate ?? date, date) }
        if let date = other.lastDate { lastDate = max(lastDate ?? date, date) }
    }
}

extension WriteTally.Source {
    fileprivate mutating func note(_ candidate: WriteTally.Reported) {
        reported = max(reported ?? candidate, candidate)
    }

    fileprivate mutating func merge(_ other: WriteTally.Source) {
        observed = observed.addingCount(other.observed)
        if let reported = other.reported { note(reported) }
    }
}
