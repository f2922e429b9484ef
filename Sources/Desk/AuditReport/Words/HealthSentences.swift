import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// What a report says of sync itself before any table: only what needs somebody's attention.
struct HealthSentences {
    private let summary: Summary
    private let failing: [(name: String, part: SyncHealth.Device)]
    private let all: [(name: String, part: SyncHealth.Device)]

    /// How many devices are named in a warning.
    private static let limit = 3

    init(_ summary: Summary) {
        self.summary = summary
        let health = summary.health
        let devices = health.devices.map { (name: $0.key.map { EventText.name($0.rawValue) } ?? "A device", part: $0.value) }
            .ordered { $0.part.failed != $1.part.failed ? $0.part.failed > $1.part.failed : $0.name.utf8Precedes($1.name) }
        all = devices + (health.others.map { [(name: "Other devices", part: $0)] } ?? [])
        failing = all.filter { $0.part.isFailing }
    }

    /// Whether the logs tell of failures, and of no sync that moved anything.
    var isAlarm: Bool { all.contains { $0.part.hasOnlyFailed } && all.allSatisfy { $0.part.lastSuccess == nil } }

    /// The headline of logs of nothing but failures; nil of others.
    var alarm: String? {
        guard isAlarm else { return nil }
        let failures = all.reduce(0) { $0.addingCount($1.part.failed) }
        return "Nothing was synced: \(HumanNumber.count(failures, "attempt")) failed, and none succeeded"
    }

    /// What needs attention, by device.
    var warnings: [String] {
        var warnings = failing.prefix(Self.limit).map(sentence)
        if failing.count > Self.limit {
            warnings.append("\(HumanNumber.count(failing.count - Self.limit, "other device")) failed to sync at the last attempt")
        }
        let refused = all.reduce(0) { $0.addingCount($1.part.refused) }
        if refused > 0 {
            warnings.append(
                "\(HumanNumber.count(refused, "write")) \(refused == 1 ? "was" : "were") refused or too large: nobody else will see "
                    + (refused == 1 ? "it" : "them"))
        }
        let full = all.compactMap { name, part in part.storage.map { (name, $0) } }.filter { $0.1.isFillingUp }
            .ordered { $0.1.latest.bytes != $1.1.latest.bytes ? $0.1.latest.bytes > $1.1.latest.bytes : $0.0.utf8Precedes($1.0) }
        warnings += full.prefix(Self.limit).map(Self.sentence)
        if full.count > Self.limit {
            warnings.append(
                "\(HumanNumber.count(full.count - Self.limit, "other device has", "other devices have")) a store that fills up iCloud as well"
            )
        }
        return warnings
    }

    /// How large a device's store is, when it will have all of the storage, and what to do.
    private static func sentence(_ name: String, _ storage: SyncHealth.Storage) -> String {
        let limit = "the 5 GB that iCloud gives for nothing"
        var sentence = "\(name)'s store has \(storage.latest.bytes.megabytes)"
        switch (storage.daysLeft, storage.bytesPerMonth) {
        case (0, _): sentence += ", more than \(limit)"
        case (let days?, let growth?):
            sentence += " and grows by \(growth.megabytes) a month: in \(HumanNumber.count(days, "day")) it has \(limit)"
        default: sentence += ", most of \(limit)"
        }
        return sentence + "; once no room is left, nothing more is exported: keep less, or make assets smaller"
    }

    private func sentence(_ name: String, _ part: SyncHealth.Device) -> String {
        var sentence = "\(name) failed to sync \(HumanNumber.count(part.failed, "time"))"
        if let success = part.lastSuccess, let age = summary.newestMilliseconds.flatMap(part.age) {
            sentence += ", last synced \(HealthTable.minute(success)) UTC, \(HumanNumber.duration(milliseconds: age)) before the logs end"
        } else {
            sentence += " and never succeeded"
        }
        if let most = part.sortedFailures.first, most.failure.error.string != "" {
            sentence += ": \(most.failure.phase.rawValue), \(EventText.name(most.failure.error.string))"
        }
        if let account = part.account, account.status.string != SyncHealth.availableAccount {
            sentence += "; \(Self.account(account.status.string))"
        }
        return sentence
    }

    /// What a status of an account means.
    private static func account(_ status: String) -> String {
        switch status {
        case "noAccount": "nobody is signed in to an account"
        case "restricted": "its account may not be used"
        case "couldNotDetermine": "whether there is an account could not be found out"
        case "temporarilyUnavailable": "its account is not available for now"
        default: "its account is \(EventText.name(status))"
        }
    }
}
