import ConflictAudit
import SyncBytes
import SyncModel

extension DeviceHealthList.Entry {
    /// The device in words.
    package var name: String { device.map { EventText.name($0.rawValue) } ?? "(no name)" }

    /// What it needs somebody for, in a word or two each.
    package var labels: String { needs.map(\.label).joined(separator: ", ") }

    /// Why, in a sentence; escaped for a terminal.
    package var reason: String { needs.map(reason).joined(separator: "; ") }

    /// Why the device has a need, in a clause.
    package func reason(of need: DeviceNeed) -> String {
        switch need {
        case .silent:
            guard let synced else { return "never synced" }
            let isLogSilent = part.newest.map { end.distance(after: $0) > SyncHealth.Device.silence } ?? false
            return synced + (isLogSilent ? ", where its log ends" : "")
        case .behind: return late
        case .failing:
            let last = part.activity.flatMap { $0.state == .failed ? ($0.phase, $0.error) : nil }
            let error = last ?? part.sortedFailures.first.map { ($0.failure.phase, $0.failure.error) }
            // Want of room is a need of its own.
            let words =
                part.spaceError != nil
                ? nil
                : error.map { phase, error in
                    phase.rawValue + (error.map { $0.string.isEmpty ? "" : ", " + EventText.sentence($0.string) } ?? "")
                }
            return "\(HumanNumber.count(part.failed, "attempt")) failed, the last one too" + (words.map { ": " + $0 } ?? "")
        case .outOfSpace: return part.spaceError.map { "no room is left: \(EventText.sentence($0))" } ?? store
        case .signedOut: return account
        case .clockOff: return "its clock was \(part.clock.map { ClockMeasurement.words(offset: $0.offset) } ?? "off of") the hub's"
        case .refused: return "\(HumanNumber.count(part.refused, "write")) refused or too large"
        case .fillingUp: return store
        case .cutOff:
            let newest = part.newest.map { ", on \(Self.minute($0)) UTC" } ?? ""
            return "its log ends with its write \(reach.own)\(newest), and others have its writes up to \(reach.others), of "
                + "\(Self.minute(reach.milliseconds)) UTC: what it did since is not known"
        case .unlogged: return "other logs name it, and no log of its own is here"
        case .offline: return "no network since \(Self.minute(part.network.latest.last?.milliseconds ?? end)) UTC"
        case .copied:
            let names = writers.prefix(3).map { EventText.name($0.rawValue) }.joined(separator: ", ")
            let more = writers.count > 3 ? " and \(HumanNumber.count(writers.count - 3)) more" : ""
            return "its store was copied or put back, and writes as \(names)\(more) too"
        case .untold: return "its log tells of no sync"
        case .good: return part.lastSuccess.map { "last synced \(Self.minute($0)) UTC" } ?? "synced"
        }
    }

    /// For how long it has not synced when the logs end; nil where it never did.
    private var synced: String? {
        guard let success = part.lastSuccess, let age = part.age(at: end) else { return nil }
        return "no sync for \(HumanNumber.duration(milliseconds: age)), since \(Self.minute(success)) UTC"
    }

    /// What waits and for how long, or when it last synced.
    private var late: String {
        guard let waiting = part.waiting else { return synced ?? "never synced" }
        let age = part.oldestAge(at: end) ?? 0
        guard part.isOverfull || age > part.age(at: end) ?? 0 else { return synced ?? "never synced" }
        let level = waiting.status.warningBytes
        let sentence = "\(HumanNumber.count(waiting.status.writes, "write")) of \(HumanNumber.bytes(waiting.status.bytes)) not sent"
        return sentence + (age > 0 ? ", the oldest for \(HumanNumber.duration(milliseconds: age))" : "")
            + (part.isOverfull ? ", more than \(level.megabytes)" : "")
    }

    /// How large the store is, when it will have all of the storage, and what to do.
    private var store: String {
        guard let storage = part.storage else { return "its store fills up" }
        let limit = "the 5 GB that iCloud gives for nothing"
        var sentence = "its store has \(storage.latest.bytes.megabytes)"
        switch (storage.daysLeft, storage.bytesPerMonth) {
        case (0, _): sentence += ", more than \(limit)"
        case (let days?, let growth?):
            sentence += " and grows by \(growth.megabytes) a month: in \(HumanNumber.count(days, "day")) it has \(limit)"
        default: sentence += ", most of \(limit)"
        }
        return sentence + "; once no room is left, nothing more is exported: keep less, or make assets smaller"
    }

    /// What the status of the account means.
    private var account: String {
        switch part.account?.status.string {
        case "noAccount": "nobody is signed in to an account"
        case "restricted": "its account may not be used"
        case "couldNotDetermine": "whether there is an account could not be found out"
        case "temporarilyUnavailable": "its account is not available for now"
        case let status?: "its account is \(EventText.name(status))"
        case nil: "its account is not known"
        }
    }

    /// A time to the minute, in UTC.
    package static func minute(_ milliseconds: Int64) -> String {
        String(RFC3339.string(milliseconds: milliseconds).prefix(16).map { $0 == "T" ? " " : $0 })
    }
}
