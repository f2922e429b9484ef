import AuditLog
import ConflictAudit
import SyncBytes
public import SyncModel

/// Writes observed, each once by its dot, and log by log.
///
/// ```swift
/// print(summary.writes.countWithContext ?? 0, "of", summary.writes.count, "writes carry a causal context")
/// ```
///
/// Where each write was counted once, the writes are those, or those that a log without `write` lines reports, whichever are more. Where
/// lines were counted:
///
/// A log that holds `write` lines is counted by them. One that holds none, because its writer was told to log conflicts only, is counted by
/// the latest of its `statistics` lines, whose counters run from the start of the log: latest by date, and by the higher count among equal
/// dates, so that the order of reading does not matter. The sum runs over all logs: a write logged by three devices counts three times. A
/// trace, whose lines name no log, and the audit of a trace are taken to tell of the same writes, and the larger counts.
public struct WriteTally: Hashable, Sendable {
    /// The writes of one log.
    package struct Source: Hashable, Sendable {
        /// The `write` lines counted.
        package internal(set) var observed = 0
        /// Those of them that carried a causal context.
        package internal(set) var observedWithContext = 0
        /// The latest statistics of the log, nil where it holds none.
        package internal(set) var reported: Reported?

        var isEmpty: Bool { observed == 0 && reported == nil }

        /// The writes of the log: those observed, or where there are none, those reported.
        package var count: Int { observed > 0 ? observed : reported?.writes ?? 0 }

        /// The edits that the log reports as put back, whether it holds `write` lines or not.
        var reverts: Int { reported?.reverts ?? 0 }

        /// Those of the writes of the log that carried a causal context; nil where the log does not say.
        package var countWithContext: Int? { observed > 0 || reported == nil ? observedWithContext : reported?.withContext }
    }

    /// The writes of all logs, each once by its dot; those without a number as often as they were logged.
    package struct Distinct: Hashable, Sendable {
        /// The writes; where they were put together, as often as the parts have them.
        package internal(set) var count = 0
        /// Those of ``count`` that carried a causal context.
        package internal(set) var withContext = 0
        /// Those of ``count`` that have no number.
        package internal(set) var unnumbered = 0
        /// How many different dots there are.
        package internal(set) var dots = DistinctCount()
        /// Whether several parts were put together, which may have writes in common.
        package internal(set) var isPutTogether = false

        /// How many writes there are, within the error of `DistinctCount` where parts were put together.
        package var total: Int { isPutTogether ? min(count, unnumbered.addingCount(dots.count)) : count }

        /// Those of ``total`` that carried a causal context; where parts with writes in common were put together, their share.
        package var totalWithContext: Int {
            withContext == count || count == 0 ? total : Int(Double(withContext) * (Double(total) / Double(count)))
        }

        mutating func merge(_ other: Distinct) {
            isPutTogether = isPutTogether || other.isPutTogether || count > 0 && other.count > 0
            count = count.addingCount(other.count)
            withContext = withContext.addingCount(other.withContext)
            unnumbered = unnumbered.addingCount(other.unnumbered)
            dots.merge(other.dots)
        }
    }

    /// What a `statistics` line said.
    package struct Reported: Hashable, Comparable, Sendable {
        /// The date of the line, in milliseconds since 1970.
        package let milliseconds: Int64
        /// Writes observed up to then.
        package let writes: Int
        /// Those of them that carried a causal context; nil where the line does not say.
        package let withContext: Int?
        /// The edits that writers who had seen them put back; 0 where the line says none.
        package let reverts: Int

        /// Whether the left line is the earlier.
        package static func < (left: Reported, right: Reported) -> Bool {
            (left.milliseconds, left.writes, left.withContext ?? -1, left.reverts)
                < (right.milliseconds, right.writes, right.withContext ?? -1, right.reverts)
        }
    }

    /// The writes, each once; nil where every line counts.
    package internal(set) var distinct: Distinct?

    /// The devices that wrote the logs.
    private var devices = NameTable()
    /// The logs by the number of the device that wrote them, up to the last that is not empty.
    private var logs: [Source] = []
    /// The lines that do not name a device.
    private var unnamed = Source()
    /// The time of the earliest write counted from a `write` line.
    public var firstDate: WallTime? { firstMilliseconds.map(WallTime.init(millisecondsSince1970:)) }
    /// The time of the latest write counted from a `write` line.
    public var lastDate: WallTime? { lastMilliseconds.map(WallTime.init(millisecondsSince1970:)) }

