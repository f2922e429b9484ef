package import AuditAnalysis
import ConflictAudit

/// A condition under which a check fails, such as `lossy>0`.
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
    }

    private let subject: Subject
    private let comparison: Comparison
    private let number: Double

    /// Reads a condition: a measure or a kind of finding, one of `>`, `>=`, `<`, `<=`, `==` and `!=`, and a number; nil for anything else.
    package init?(_ text: String) {
        let text = text.filter { $0 != " " }
        guard let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }),
            let range = text.range(of: comparison.rawValue), let subject = Subject(String(text[..<range.lowerBound]))
        else { return nil }
        let digits = text[range.upperBound...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(String(digits))
        else {
            return nil
        }
        description = text
        self.subject = subject
        self.comparison = comparison
        self.number = number
    }

    /// The measure where the condition holds, and the check so fails; nil where it does not.
    ///
    /// Of no writes nothing can be said for a thousand, of no sync nothing of how long it takes, and of no look nothing of what was shown.
    package func exceeded(by counts: LogChecker.Counts, totals: [CheckFinding.Kind: Int]) -> Double? {
        let value: Double? =
            switch subject {
            case .measure(let measure): Self.value(of: measure, counts, totals)
            case .kind(let kind): Double(totals[kind] ?? 0)
            }
        guard let value else { return nil }
        let holds =
            switch comparison {
            case .more: value > number
            case .atLeast: value >= number
            case .less: value < number
            case .atMost: value <= number
            case .equal: value == number
            case .unequal: value != number
            }
        return holds ? value : nil
    }

    private static func value(of measure: Measure, _ counts: LogChecker.Counts, _ totals: [CheckFinding.Kind: Int]) -> Double? {
        func total(_ isWanted: (CheckFinding.Kind) -> Bool) -> Double {
            Double(totals.reduce(0) { $0 + (isWanted($1.key) ? $1.value : 0) })
        }
        return switch measure {
        case .findings: total { !$0.isWarning }
        case .warnings: total(\.isWarning)
        case .conflicts: Double(counts.conflicts)
        case .lossy: Double(counts.lossy)
        case .destructive: Double(counts.destructive)
        case .unresolved: Double(counts.unresolved)
        case .clockSuspect: Double(counts.clockSuspect)
        case .massEffects: total { $0 == .massEffect }
        case .alternations: total { $0 == .alternation }
        case .lossyPerThousandWrites: counts.writes > 0 ? Double(counts.lossy) * 1000 / Double(counts.writes) : nil
        case .conflictsPerThousandWrites: counts.writes > 0 ? Double(counts.conflicts) * 1000 / Double(counts.writes) : nil
        case .syncFailures: Double(counts.health.parts.reduce(0) { $0.addingCount($1.failed) })
        case .failingDevices: Double(counts.health.parts.count(where: \.isFailing))
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
        newestMilliseconds.flatMap { newest in health.parts.compactMap { age($0, newest) }.max() }
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
