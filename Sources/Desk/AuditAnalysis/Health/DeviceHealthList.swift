import ConflictAudit
import SyncBytes
package import SyncModel

/// What is wrong with each device, the one that most needs somebody first.
///
/// Every output shows this list: a report, a screen, a page, JSON and metrics.
///
/// - Complexity: O(*n* log *n*) in the devices.
package struct DeviceHealthList: Sendable {
    /// A device, and what is wrong with it.
    package struct Entry: Sendable {
        /// The device; nil of lines that name none.
        package let device: DeviceID?
        /// What its log tells; nothing where there is no log of it.
        package let part: SyncHealth.Device
        /// What it needs somebody for, the most urgent first; never empty.
        package let needs: [DeviceNeed]
        /// The other names under which it wrote, in order.
        package let writers: [DeviceID]
        /// The end of all logs by the device's own clock, in milliseconds since 1970.
        package let end: Int64
        /// How far its writes go in its own log and in those of others.
        package let reach: WriteTally.Reach

        /// The most urgent.
        package var need: DeviceNeed { needs.first ?? .good }
        /// Whether a person should look at it.
        package var needsAttention: Bool { need.needsAttention }
    }

    /// The devices, the most urgent first.
    package let entries: [Entry]
    /// The end of all logs by the hub's clock, in milliseconds since 1970.
    package let end: Int64
    /// What the devices beyond ``SyncHealth/deviceLimit`` tell together; nil where there are none.
    package let others: SyncHealth.Device?

    /// The list.
    ///
    /// - Parameters:
    ///   - health: What logs tell of sync itself.
    ///   - named: The devices that lines name as writers, whoever logged them.
    ///   - logged: The devices whose logs hold writes, beside those of `health`.
    ///   - reaches: How far the writes of devices go in their own logs and in those of others.
    ///   - lastEdit: The time of the latest write or conflict, in milliseconds since 1970; nil where there is none.
    package init(
        _ health: SyncHealth, named: some Sequence<DeviceID>, logged: some Sequence<DeviceID>,
        reaches: [DeviceID: WriteTally.Reach] = [:], lastEdit: Int64?
    ) {
        others = health.others
        // Whose clock an edit is dated by is not known here.
        let ahead = health.parts.map(\.offset).max() ?? 0
        let edited = lastEdit.map { $0.distance(after: max(0, ahead)) }
        let end = (health.parts.compactMap(\.hubNewest) + [edited].compactMap(\.self)).max() ?? 0
        self.end = end
        let known = Set(logged).union(health.devices.keys.compactMap(\.self))
        var writers: [DeviceID: Set<DeviceID>] = [:]
        var parts = health.devices
        // A store that was copied or put back syncs by the device's name, and its clock is measured by its own.
        for (name, part) in health.devices where part.phases.isEmpty {
            guard let name, case let first = name.firstWriter, first != name, parts[first] != nil else { continue }
            parts[first]?.merge(part)
            parts[name] = nil
            writers[first, default: []].insert(name)
        }
        var missing: Set<DeviceID> = []
        // Of one device's log alone nobody expects the logs of others; of more than are told apart not all that have one are known.
        let areLogsExpected = known.count > 1 && health.others == nil
        for name in named where !known.contains(name) && name != .auditOfTrace && !name.isRestoring {
            let first = name.firstWriter
            if name != first { writers[first, default: []].insert(name) }
            if areLogsExpected, !known.contains(first) { missing.insert(first) }
        }
        func names(_ device: DeviceID?) -> [DeviceID] { device.flatMap { writers[$0] }.map { $0.sorted() } ?? [] }
        let told = parts.map { device, part in
            Entry(device, part, writers: names(device), reach: device.flatMap { reaches[$0] } ?? WriteTally.Reach(), end: end)
        }
        let unlogged = missing.map { Entry(missing: $0, writers: names($0), end: end) }
        entries = (told + unlogged).ordered(by: Entry.precedes)
    }

    /// Whether nothing is told of any device.
    package var isEmpty: Bool { entries.isEmpty && others == nil }

    /// How many devices have each need as their most urgent, without those that none has.
    package var counts: [(need: DeviceNeed, count: Int)] { Self.counts(entries) }

    /// How many of some devices have each need as their most urgent, without those that none has.
    package static func counts(_ entries: some Sequence<Entry>) -> [(need: DeviceNeed, count: Int)] {
        let counts = entries.reduce(into: [:]) { $0[$1.need, default: 0] += 1 }
        return DeviceNeed.allCases.compactMap { need in counts[need].map { (need, $0) } }
    }

    /// How many of some devices have each need as their most urgent, as words: `4 silent, 26 good`.
    package static func words(_ counts: [(need: DeviceNeed, count: Int)]) -> String {
        counts.map { "\(HumanNumber.count($0.count)) \($0.need.label)" }.joined(separator: ", ")
    }
}