    /// The devices that the writes are of, whoever logged them.
    package var writers: Set<DeviceID> { Set(reaches.keys) }

    /// How far the writes of a device go, by their numbers.
    package struct Reach: Hashable, BitwiseCopyable, Sendable {
        /// The highest number in the device's own log, 0 where there is none.
        package var own: Int64 = 0
        /// The highest in the logs of others, and when that write was made, in milliseconds since 1970.
        package var others: Int64 = 0
        package var milliseconds: Int64 = 0

        /// Whether others know of later writes than the device's own log, which then lacks its end.
        package var endsEarly: Bool { own > 0 && others > own }

        /// No write.
        package init() {}

        /// Takes note of a write by its number, 0 where it has none.
        @inline(__always) mutating func observe(_ number: Int64, at milliseconds: Int64, isOwn: Bool) {
            if isOwn { own = max(own, number) } else if number > others { (others, self.milliseconds) = (number, milliseconds) }
        }

        /// Takes note of a write.
        package mutating func observe(_ write: TaggedWrite, in source: DeviceID?) {
            let number = write.isNumbered ? Int64(clamping: write.dot.sequence) : 0
            observe(number, at: write.timestamp.milliseconds, isOwn: source == write.dot.device)
        }

        /// Takes note of what others tell.
        package mutating func merge(_ other: Reach) {
            own = max(own, other.own)
            if other.others > others { (others, milliseconds) = (other.others, other.milliseconds) }
        }
    }

    /// How far the writes of each device go; nothing but the devices is known of a summary that was written down.
    package internal(set) var reaches: [DeviceID: Reach] = [:]

    package internal(set) var firstMilliseconds: Int64?
    package internal(set) var lastMilliseconds: Int64?

    /// Nothing counted.
    package init() {}

    /// Writes observed, and what statistics said last, by the number of the device that logged them plus 1, 0 where the lines name none.
    init(_ devices: NameTable, observed: [(writes: Int, withContext: Int)], reported: [Int: Reported]) {
        self.devices = devices
        if let first = observed.first { unnamed = Source(observed: first.writes, observedWithContext: first.withContext) }
        unnamed.reported = reported[0]
        logs = observed.dropFirst().map { Source(observed: $0.writes, observedWithContext: $0.withContext) }
        for (source, reported) in reported where source > 0 { self[source - 1].reported = reported }
    }

    /// The logs by the device that wrote them; nil for lines that do not name one.
    ///
    /// - Complexity: O(*n*) in the logs.
    package var bySource: [DeviceID?: Source] {
        sortedLogs.reduce(into: [:]) { $0[$1.device] = $1.log }
    }

    /// The logs in order of device, lines that name none first.
    package var sortedLogs: some Sequence<(device: DeviceID?, log: Source)> {
        let numbers = logs.indices.filter { !logs[$0].isEmpty }.ordered { devices.precedes($0, devices, $1) }
        return ((unnamed.isEmpty ? [] : [-1]) + numbers).lazy.map { number in
            number < 0 ? (device: nil, log: unnamed) : (device: DeviceID(devices.name(number).text), log: logs[number])
        }
    }

    /// The log without `write` lines that reports the most writes.
    private var mostReported: Reported? {
        ([unnamed] + logs).lazy.filter { $0.observed == 0 }.compactMap(\.reported).max {
            ($0.writes, $0.withContext ?? -1) < ($1.writes, $1.withContext ?? -1)
        }
    }

