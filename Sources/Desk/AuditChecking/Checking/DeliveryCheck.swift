import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks for writes that were acknowledged and then never seen anywhere else, and for writes that a log passes over.
///
/// - Complexity: memory grows with the pairs of a log and a device that wrote, and with the gaps between the numbers seen.
struct DeliveryCheck: Sendable {
    /// Nil for lines that name no source: the trace of a hub or a backend.
    typealias Source = DeviceID?

    private struct Log: Sendable {
        var seen: [DeviceID: NumberSet] = [:]
        /// The devices that did not number all their writes: a number that nobody has seen is none that is missing.
        var unnumbered: Set<DeviceID> = []
        var location: LineLocation
        /// The device's own latest write, what of them an export under way covers, and what the hub has acknowledged, when.
        var ownLatest: UInt64 = 0
        var exporting: UInt64?
        var acknowledged: UInt64 = 0
        var acknowledgedAt = Int64.max
        /// By how much the device's clock was ahead of the hub's, when last measured.
        var offset: Int64 = 0
        var importing: Int64?
        /// When the latest import that came to a good end began, by the hub's clock.
        var imported = Int64.min
        /// Writes that the hub refused, as far as the log tells.
        var setAside: Set<String> = []
    }

    private var logs: [Source: Log] = [:]
    /// The highest number of each device's writes that the lines of others name, and where.
    private var named: [DeviceID: (number: UInt64, location: LineLocation)] = [:]
    /// Whether a log says that the hub had forgotten writes: whoever came to it then has not got those that had been written over.
    private(set) var hasHubForgotten = false

    mutating func observe(_ write: TaggedWrite, source: Source, at location: LineLocation) {
        change(source, location) { log in
            guard write.isNumbered else { return _ = log.unnumbered.insert(write.dot.device) }
            _ = log.seen[write.dot.device, default: NumberSet()].insert(write.dot.sequence)
            if write.dot.device == source { log.ownLatest = max(log.ownLatest, write.dot.sequence) }
        }
        if write.isNumbered { name(write.dot, by: source, at: location) }
    }

    mutating func observe(_ conflict: Conflict, source: Source, at location: LineLocation) {
        for side in [conflict.winner, conflict.loser] { name(side.dot, by: source, at: location) }
    }

    /// Remembers that a line of another's log names a write.
    ///
    /// An audit of a trace names writes that no log of its device need hold.
    private mutating func name(_ dot: Dot, by source: Source, at location: LineLocation) {
        guard let source, source != dot.device, source != .auditOfTrace, dot.sequence > named[dot.device]?.number ?? 0 else { return }
        named[dot.device] = (dot.sequence, location)
    }

    mutating func observe(_ measurement: ClockMeasurement, source: Source, at location: LineLocation) {
        guard measurement.device == source else { return }
        change(source, location) { $0.offset = measurement.offsetMilliseconds }
    }

    mutating func observe(_ activity: SyncActivity, source: Source, at time: Int64, _ location: LineLocation) {
        // What another store of the device sends is not what its first one has written.
        guard source != nil, activity.device == nil else { return }
        if activity.state == .failed, activity.error?.hasSuffix(SyncActivity.healing) ?? false { hasHubForgotten = true }
        change(source, location) { log in
            let hubTime = time.distance(after: log.offset)
            switch (activity.phase, activity.state) {
            case (.export, .started): log.exporting = log.ownLatest
            case (.export, .succeeded):
                if let covered = log.exporting { (log.acknowledged, log.acknowledgedAt) = (covered, hubTime) }
                log.exporting = nil
            case (.export, .failed):
                let words = activity.error?.split(separator: " ", maxSplits: 3) ?? []
                if words.count > 2, words[0] == "the", words[1] == "write", log.setAside.count < 10_000 {
                    log.setAside.insert(String(words[2]))
                }
            case (.import, .started): log.importing = hubTime
            case (.import, .succeeded):
                log.imported = max(log.imported, log.importing ?? .min)
                log.importing = nil
            default: break
            }
        }
    }

    /// Takes the log out and puts it back, so that it is changed in place instead of copied.
    private mutating func change(_ source: Source, _ location: LineLocation, _ body: (inout Log) -> Void) {
        var log = logs.removeValue(forKey: source) ?? Log(location: location)
        body(&log)
        logs[source] = log
    }

    /// - Parameters:
    ///   - incomplete: Sources whose logs lack lines.
    ///   - renamed: Writes that go by another name since.
    func finish(incomplete: Set<DeviceID>, renamed: Set<Dot>, _ history: RecordedHistory, _ findings: inout FindingList) {
        var vanished: [DeviceID: [ClosedRange<UInt64>]] = [:]
        let witnesses = Witnesses(logs)
        for case (let device?, let log) in logs where log.acknowledged > 0 {
            for number in unseen(log, of: device, witnesses, findings) where !renamed.contains(Dot(device: device, sequence: number)) {
                vanished[device, default: []].append(number...number)
                findings.add(
                    .missingWrite, of: "write \(number) of \(device.rawValue)", at: log.location,
                    about: history.write(Dot(device: device, sequence: number))?.key,
                    "write \(number) of \(EventText.name(device.rawValue)) was acknowledged by the hub and is in no other log")
            }
        }
        // Few lack anything, and only those are put in order.
        let gappy = logs.filter { $0.value.seen.values.contains { $0.runs.count > 1 } }
        for (source, log) in gappy.ordered(by: { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }) {
            if let source, incomplete.contains(source) || source == .auditOfTrace { continue }
            for (device, numbers) in log.seen.ordered(by: { $0.key < $1.key }) where !log.unnumbered.contains(device) {
                for gap in numbers.gaps where !(vanished[device] ?? []).contains(where: { $0.overlaps(gap) }) {
                    if hasHubForgotten, isElsewhere(gap, of: device) { continue }
                    let writes =
                        gap.lowerBound == gap.upperBound ? "write \(gap.lowerBound)" : "writes \(gap.lowerBound) to \(gap.upperBound)"
                    let holder = source.map { "the log of \(EventText.name($0.rawValue)) has" } ?? "the trace has"
                    findings.add(
                        .missingWrite, of: "\(writes) of \(device.rawValue) in the log of \(source?.rawValue ?? "nobody")",
                        at: log.location, about: gap.count == 1 ? history.write(Dot(device: device, sequence: gap.lowerBound))?.key : nil,
                        "\(holder) later writes of \(EventText.name(device.rawValue)) but not its \(writes)")
                }
            }
        }
    }

