package import AuditLog
package import ConflictAudit
import SyncBytes
import SyncLines
package import SyncModel

/// The gravest conflicts of logs, the newest first among equally grave ones, and what `show` would tell of each.
///
/// Two looks at the same lines are needed: the first finds the conflicts, the second the writes around them. A conflict that several
/// devices logged is listed once.
///
/// - Complexity: memory is bounded by twice ``limit`` conflicts (100 more where it is small) and by ``eventLimit`` lines in all about their
///   records, however long the logs are. A value type; its owner guards it.
package struct ConflictListing: EventObserver, Sendable {
    /// One conflict of the list.
    package struct Entry: Hashable, Sendable {
        /// What is told of it.
        package let details: ConflictDetails
        /// Whether all lines about the record were looked at.
        ///
        /// Where there were more than ``recordLimit``, or than ``eventLimit`` with those of other records, the details are those of the
        /// conflict's own lines alone.
        package let isWhole: Bool
    }

    /// The most lines about one record that are looked at.
    package static let recordLimit = 1000
    /// The most lines about all records that are looked at.
    package static let eventLimit = 100_000

    /// The most conflicts that are listed.
    package let limit: Int
    /// Whether there were more conflicts than are listed.
    package private(set) var hasMore = false
    /// Whether there may be conflicts of which only counts were read.
    package private(set) var hasCountsOnly = false
    /// What people call the records of the conflicts, after the second look.
    package private(set) var names: RecordNames

    private let filter: ReportFilter
    private var scanFilter: ScanFilter
    private var found: [ConflictID: LoggedConflict] = [:]
    /// What ranks behind this one is not among the gravest.
    private var last: Rank?
    private var lines: [RecordKey: RecordLines] = [:]
    /// At the second look, the records of the conflicts found.
    private var records: ChosenRecords?
    private var eventCount = 0

    /// The lines about one record.
    private struct RecordLines {
        var events: [AuditEvent] = []
        /// Whether there were more than can be kept, so that none are.
        var areTooMany = false
    }

    /// An empty list.
    ///
    /// - Parameters:
    ///   - limit: The most conflicts to list; less than 0 counts as 0.
    ///   - filter: Which conflicts may be listed.
    ///   - names: What people call records; nothing known yet.
    package init(limit: Int, filter: ReportFilter = ReportFilter(), names: RecordNames = RecordNames(fields: [:], guesses: true)) {
        self.limit = max(limit, 0)
        self.filter = filter
        scanFilter = ScanFilter(filter)
        self.names = names
    }

    /// Whether there is nothing to list.
    package var isEmpty: Bool { found.isEmpty }

    /// The conflicts of the list, in no order.
    package var conflicts: [Conflict] { found.values.map(\.conflict) }

    package static var choosesLines: Bool { true }

    /// Chooses at the first look the conflicts that may be listed, and at the second the lines about their records.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        if records != nil { return records?.contain(line, names) == true }
        guard line.isConflict, scanFilter.isUnrestricted || scanFilter.passes(line, names) else { return false }
        return found[ConflictID(rawValue: line.id)] != nil || isAmongGravest(Rank(line))
    }

    private mutating func isAmongGravest(_ rank: Rank) -> Bool {
        guard limit == 0 || last.map({ $0 < rank }) ?? false else { return true }
        hasMore = true
        return false
    }

    /// Looks at a line.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if records != nil { return observeAgain(line, at: location) }
        guard case .conflict(let conflict) = line.event.content, filter.matches(conflict) else { return }
        if found[conflict.id]?.add(conflict, from: line.source) != nil { return }
        guard isAmongGravest(Rank(conflict)) else { return }
        found[conflict.id] = LoggedConflict(conflict, from: line.source)
        // Not one by one, so that a line costs no more than a comparison on average.
        if found.count - limit >= max(limit, 100) { drop() }
    }

    /// Takes note of a summary, which counts conflicts and tells nothing of each.
    package mutating func observeSummary() { hasCountsOnly = true }

    /// Ends the first look; where there is anything to list, the lines about the records are looked at once more.
    package mutating func looksAgain() -> Bool {
        guard records == nil else { return false }
        if found.count > limit { drop() }
        for logged in found.values { lines[logged.conflict.key] = RecordLines() }
        names.narrow(to: Set(lines.keys))
        records = ChosenRecords(Set(lines.keys))
        return !isEmpty
    }

    private mutating func observeAgain(_ line: AuditLine, at location: AuditLogReader.Location) {
        names.observe(line, at: location)
        let event = line.event
        let key: RecordKey
        switch event.content {
        case .write(let write): key = write.key
        case .conflict(let conflict): key = conflict.key
        default: return
        }
        guard let index = lines.index(forKey: key), !lines.values[index].areTooMany else { return }
        let count = lines.values[index].events.count
        if count < Self.recordLimit, eventCount < Self.eventLimit {
            lines.values[index].events.append(event)
            eventCount += 1
        } else {
            lines.values[index] = RecordLines(areTooMany: true)
            eventCount -= count
        }
    }

    /// The list.
    ///
    /// - Complexity: O(*n* · *m*) for *n* conflicts and *m* lines about the record of each.
    package var entries: [Entry] {
        found.values.map { ($0, Rank($0.conflict)) }.ordered { $0.1 < $1.1 }.map { logged, _ in
            var history = RecordHistory(of: logged.conflict)
            let about = lines[logged.conflict.key]
            for event in about?.events ?? [] { history.observe(event) }
            return Entry(details: ConflictDetails(logged, history: history), isWhole: about?.areTooMany != true)
        }
    }

    /// The writes to the record of a conflict, after the second look; none where there were too many lines to keep.
    package func writes(to key: RecordKey) -> [TaggedWrite] {
        lines[key]?.events.compactMap { if case .write(let write) = $0.content { write } else { nil } } ?? []
    }

    private mutating func drop() {
        hasMore = true
        let ranks = found.values.map { Rank($0.conflict) }.sorted()
        for rank in ranks.dropFirst(limit) { found[rank.id] = nil }
        last = ranks[limit - 1]
    }

    /// The order of the list.
    private struct Rank: Comparable {
        let severity: Conflict.Severity
        let milliseconds: Int64
        let id: ConflictID

        init(_ conflict: Conflict) {
            (severity, milliseconds, id) = (conflict.severity, conflict.milliseconds, conflict.id)
        }

        init(_ line: ScannedLine) {
            (severity, milliseconds, id) = (line.traits.severity, line.milliseconds, ConflictID(rawValue: line.id))
        }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.severity != right.severity { return left.severity > right.severity }
            return left.milliseconds == right.milliseconds ? left.id < right.id : left.milliseconds > right.milliseconds
        }
    }
}