    /// Writes of all logs.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var count: Int {
        if let distinct { return max(distinct.total, mostReported?.writes ?? 0) }
        return sum(\.count)
    }

    /// The edits that writers who had seen them put back, by the latest statistics of each log: `write` lines do not tell of them.
    ///
    /// The sum runs over all logs; where each write was counted once, the logs may tell of the same edits, and the largest count is taken.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var reverts: Int {
        distinct == nil ? sum(\.reverts) : ([unnamed] + logs).lazy.map(\.reverts).max() ?? 0
    }

    /// The counts of all logs, those of a trace and of its audit once.
    private func sum(_ count: (Source) -> Int) -> Int {
        let audit = devices.known(DeviceID.auditOfTrace.rawValue) ?? logs.count
        let traced = max(count(unnamed), audit < logs.count ? count(logs[audit]) : 0)
        return logs.indices.reduce(traced) { $1 == audit ? $0 : $0.addingCount(count(logs[$1])) }
    }

    /// Those of the writes of all logs that carried a causal context; nil where a log does not say.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var countWithContext: Int? {
        if let distinct {
            if let most = mostReported, most.writes > distinct.total { return most.withContext }
            return distinct.totalWithContext
        }
        let audit = devices.known(DeviceID.auditOfTrace.rawValue) ?? logs.count
        var traced = unnamed
        if audit < logs.count, logs[audit].count > traced.count || traced.countWithContext == nil { traced = logs[audit] }
        var sum = traced.countWithContext
        for index in logs.indices where index != audit {
            guard let known = sum, let more = logs[index].countWithContext else { return nil }
            sum = known.addingCount(more)
        }
        return sum
    }

    /// Whether any `write` line was counted.
    var hasLines: Bool { firstMilliseconds != nil }

    /// The log of a device's number, -1 for the lines that name none.
    private subscript(number: Int) -> Source {
        _read { yield number < 0 ? unnamed : logs[number] }
        _modify {
            if number < 0 {
                yield &unnamed
            } else {
                if number >= logs.count { logs.append(contentsOf: repeatElement(Source(), count: number + 1 - logs.count)) }
                yield &logs[number]
            }
        }
    }

    mutating func record(_ write: TaggedWrite, source: DeviceID?) {
        let date = write.timestamp.milliseconds
        self[number(of: source)].observe(write)
        reaches[write.dot.device, default: Reach()].observe(write, in: source)
        firstMilliseconds = min(firstMilliseconds ?? date, date)
        lastMilliseconds = max(lastMilliseconds ?? date, date)
    }

    mutating func record(_ reported: Reported, source: DeviceID?) {
        self[number(of: source)].record(reported)
    }

    /// Adds what was counted of one log.
    mutating func merge(_ log: Source, of source: DeviceID?) {
        self[number(of: source)].merge(log)
    }

    /// Whether nothing was counted.
    private var isEmpty: Bool { unnamed.isEmpty && logs.allSatisfy(\.isEmpty) }

    mutating func merge(_ other: WriteTally) {
        mergeDistinct(other)
        for (device, reach) in other.reaches { reaches[device, default: Reach()].merge(reach) }
        if let date = other.firstMilliseconds { firstMilliseconds = min(firstMilliseconds ?? date, date) }
        if let date = other.lastMilliseconds { lastMilliseconds = max(lastMilliseconds ?? date, date) }
        unnamed.merge(other.unnamed)
        if logs.isEmpty {
            (devices, logs) = (other.devices, other.logs)
            return
        }
        let kept = other.logs.indices.filter { !other.logs[$0].isEmpty }
        let numbers = devices.numbers(of: kept.map { ($0, 0) }, in: other.devices)
        for (index, number) in zip(kept, numbers) { self[number].merge(other.logs[index]) }
    }

    /// Adds writes that have nothing in common with those counted.
    mutating func add(_ more: Distinct) {
        guard var sum = distinct else {
            distinct = more
            return
        }
        let isPutTogether = sum.isPutTogether
        sum.merge(more)
        sum.isPutTogether = isPutTogether
        distinct = sum
    }

    /// What one of two counted by the line, both did.
    private mutating func mergeDistinct(_ other: WriteTally) {
        if other.isEmpty { return }
        guard !isEmpty, let mine = distinct, let theirs = other.distinct else {
            distinct = isEmpty ? other.distinct : nil
            return
        }
        var sum = mine
        sum.merge(theirs)
        distinct = sum
    }

    private mutating func number(of source: DeviceID?) -> Int { source.map { devices.number(of: $0.rawValue) } ?? -1 }
}

extension WriteTally {
    /// Whether both counted the same.
    public static func == (left: WriteTally, right: WriteTally) -> Bool {
        left.bySource == right.bySource && left.distinct == right.distinct && left.firstMilliseconds == right.firstMilliseconds
            && left.lastMilliseconds == right.lastMilliseconds && left.writers == right.writers
    }

    /// Feeds what was counted into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bySource)
        hasher.combine(distinct)
        hasher.combine(firstMilliseconds)
        hasher.combine(lastMilliseconds)
        hasher.combine(writers)
    }
}

extension WriteTally.Source {
    fileprivate mutating func observe(_ write: TaggedWrite) {
        observed += 1
        if write.hasCausalContext { observedWithContext += 1 }
    }

    fileprivate mutating func record(_ candidate: WriteTally.Reported) {
        reported = max(reported ?? candidate, candidate)
    }

    fileprivate mutating func merge(_ other: WriteTally.Source) {
        observed = observed.addingCount(other.observed)
        observedWithContext = observedWithContext.addingCount(other.observedWithContext)
        if let reported = other.reported { record(reported) }
    }
}
