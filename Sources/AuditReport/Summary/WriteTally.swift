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

        var isEmpty: Bool { observed == 0 && reported == nil }

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

    /// The devices that wrote the logs.
    private var devices = NameTable()
    /// The logs by the number of the device that wrote them, up to the last that is not empty.
    private var logs: [Source] = []
    /// The lines that do not name a device.
    private var unnamed = Source()
    /// The earliest write counted from a `write` line, in milliseconds since 1970.
    public internal(set) var firstDate: Int64?
    /// The latest write counted from a `write` line, in milliseconds since 1970.
    public internal(set) var lastDate: Int64?

    /// Nothing counted.
    public init() {}

    /// Writes observed, and what statistics said last, by the number of the device that logged them plus 1, 0 where the lines name none.
    init(_ devices: NameTable, observed: [Int], reported: [Int: Reported]) {
        self.devices = devices
        unnamed = Source(observed: observed.first ?? 0, reported: reported[0])
        logs = observed.dropFirst().map { Source(observed: $0) }
        for (source, reported) in reported where source > 0 { self[source - 1].reported = reported }
    }

    /// The logs by the device that wrote them; nil for lines that do not name one.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var bySource: [DeviceID?: Source] {
        sortedLogs.reduce(into: [:]) { $0[$1.device] = $1.log }
    }

    /// The logs in order of device, lines that name none first.
    var sortedLogs: some Sequence<(device: DeviceID?, log: Source)> {
        let numbers = logs.indices.filter { !logs[$0].isEmpty }.sorted { devices.precedes($0, devices, $1) }
        return ((unnamed.isEmpty ? [] : [-1]) + numbers).lazy.map { number in
            number < 0 ? (device: nil, log: unnamed) : (device: DeviceID(devices.name(number).text), log: logs[number])
        }
    }

    /// Writes of all logs.
    ///
    /// - Complexity: O(*n*) in the logs.
    public var count: Int {
        let audit = devices.known(DeviceID.auditOfTrace.rawValue) ?? logs.count
        let traced = max(unnamed.count, audit < logs.count ? logs[audit].count : 0)
        return logs.indices.reduce(traced) { $1 == audit ? $0 : $0.addingCount(logs[$1].count) }
    }

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
        self[number(of: source)].observed += 1
        firstDate = min(firstDate ?? date, date)
        lastDate = max(lastDate ?? date, date)
    }

    mutating func record(_ reported: Reported, source: DeviceID?) {
        self[number(of: source)].note(reported)
    }

    /// Adds what was counted of one log.
    mutating func merge(_ log: Source, of source: DeviceID?) {
        self[number(of: source)].merge(log)
    }

    mutating func merge(_ other: WriteTally) {
        if let date = other.firstDate { firstDate = min(firstDate ?? date, date) }
        if let date = other.lastDate { lastDate = max(lastDate ?? date, date) }
        unnamed.merge(other.unnamed)
        if logs.isEmpty {
            (devices, logs) = (other.devices, other.logs)
            return
        }
        let kept = other.logs.indices.filter { !other.logs[$0].isEmpty }
        let numbers = devices.numbers(of: kept.map { ($0, 0) }, in: other.devices)
        for (index, number) in zip(kept, numbers) { self[number].merge(other.logs[index]) }
    }

    private mutating func number(of source: DeviceID?) -> Int { source.map { devices.number(of: $0.rawValue) } ?? -1 }
}

extension WriteTally {
    /// Whether both counted the same.
    public static func == (left: WriteTally, right: WriteTally) -> Bool {
        left.bySource == right.bySource && left.firstDate == right.firstDate && left.lastDate == right.lastDate
    }

    /// Feeds what was counted into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bySource)
        hasher.combine(firstDate)
        hasher.combine(lastDate)
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