    /// Names the devices whose writes are in the logs of others and whose own log is not among them: what they lost nobody tells.
    func tellAbsentLogs(_ findings: inout FindingList) {
        // A hub logs others' writes alone.
        let own = Set(logs.filter { $0.value.ownLatest > 0 }.keys.compactMap { $0?.firstWriter })
        guard let first = own.min() else { return }
        let sources = Set(logs.keys.compactMap { $0?.firstWriter })
        let absent = Set(logs.filter { $0.key != nil }.values.flatMap { $0.seen.keys.map(\.firstWriter) }).subtracting(sources).sorted()
        if absent.isEmpty { return }
        let holder = own.count == 1 ? EventText.name(first.rawValue) : HumanNumber.count(own.count, "device")
        findings.add(.absentLog, ofEach: absent.map(\.rawValue)) { absent in
            let named = absent.prefix(10).map(EventText.name).joined(separator: ", ")
            let more = absent.count > 10 ? " and \(HumanNumber.count(absent.count - 10, "other"))" : ""
            let devices = absent.count == 1 ? "that device" : "those devices"
            return "there are writes of \(named)\(more), and no log of \(devices) among those of \(holder)"
        }
    }

    /// Names the logs that end before writes of their devices that others tell of: what such a device has lost since, nobody tells.
    ///
    /// - Returns: Their devices.
    func tellShortLogs(_ findings: inout FindingList) -> Set<DeviceID> {
        let short = logs.filter { source, log in
            guard log.ownLatest > 0, let source, let number = named[source]?.number else { return false }
            return number > log.ownLatest
        }
        for case (let device?, let log) in short.ordered(by: { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }) {
            guard let (number, location) = named[device] else { continue }
            findings.add(
                .absentLog, of: "the end of the log of \(device.rawValue)", at: location,
                "this line tells of write \(number) of \(EventText.name(device.rawValue)), and its own log ends with write \(log.ownLatest): the rest "
                    + "of that log is not among the files")
        }
        return Set(short.compactMap(\.key))
    }

    /// Whether the logs have all of some numbers.
    private func isElsewhere(_ numbers: ClosedRange<UInt64>, of device: DeviceID) -> Bool {
        var next = numbers.lowerBound
        let runs = logs.values.flatMap { $0.seen[device]?.runs ?? [] }.ordered { $0.lowerBound < $1.lowerBound }
        for run in runs where run.lowerBound <= next && run.upperBound >= next {
            if run.upperBound >= numbers.upperBound { return true }
            next = run.upperBound + 1
        }
        return false
    }

    /// Who can tell what has become of a device's writes: the logs of others, but for an audit's.
    private struct Witnesses {
        /// Which logs have writes of each device.
        private var holders: [DeviceID: [Source]] = [:]
        /// Who was last to begin a sync that brought others' writes, and when the last but that one did.
        private var latest: (source: Source, imported: Int64) = (nil, .min)
        private var latestBut = Int64.min

        init(_ logs: [Source: Log]) {
            for (source, log) in logs where source != .auditOfTrace {
                for device in log.seen.keys where device != source { holders[device, default: []].append(source) }
                if log.imported > latest.imported {
                    (latest, latestBut) = ((source, log.imported), latest.imported)
                } else {
                    latestBut = max(latestBut, log.imported)
                }
            }
        }

        /// The logs of others that have writes of a device.
        func holders(of device: DeviceID) -> [Source] { holders[device] ?? [] }

        /// When the latest sync of another log began.
        func imported(besides device: DeviceID) -> Int64 { latest.source == device ? latestBut : latest.imported }
    }

    /// The acknowledged writes of a device that no other log has although it should: it has later ones, or a sync that began later.
    private func unseen(_ log: Log, of device: DeviceID, _ witnesses: Witnesses, _ findings: FindingList) -> [UInt64] {
        // Between two clocks that were both compared with the hub's.
        let tolerance: Int64 = 60_000
        let own = log.seen[device]?.runs ?? []
        let others = witnesses.holders(of: device).compactMap { logs[$0]?.seen[device] }
        let highest = others.compactMap(\.maximum).max() ?? 0
        let isSyncedSince = witnesses.imported(besides: device).distance(after: log.acknowledgedAt) > tolerance
        let limit = isSyncedSince ? log.acknowledged : min(log.acknowledged, highest)
        var missing: [UInt64] = []
        for run in own where run.lowerBound <= limit {
            for number in run.lowerBound...min(run.upperBound, limit) {
                if others.contains(where: { $0.contains(number) }) { continue }
                if log.setAside.contains(Dot(device: device, sequence: number).description) { continue }
                missing.append(number)
                if missing.count > FindingList.limit, !findings.isFiltered { return missing }
            }
        }
        return missing
    }
}
