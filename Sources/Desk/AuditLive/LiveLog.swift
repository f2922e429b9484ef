import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// What the lines of logs told so far, in bounded memory.
struct LiveLog {
    /// A loss that is kept, and its number among all.
    struct Loss: Comparable {
        static func == (left: Loss, right: Loss) -> Bool { left.number == right.number }

        let number: Int
        let source: DeviceID?
        let conflict: Conflict
        /// When it was, no later than it can have been, in milliseconds since 1970.
        let time: Int64
        /// The line that told of it first.
        let input: InputLine?

        static func < (left: Loss, right: Loss) -> Bool { (left.time, left.number) < (right.time, right.number) }
    }

    /// How many losses are kept; the others are only counted.
    static let lossLimit = 1_000
    /// How many writes are kept, to tell what happened to a record.
    private static let writeLimit = 10_000
    /// How many devices are known by name that tell nothing of their sync.
    private static let nameLimit = 10_000
    /// What a conflict over no single field is counted as.
    static let wholeRecord = "(record)"
    /// How many bytes of lines are kept of each.
    private static let byteLimit = 32 << 20

    private(set) var events = 0
    private(set) var proven = ConflictTally.Count()
    private(set) var suspected = ConflictTally.Count()
    private(set) var types = LiveTally()
    private(set) var fields = LiveTally()
    private(set) var losers = LiveTally()
    private(set) var minutes: LiveMinutes
    private(set) var syncs = SyncHealth()
    /// The devices that lines name as writers, and those whose logs hold writes.
    private var (named, logged): (Set<DeviceID>, Set<DeviceID>) = ([], [])
    private var reaches: [DeviceID: WriteTally.Reach] = [:]
    /// The time of the latest write or conflict, in milliseconds since 1970.
    private var lastEdit: Int64?
    private(set) var latest: Int64?
    private(set) var losses = LatestLosses(limit: lossLimit, byteLimit: byteLimit)
    /// Writes, and what says when a log has taken those before it.
    private(set) var writes = RecentItems<AuditLine>(limit: writeLimit, byteLimit: byteLimit)
    /// The lowest number of a line of each log.
    private(set) var firstLines: [DeviceID: UInt64] = [:]

    init(coversAll: Bool) { minutes = LiveMinutes(coversAll: coversAll) }

    /// The losses of all, kept or not.
    var lossCount: Int { proven.losses + suspected.losses }

    /// What is wrong with each device, the one that most needs somebody first.
    ///
    /// - Complexity: O(*n* log *n*) in the devices.
    var health: DeviceHealthList { DeviceHealthList(syncs, named: named, logged: logged, reaches: reaches, lastEdit: lastEdit) }

    /// Counts a line.
    ///
    /// - Parameters:
    ///   - input: The line as it was read.
    ///   - now: The time by the clock of this computer: what is dated later does not say how late it is.
    mutating func observe(_ line: AuditLine, bytes: Int, from input: InputLine?, now: Int64) {
        events += 1
        if let source = line.source, let number = line.sequence, firstLines[source] != nil || firstLines.count < Self.nameLimit {
            firstLines[source] = min(firstLines[source] ?? .max, number)
        }
        let event = line.event
        if !LiveMinutes.isAhead(event.milliseconds, of: now) { latest = max(latest ?? .min, event.milliseconds) }
        switch event.content {
        case .conflict(let conflict):
            count(conflict, line, bytes, input, now)
            edited(at: conflict.milliseconds, now)
            for side in [conflict.winner, conflict.loser] { Self.insert(side.dot.device, to: &named) }
        case .write(let write):
            writes.append(line, bytes: bytes)
            edited(at: write.timestamp.milliseconds, now)
            Self.insert(write.dot.device, to: &named)
            if reaches[write.dot.device] != nil || reaches.count < Self.nameLimit {
                reaches[write.dot.device, default: WriteTally.Reach()].observe(write, in: line.source)
            }
            line.source.map { Self.insert($0, to: &logged) }
        case .remoteChange:
            writes.append(line, bytes: bytes)
            syncs.observe(event, source: line.source)
        case .statistics: line.source.map { Self.insert($0, to: &logged) }
        default: syncs.observe(event, source: line.source)
        }
    }