extension DeviceHealthList.Entry {
    fileprivate init(_ device: DeviceID?, _ part: SyncHealth.Device, writers: [DeviceID], reach: WriteTally.Reach, end: Int64) {
        let (local, overflow) = end.addingReportingOverflow(part.offset)
        (self.device, self.part, self.writers, self.reach) = (device, part, writers, reach)
        self.end = overflow ? end : local
        var needs = Self.needs(of: part, reach, at: self.end)
        if !writers.isEmpty { needs.append(.copied) }
        if needs.allSatisfy({ $0 > .offline }) { needs.append(part.phases.isEmpty ? .untold : .good) }
        self.needs = needs
    }

    fileprivate init(missing device: DeviceID, writers: [DeviceID], end: Int64) {
        (self.device, part, self.writers, self.end, reach) = (device, SyncHealth.Device(), writers, end, WriteTally.Reach())
        needs = writers.isEmpty ? [.unlogged] : [.unlogged, .copied]
    }

    /// How long a device may go without a success and be good, in milliseconds: a day.
    private static let recency: Int64 = 86_400_000

    private static func needs(of part: SyncHealth.Device, _ reach: WriteTally.Reach, at end: Int64) -> [DeviceNeed] {
        // What a device has done since its log breaks off, nobody knows.
        let isCutOff = reach.endsEarly
        let isSilent = part.isSilent(at: end) && !isCutOff
        let isLate = [part.age(at: end), part.oldestAge(at: end)].contains { $0.map { $0 > recency } ?? false } && !isCutOff
        let isBehind = part.isOverfull || (isLate && !isSilent)
        let found: [(DeviceNeed, Bool)] = [
            (.silent, isSilent), (.behind, isBehind), (.failing, part.isFailing), (.outOfSpace, part.isOutOfSpace),
            (.signedOut, part.isSignedOut), (.clockOff, part.clock?.isOff == true), (.refused, part.refused > 0),
            (.fillingUp, part.storage.map { $0.isFillingUp && $0.daysLeft != 0 } == true), (.cutOff, isCutOff), (.offline, part.isOffline),
        ]
        return found.filter(\.1).map(\.0)
    }

    /// Whether the left one is the more urgent: by need, then by the time since when it has not synced, then by name.
    fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
        if left.need != right.need { return left.need < right.need }
        if left.need <= .behind, left.part.lastSuccess != right.part.lastSuccess {
            return (left.part.lastSuccess ?? .min) < (right.part.lastSuccess ?? .min)
        }
        return SyncHealth.precedes(left.device, right.device)
    }
}

extension SyncHealth.Device {
    /// By how much the clock is ahead of the hub's where it is off, in milliseconds; else 0.
    fileprivate var offset: Int64 { clock.flatMap { $0.isOff ? $0.offset : nil } ?? 0 }
    /// The time of the latest line about sync itself by the hub's clock, in milliseconds since 1970.
    fileprivate var hubNewest: Int64? { newest.map { $0.distance(after: offset) } }
    /// Whether more waits than the level of a warning.
    var isOverfull: Bool { outbox?.isOverNow == true && waiting != nil }
    /// Whether the device has no network, by its latest line about it.
    package var isOffline: Bool { networkStatus.map { SyncHealth.offlineWords.contains($0) } == true }
    /// Whether the account cannot sync, by its latest line about it.
    package var isSignedOut: Bool { account.map { $0.status.string != SyncHealth.availableAccount } == true }
    /// Whether the store has all that iCloud gives for nothing, or syncing fails for want of room.
    package var isOutOfSpace: Bool { storage?.daysLeft == 0 || spaceError != nil }

    /// The error that tells of want of room, where syncing fails; nil where none does.
    var spaceError: String? {
        guard isFailing else { return nil }
        let errors = [activity?.error?.string, sortedFailures.first?.failure.error.string]
        return errors.compactMap(\.self).first { error in Self.spaceWords.contains { error.lowercased().contains($0) } }
    }

    /// What errors say where no room is left: in an account, on a disk.
    private static let spaceWords = [
        "quota", "storage is full", "ckerrordomain code=25", "no space left", "disk is full", "out of space", "nscocoaerrordomain code=640",
        "nsposixerrordomain code=28",
    ]
}

extension Summary {
    /// What is wrong with each device, the one that most needs somebody first.
    ///
    /// - Complexity: O(*n* log *n*) in the devices.
    package var deviceHealth: DeviceHealthList {
        // What a filter left out says nothing of who has a log.
        guard filters.allSatisfy(\.isUnrestricted) else { return DeviceHealthList(health, named: [], logged: [], lastEdit: lastEdit) }
        let sides = [proven, suspected].flatMap { Array($0.byWinningDevice.keys) + Array($0.byLosingDevice.keys) }
        return DeviceHealthList(
            health, named: writes.writers.union(sides), logged: writes.sortedLogs.compactMap(\.device), reaches: writes.reaches,
            lastEdit: lastEdit)
    }

    /// The time of the latest write or conflict, in milliseconds since 1970; nil where there is none.
    private var lastEdit: Int64? {
        [writes.lastMilliseconds, proven.statistics.lastConflictMilliseconds, suspected.statistics.lastConflictMilliseconds]
            .compactMap(\.self).max()
    }
}
