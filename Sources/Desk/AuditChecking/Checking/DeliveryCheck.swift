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
    /// Whether a log says that the hub had forgotten writes: whoever came to it then has not got those that had been written over.
    private(set) var hasHubForgotten = false

    mutating func observe(_ write: TaggedWrite, source: Source, at location: LineLocation) {
        change(source, location) { log in
            guard write.isNumbered else { return _ = log.unnumbered.insert(write.dot.device) }
            _ = log.seen[write.dot.device, default: NumberSet()].insert(write.dot.sequence)
            if write.dot.device == source { log.ownLatest = max(log.ownLatest, write.dot.sequence) }
        }
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
    func finish(incomplete: Set<DeviceID>, renamed: Set<Dot>, name: (LineLocation) -> String, _ findings: inout FindingList) {
        var vanished: [DeviceID: [ClosedRange<UInt64>]] = [:]
        for case (let device?, let log) in logs where log.acknowledged > 0 {
            let others = logs.filter { $0.key != device && $0.key != .auditOfTrace }
            for number in unseen(log, of: device, in: others) where !renamed.contains(Dot(device: device, sequence: number)) {
                vanished[device, default: []].append(number...number)
                findings.add(
                    .missingWrite,
                    "\(name(log.location)): write \(number) of \(EventText.name(device.rawValue)) was acknowledged by the hub and is in no other log"
                )
            }
        }
        for (source, log) in logs.ordered(by: { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }) {
            if let source, incomplete.contains(source) || source == .auditOfTrace { continue }
            for (device, numbers) in log.seen.ordered(by: { $0.key < $1.key }) where !log.unnumbered.contains(device) {
                for gap in numbers.gaps where !(vanished[device] ?? []).contains(where: { $0.overlaps(gap) }) {
                    if hasHubForgotten, isElsewhere(gap, of: device) { continue }
                    let writes =
                        gap.lowerBound == gap.upperBound ? "write \(gap.lowerBound)" : "writes \(gap.lowerBound) to \(gap.upperBound)"
                    let holder = source.map { "the log of \(EventText.name($0.rawValue)) has" } ?? "the trace has"
                    findings.add(
                        .missingWrite,
                        "\(name(log.location)): \(holder) later writes of \(EventText.name(device.rawValue)) but not its \(writes)")
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
        let named = absent.prefix(10).map { EventText.name($0.rawValue) }.joined(separator: ", ")
        let more = absent.count > 10 ? " and \(HumanNumber.count(absent.count - 10, "other"))" : ""
        let holder = own.count == 1 ? EventText.name(first.rawValue) : HumanNumber.count(own.count, "device")
        findings.add(
            .absentLog,
            "there are writes of \(named)\(more), and no log of \(absent.count == 1 ? "that device" : "those devices") among those of \(holder)"
        )
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

    /// The acknowledged writes of a device that no other log has although it should: it has later ones, or a sync that began later.
    private func unseen(_ log: Log, of device: DeviceID, in others: [Source: Log]) -> [UInt64] {
        // Between two clocks that were both compared with the hub's.
        let tolerance: Int64 = 60_000
        let own = log.seen[device]?.runs ?? []
        let highest = others.values.compactMap { $0.seen[device]?.maximum }.max() ?? 0
        let isSyncedSince = others.values.contains { $0.imported.distance(after: log.acknowledgedAt) > tolerance }
        let limit = isSyncedSince ? log.acknowledged : min(log.acknowledged, highest)
        var missing: [UInt64] = []
        for run in own where run.lowerBound <= limit {
            for number in run.lowerBound...min(run.upperBound, limit) {
                if others.values.contains(where: { $0.seen[device]?.contains(number) ?? false }) { continue }
                if log.setAside.contains(Dot(device: device, sequence: number).description) { continue }
                missing.append(number)
                if missing.count > FindingList.limit { return missing }
            }
        }
        return missing
    }
}