    private mutating func edited(at milliseconds: Int64, _ now: Int64) {
        if !LiveMinutes.isAhead(milliseconds, of: now) { lastEdit = max(lastEdit ?? .min, milliseconds) }
    }

    private static func insert(_ device: DeviceID, to devices: inout Set<DeviceID>) {
        if devices.count < nameLimit { devices.insert(device) }
    }

    private mutating func count(_ conflict: Conflict, _ line: AuditLine, _ bytes: Int, _ input: InputLine?, _ now: Int64) {
        let isLoss = conflict.losesEdit
        let count = ConflictTally.Count(conflicts: 1, losses: isLoss ? 1 : 0)
        if conflict.isProven { proven.add(count) } else { suspected.add(count) }
        minutes.add(at: line.event.milliseconds, isLoss: isLoss, now: now)
        types.add(conflict, nil, conflict.key.type.rawValue)
        fields.add(conflict, conflict.key.type.rawValue, conflict.field?.rawValue ?? Self.wholeRecord)
        losers.add(conflict, nil, conflict.loser.dot.device.rawValue)
        guard isLoss else { return }
        let time = LiveMinutes.isAhead(conflict.milliseconds, of: now) ? latest ?? now : conflict.milliseconds
        let loss = Loss(number: lossCount, source: line.source, conflict: conflict, time: time, input: input)
        losses.append(loss, bytes: bytes + (input?.bytes?.count ?? 0))
    }
}

/// The last items of a sequence, no more than a number of them and of bytes.
struct RecentItems<Item> {
    private let limit: Int
    private let byteLimit: Int
    private var stored: [(item: Item, bytes: Int)] = []
    private var start = 0
    private var bytes = 0
    /// Whether an item was forgotten.
    private(set) var hasForgotten = false

    init(limit: Int, byteLimit: Int) { (self.limit, self.byteLimit) = (limit, byteLimit) }

    /// The items, oldest first.
    var items: some RandomAccessCollection<Item> { stored[start...].lazy.map(\.item) }

    /// - Complexity: O(1) amortized.
    mutating func append(_ item: Item, bytes more: Int) {
        stored.append((item, more))
        bytes += more
        while stored.count - start > limit || bytes > byteLimit && stored.count - start > 1 {
            bytes -= stored[start].bytes
            start += 1
            hasForgotten = true
        }
        if start > stored.count / 2 {
            stored.removeFirst(start)
            start = 0
        }
    }
}

/// The latest losses, no more than a number of them and of bytes.
struct LatestLosses {
    private let limit: Int
    private let byteLimit: Int
    private var stored: [(loss: LiveLog.Loss, bytes: Int)] = []
    private var bytes = 0

    init(limit: Int, byteLimit: Int) { (self.limit, self.byteLimit) = (limit, byteLimit) }

    /// The losses, latest first.
    ///
    /// - Complexity: O(*n* log *n*).
    var items: [LiveLog.Loss] { Array(stored.map(\.loss).ordered(by: >).prefix(limit)) }

    /// How many there are.
    var count: Int { min(stored.count, limit) }

    /// - Complexity: O(log *n*) on average.
    mutating func append(_ loss: LiveLog.Loss, bytes more: Int) {
        stored.append((loss, more))
        bytes += more
        if stored.count < 2 * limit, bytes <= 2 * byteLimit { return }
        stored.sort { $0.loss > $1.loss }
        var kept = 0
        bytes = 0
        while kept < min(limit, stored.count), kept == 0 || bytes + stored[kept].bytes <= byteLimit {
            bytes += stored[kept].bytes
            kept += 1
        }
        stored.removeSubrange(kept...)
    }
}
