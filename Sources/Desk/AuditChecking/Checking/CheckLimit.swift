package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// A condition under which a check fails, such as `lossy>0`, or `clock` for `clock>0`.
package struct CheckLimit: Hashable, Sendable, CustomStringConvertible {
    /// What is measured.
    package enum Measure: String, Hashable, Sendable, CaseIterable {
        /// Findings of the check.
        case findings
        /// Warnings of the check: what is no fault of the logs.
        case warnings
        /// Distinct conflicts.
        case conflicts
        /// Conflicts that discarded a value.
        case lossy
        /// Edits that were discarded, each once, however many conflicts discarded it.
        case lostEdits
        /// Conflicts in which a delete discarded edits.
        case destructive
        /// Conflicts that wait for a decision.
        case unresolved
        /// Conflicts whose winner may owe its victory to a wrong clock.
        case clockSuspect
        /// Syncs in which a device deleted or overwrote much of what there was.
        case massEffects
        /// Fields that two devices keep taking from each other.
        case alternations
        /// Conflicts that discarded a value, for each thousand writes.
        case lossyPerThousandWrites
        /// Conflicts, for each thousand writes.
        case conflictsPerThousandWrites
        /// Phases of sync that failed.
        case syncFailures
        /// Devices whose last phase that ended has failed.
        case failingDevices
        /// Devices whose last success is more than a week before the end of the logs, or that tell of none.
        case silentDevices
        /// Writes that the hub refused or that are too large for it, by the latest line of each device.
        case refusedWrites
        /// The age of the oldest write that waits to be sent on any device, at the end of the logs.
        case oldestUnsentHours
        /// The longest time since a device last fetched or sent writes, of those that ever did, at the end of the logs.
        case hoursWithoutSync
        /// Within which time the hub took 95 % of the writes.
        case uploadP95Seconds
        /// Within which time 95 % of the arrivals were merged on other devices.
        case deliveryP95Seconds
        /// Beats of apps' pulses that were due and did not come.
        case missedPulses
        /// How often an app left the foreground without having shown what was merged.
        case leftUnshown

        /// Whether it says nothing without a number to compare it with.
        package var needsNumber: Bool {
            switch self {
            case .lossyPerThousandWrites, .conflictsPerThousandWrites, .oldestUnsentHours, .hoursWithoutSync, .uploadP95Seconds,
                .deliveryP95Seconds:
                true
            case .findings, .warnings, .conflicts, .lossy, .lostEdits, .destructive, .unresolved, .clockSuspect, .massEffects,
                .alternations, .syncFailures, .failingDevices, .silentDevices, .refusedWrites, .missedPulses, .leftUnshown:
                false
            }
        }
    }

    /// Whether it counts conflicts, of which only those tell who have looked for them.
    package var isOfConflicts: Bool {
        guard case .measure(let measure) = subject else { return false }
        switch measure {
        case .conflicts, .lossy, .lostEdits, .destructive, .unresolved, .clockSuspect, .alternations, .lossyPerThousandWrites,
            .conflictsPerThousandWrites:
            return true
        case .findings, .warnings, .massEffects, .syncFailures, .failingDevices, .silentDevices, .refusedWrites, .oldestUnsentHours,
            .hoursWithoutSync, .uploadP95Seconds, .deliveryP95Seconds, .missedPulses, .leftUnshown:
            return false
        }
    }

    /// What can be named: the measures, then the kinds of findings.
    package static let names = Measure.allCases.map(\.rawValue) + CheckFinding.Kind.allCases.map(\.rawValue)

    /// What a condition names, be it known or not.
    package static func name(in text: String) -> String {
        String(text.prefix { !"<>=! ".contains($0) })
    }

    private enum Comparison: String, CaseIterable {
        // The longer ones first, of which the others are the beginning.
        case atLeast = ">="
        case atMost = "<="
        case equal = "=="
        case unequal = "!="
        case more = ">"
        case less = "<"
    }

    /// The condition as it was written, without blanks.
    package let description: String
    /// What is measured, by its name.
    package var name: String {
        switch subject {
        case .measure(let measure): measure.rawValue
        case .kind(let kind): kind.rawValue
        }
    }

    private enum Subject: Hashable {
        case measure(Measure)
        case kind(CheckFinding.Kind)

        init?(_ name: String) {
            if let measure = Measure(rawValue: name) {
                self = .measure(measure)
            } else if let kind = CheckFinding.Kind(rawValue: name) {
                self = .kind(kind)
            } else {
                return nil
            }
        }

        var needsNumber: Bool { if case .measure(let measure) = self { measure.needsNumber } else { false } }
    }

    private let subject: Subject
    private let comparison: Comparison
    private let number: Double

    /// Reads a condition; nil for anything else.
    ///
    /// It is a measure or a kind of finding, one of `>`, `>=`, `<`, `<=`, `==` and `!=`, and a number. Of a kind, and of a measure that
    /// counts, the name alone stands for more than 0.
    package init?(_ text: String) {
        let text = text.filter { $0 != " " }
        description = text
        guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }),
            let range = text.range(of: comparison.rawValue)
        else {
            guard let subject = Subject(text), !subject.needsNumber else { return nil }
            (self.subject, self.comparison, number) = (subject, .more, 0)
            return
        }
        let digits = text[range.upperBound...]
        guard let subject = Subject(String(text[..<range.lowerBound])), !digits.isEmpty,
            digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }), let number = Double(String(digits))
        else {
            return nil
        }
        (self.subject, self.comparison, self.number) = (subject, comparison, number)
    }

    /// The measure where the condition holds, and the check so fails; nil where it does not.
    ///
    /// Of no writes nothing can be said for a thousand, of no sync nothing of how long it takes, and of no look nothing of what was shown.
    package func exceeded(by counts: LogChecker.Counts, totals: [CheckFinding.Kind: Int]) -> Double? {
        let outcome = outcome(counts, totals)
        return outcome.holds ? outcome.value : nil
    }

    /// What is measured, whether the condition holds, and which devices it is about.
    package func outcome(_ counts: LogChecker.Counts, _ totals: [CheckFinding.Kind: Int]) -> GateOutcome.Limit {
        let value =
            switch subject {
            case .measure(let measure): Self.value(of: measure, counts, totals)
            case .kind(let kind): Double(totals[kind] ?? 0)
            }
        let holds = value.map(holds) ?? false
        return GateOutcome.Limit(
            text: description, name: name, value: value, holds: holds, devices: holds ? devices(counts) : [], kinds: kinds,
            conflicts: holds ? conflicts(counts) : [])
    }

    /// Some of the conflicts that make the condition hold.
    private func conflicts(_ counts: LogChecker.Counts) -> [ConflictID] {
        guard case .measure(let measure) = subject else { return [] }
        let losses = counts.newLosses.lazy.filter { loss in
            switch measure {
            case .lossy, .lossyPerThousandWrites: true
            case .lostEdits: !loss.isKnownEdit
            case .destructive: loss.isDestructive
            default: false
            }
        }
        return Array(losses.prefix(Self.namedConflicts).map(\.id))
    }

    /// How many of the conflicts that make a condition hold are named.
    private static let namedConflicts = 3

    private func holds(_ value: Double) -> Bool {
        switch comparison {
        case .more: value > number
        case .atLeast: value >= number
        case .less: value < number
        case .atMost: value <= number
        case .equal: value == number
        case .unequal: value != number
        }
    }

    /// The kinds of findings that it counts.
    private var kinds: Set<CheckFinding.Kind> {
        switch subject {
        case .kind(let kind): [kind]
        case .measure(.findings): Set(CheckFinding.Kind.allCases.filter { !$0.isWarning })
        case .measure(.warnings): Set(CheckFinding.Kind.allCases.filter(\.isWarning))
        case .measure(.massEffects): [.massEffect]
        case .measure(.alternations): [.alternation]
        case .measure: []
        }
    }

    /// The devices that make the condition hold, the worst first.
    private func devices(_ counts: LogChecker.Counts) -> [DeviceID] {
        guard case .measure(let measure) = subject, let newest = counts.newestMilliseconds else { return [] }
        let found = counts.health.devices.compactMap { device, health -> (device: DeviceID, value: Double)? in
            guard let device, !isUnknown(of: device, counts), let value = Self.value(of: measure, health, at: newest), value > 0,
                !measure.needsNumber || holds(value)
            else { return nil }
            return (device, value)
        }
        return found.ordered { $0.value == $1.value ? $0.device < $1.device : $0.value > $1.value }.map(\.device)
    }

    /// Whether the measure is an age, and the device's log lacks its end.
    private func isUnknown(of device: DeviceID, _ counts: LogChecker.Counts) -> Bool {
        let ages: [Measure] = [.silentDevices, .hoursWithoutSync, .oldestUnsentHours]
        guard case .measure(let measure) = subject else { return false }
        return ages.contains(measure) && counts.cutOff.contains(device)
    }

    /// A measure of one device; nil where it is none of devices, or the device's log does not tell.
    private static func value(of measure: Measure, _ device: SyncHealth.Device, at newest: Int64) -> Double? {
        switch measure {
        case .syncFailures: Double(device.failed)
        case .failingDevices: device.isFailing ? 1 : 0
        case .silentDevices: device.isSilent(at: newest) ? 1 : 0
        case .refusedWrites: Double(device.refused)
        case .oldestUnsentHours: device.oldestAge(at: newest).map { Double($0) / 3_600_000 }
        case .hoursWithoutSync: device.age(at: newest).map { Double($0) / 3_600_000 }
        case .missedPulses: device.showing.map { Double($0.missedPulses) }
        case .leftUnshown: device.showing.map { Double($0.leavesBehind) }
        case .findings, .warnings, .conflicts, .lossy, .lostEdits, .destructive, .unresolved, .clockSuspect, .massEffects, .alternations,
            .lossyPerThousandWrites, .conflictsPerThousandWrites, .uploadP95Seconds, .deliveryP95Seconds:
            nil
        }
    }

    private static func value(of measure: Measure, _ counts: LogChecker.Counts, _ totals: [CheckFinding.Kind: Int]) -> Double? {
        func total(_ isWanted: (CheckFinding.Kind) -> Bool) -> Double {
            Double(totals.reduce(0) { $0 + (isWanted($1.key) ? $1.value : 0) })
        }
        func perThousand(_ count: Int) -> Double? { counts.writes > 0 ? Double(count) * 1000 / Double(counts.writes) : nil }
        let new = counts.all - counts.known
        return switch measure {
        case .findings: total { !$0.isWarning }
        case .warnings: total(\.isWarning)
        case .conflicts: Double(new.conflicts)
        case .lossy: Double(new.lossy)
        case .lostEdits: Double(new.lostEdits)
        case .destructive: Double(new.destructive)
        case .unresolved: Double(new.unresolved)
        case .clockSuspect: Double(new.clockSuspect)
        case .massEffects: total { $0 == .massEffect }
        case .alternations: total { $0 == .alternation }
        case .lossyPerThousandWrites: perThousand(new.lossy)
        case .conflictsPerThousandWrites: perThousand(new.conflicts)
        case .syncFailures: Double(counts.health.parts.reduce(0) { $0.addingCount($1.failed) })
        case .failingDevices: Double(counts.health.parts.count(where: \.isFailing))
        case .silentDevices: Double(counts.newestMilliseconds.map { newest in counts.wholeParts.count { $0.isSilent(at: newest) } } ?? 0)
        case .refusedWrites: Double(counts.health.parts.reduce(0) { $0.addingCount($1.refused) })
        case .oldestUnsentHours: counts.greatestAge { $0.oldestAge(at: $1) }.map { Double($0) / 3_600_000 } ?? 0
        case .hoursWithoutSync: counts.greatestAge { $0.age(at: $1) }.map { Double($0) / 3_600_000 }
        case .uploadP95Seconds: counts.health.lengths(\.delivered).percentileMilliseconds(0.95).map { Double($0) / 1000 }
        case .deliveryP95Seconds: counts.health.lengths(\.merged).percentileMilliseconds(0.95).map { Double($0) / 1000 }
        case .missedPulses: counts.health.showing(\.missedPulses).map(Double.init)
        case .leftUnshown: counts.health.showing(\.leavesBehind).map(Double.init)
        }
    }
}

extension LogChecker.Counts {
    /// The greatest of an age of the devices; nil where none has one.
    fileprivate func greatestAge(_ age: (SyncHealth.Device, Int64) -> Int64?) -> Int64? {
        newestMilliseconds.flatMap { newest in wholeParts.compactMap { age($0, newest) }.max() }
    }

    /// What the devices' logs tell; of one that is cut off nobody knows when its device has last synced.
    fileprivate var wholeParts: [SyncHealth.Device] {
        health.devices.filter { device, _ in device.map { !cutOff.contains($0) } ?? true }.map(\.value) + [health.others].compactMap(\.self)
    }
}

extension String {
    /// The range of the first occurrence of another string.
    fileprivate func range(of other: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
            start = index(after: start)
        }
        return nil
    }
}
