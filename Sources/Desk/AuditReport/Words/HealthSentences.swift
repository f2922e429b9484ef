import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What a report says of sync itself before any table: only what needs somebody's attention.
struct HealthSentences {
    private let list: DeviceHealthList
    private let all: [SyncHealth.Device]

    /// How many devices are named in a warning.
    private static let limit = 3

    init(_ summary: Summary) { (list, all) = (summary.deviceHealth, summary.health.parts) }

    /// Whether the logs tell of failures, and of no sync that moved anything.
    var isAlarm: Bool { all.contains(where: \.hasOnlyFailed) && all.allSatisfy { $0.lastSuccess == nil } }

    /// The headline of logs of nothing but failures; nil of others.
    var alarm: String? {
        guard isAlarm else { return nil }
        let failures = all.reduce(0) { $0.addingCount($1.failed) }
        return "Nothing was synced: \(HumanNumber.count(failures, "attempt")) failed, and none succeeded"
    }

    /// What needs attention, by device, the most urgent first.
    var warnings: [String] {
        let urgent = list.entries.prefix { $0.needsAttention }
        var warnings = urgent.prefix(Self.limit).map { "\($0.name) (\($0.labels)): \($0.reason)" }
        let rest = urgent.dropFirst(Self.limit)
        if !rest.isEmpty {
            warnings.append(
                HumanNumber.count(rest.count, "other device needs", "other devices need") + " somebody: "
                    + DeviceHealthList.words(DeviceHealthList.counts(rest)))
        }
        if list.others != nil {
            warnings.append(
                "Only the first \(HumanNumber.count(SyncHealth.deviceLimit)) devices by name are told apart: look at the others' logs alone"
            )
        }
        let refused = all.reduce(0) { $0.addingCount($1.refused) }
        if refused > 0 {
            warnings.append(
                "\(HumanNumber.count(refused, "write")) \(refused == 1 ? "was" : "were") refused or too large: nobody else will see "
                    + (refused == 1 ? "it" : "them"))
        }
        return warnings
    }
}
