import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

extension MetricFamily {
    /// What logs tell of sync itself as metrics: a metric of all devices, and those by device or error, of which at most so many series are
    /// written.
    ///
    /// Times are written as such and not as ages, which would stand still while nothing is exported. Of the devices beyond
    /// `SyncHealth/deviceLimit` only the totals tell.
    static func health(_ summary: Summary) -> (totals: [MetricFamily], breakdowns: [(family: MetricFamily, rows: [Row])]) {
        let (health, list, newest) = (summary.health, summary.deviceHealth, summary.newestMilliseconds ?? 0)
        var totals = MetricFamily("syncaudit_syncs", .counter, "Phases of sync that ended, by how.")
        for phase in SyncActivity.Phase.allCases {
            for outcome in Outcome.allCases {
                let count = health.parts.reduce(0) { $0.addingCount($1.phases[phase].map(outcome.count) ?? 0) }
                totals.add(["phase": phase.rawValue, "outcome": outcome.rawValue], count)
            }
        }
        var devices = MetricFamily("syncaudit_devices", .gauge, "Devices by what they most need somebody for, when the logs end.")
        // All of them, so that a series is there before its first device; none where no log tells of sync.
        let counts = Dictionary(uniqueKeysWithValues: list.counts.map { ($0.need, $0.count) })
        for need in DeviceNeed.allCases where !health.isEmpty { devices.add(["need": need.rawValue], counts[need] ?? 0) }
        func rows(_ row: (SyncHealth.Device) -> [(labels: KeyValuePairs<String, String>, value: Value)]) -> [Row] {
            list.entries.enumerated().flatMap { index, entry in
                row(entry.part).map { labels, value in
                    let name = Label(name: "device", value: entry.device?.rawValue ?? "")
                    let labels = [name] + labels.map { Label(name: $0.key, value: $0.value) }
                    // Those first in the list are kept first.
                    return Row(labels: labels, value: value, losses: list.entries.count - index, conflicts: 0)
                }
            }
        }
        func gauge(_ name: String, _ help: String, _ value: (SyncHealth.Device) -> Value?) -> (MetricFamily, [Row]) {
            let rows = rows { part in
                guard let value = value(part) else { return [] }
                return [([:], value)]
            }
            return (MetricFamily("syncaudit_device_" + name, .gauge, help), rows)
        }
        func counter(
            _ name: String, _ help: String, _ values: (SyncHealth.Device) -> [(labels: KeyValuePairs<String, String>, value: Value)]?
        ) -> (MetricFamily, [Row]) {
            (MetricFamily("syncaudit_device_" + name, .counter, help), rows { values($0) ?? [] })
        }
        let syncs = rows { part in
            part.phases.keys.ordered { $0.rawValue < $1.rawValue }.flatMap { phase in
                Outcome.allCases.map { outcome in
                    (["phase": phase.rawValue, "outcome": outcome.rawValue], .count(part.phases[phase].map(outcome.count) ?? 0))
                }
            }
        }
        let breakdowns: [(MetricFamily, [Row])] = [
            (
                MetricFamily("syncaudit_device_need", .gauge, "What a device needs somebody for when the logs end: 1 for each."),
                list.entries.enumerated().flatMap { index, entry in
                    entry.needs.map { need in
                        let labels = [("device", entry.device?.rawValue ?? ""), ("need", need.rawValue)].map(Label.init)
                        return Row(labels: labels, value: .count(1), losses: list.entries.count - index, conflicts: -need.rank)
                    }
                }
            ),
            (MetricFamily("syncaudit_device_syncs", .counter, "Phases of sync that ended on a device, by how."), syncs),
            (
                MetricFamily(
                    "syncaudit_sync_failures", .counter, "Phases of sync that failed, by the error, as far as errors are told apart."),
                failures(health)
            ),
            gauge("last_success_timestamp_seconds", "When a device last fetched or sent writes.") {
                $0.lastSuccess.map(Value.milliseconds)
            },
            gauge("outbox_writes", "Writes that wait to be sent.") { part in
                part.outbox.map { _ in .count(part.waiting?.status.writes ?? 0) }
            },
            gauge("outbox_bytes", "Size of the writes that wait to be sent.") { part in
                part.outbox.map { _ in .count(part.waiting?.status.bytes ?? 0) }
            },
            gauge("outbox_oldest_timestamp_seconds", "When the oldest write that waits to be sent was made.") { part in
                part.waiting?.status.oldest.map { .milliseconds($0.millisecondsSince1970) }
            },
            gauge("store_bytes", "Size of the files of the store that a device syncs, by its latest line about it.") { part in
                part.storage.map { .count($0.latest.bytes) }
            },
            gauge("refused_writes", "Writes that the hub refused or that are too large for it.") { part in
                part.outbox.map { _ in .count(part.refused) }
            },
            gauge("offline_seconds", "How long a device was without a network, in its last \(SyncHealth.Changes.limit) changes of it.") {
                part in
                part.network.latest.isEmpty ? nil : .milliseconds(part.network.offline(until: newest).totalMilliseconds)
            },
            gauge("online", "Whether a device has a network, by its latest line about it: 1 or 0.") { part in
                part.networkStatus.map { .count(SyncHealth.offlineWords.contains($0) ? 0 : 1) }
            },
            gauge("account_available", "Whether a device's account can sync, by its latest line about it: 1 or 0.") { part in
                part.account.map { .count($0.status.string == SyncHealth.availableAccount ? 1 : 0) }
            },
            counter("looks", "Looks of an app whether it shows what was merged, by what it did.") { part in
                part.showing.map { showing in
                    let rest = showing.looks - showing.refreshes - showing.deferrals
                    return [("refreshed", showing.refreshes), ("deferred", showing.deferrals), ("nothing", max(0, rest))].map {
                        (["outcome": $0.0], .count($0.1))
                    }
                }
            },
            counter("missed_pulses", "Beats of an app's pulse that were due in the foreground and did not come.") { part in
                part.showing.map { [([:], .count($0.missedPulses))] }
            },
            counter("left_unshown", "How often an app left the foreground without having shown what was merged.") { part in
                part.showing.map { [([:], .count($0.leavesBehind))] }
            },
            gauge("unshown", "Whether something was merged that an app does not show, by its latest line about it: 1 or 0.") { part in
                part.showing?.latest.map { .count($0.isBehind ? 1 : 0) }
            },
            (
                MetricFamily("syncaudit_sync_duration_seconds", .gauge, "How long a phase of sync took that ended well, by percentile."),
                rows { part in
                    part.phases.ordered { $0.key.rawValue < $1.key.rawValue }.flatMap { phase, tally in
                        percentiles(of: tally.durations).map { (["phase": phase.rawValue, "percentile": $0], $1) }
                    }
                }
            ),
            (
                MetricFamily(
                    "syncaudit_deliveries", .counter, "Writes of a device that the hub took, and writes of others that it merged."),
                rows { part in
                    legs(part).map { leg, lengths in (["leg": leg], .count(lengths.count)) }
                }
            ),
            (
                MetricFamily(
                    "syncaudit_delivery_seconds", .gauge,
                    "Time from a write to the hub, and from another device's write to its merge on this one, by percentile."),
                rows { part in
                    legs(part).flatMap { leg, lengths in
                        percentiles(of: lengths).map { (["leg": leg, "percentile": $0], $1) }
                    }
                }
            ),
        ]
        return ([totals, devices], breakdowns)
    }

    private static func legs(_ part: SyncHealth.Device) -> [(String, GapHistogram)] {
        [("hub", part.delivered), ("merge", part.merged)].filter { $0.1.count > 0 }
    }

    /// The percentiles that metrics have of lengths of time, each with its name.
    static func percentiles(of lengths: GapHistogram) -> [(name: String, value: Value)] {
        [("50", 0.5), ("95", 0.95), ("99", 0.99), ("100", 1)].compactMap { name, share in
            lengths.percentileMilliseconds(share).map { (name, .milliseconds($0)) }
        }
    }

    private static func failures(_ health: SyncHealth) -> [Row] {
        var counts: [[Label]: Int] = [:]
        for part in health.parts {
            for (failure, count) in part.failures {
                let labels = [
                    Label(name: "phase", value: failure.phase.rawValue),
                    Label(name: "error", value: SyncErrorKind.of(failure.error.string)),
                ]
                counts[labels] = (counts[labels] ?? 0).addingCount(count)
            }
        }
        return counts.map { Row(labels: $0.key, value: .count($0.value), losses: $0.value, conflicts: 0) }
    }

    /// How a phase of sync ended.
    private enum Outcome: String, CaseIterable {
        case succeeded, failed, cancelled

        func count(_ tally: SyncHealth.PhaseTally) -> Int {
            switch self {
            case .succeeded: tally.succeeded
            case .failed: tally.failed
            case .cancelled: tally.cancelled
            }
        }
    }
}

/// What sort of error a sentence tells of, so that a metric has a series for each sort and none for each write.
enum SyncErrorKind {
    /// The most bytes of a sort.
    private static let limit = 80

    /// The domain and code of a Cocoa error; else the sentence without names, numbers and what is quoted.
    static func of(_ error: String) -> String {
        let words = error.split(separator: " ")
        if let domain = value("Domain=", in: words), let code = value("Code=", in: words) { return "\(domain) \(code)" }
        var kept: [Substring] = []
        for word in words {
            let isPlain = word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ",.:;'-".unicodeScalars.contains($0) }
            if isPlain { kept.append(word) } else if kept.last != "…" { kept.append("…") }
        }
        var kind = ""
        for word in kept {
            guard kind.utf8.count + word.utf8.count < limit else { break }
            kind += (kind.isEmpty ? "" : " ") + word
        }
        return kind
    }

    private static func value(_ key: String, in words: [Substring]) -> Substring? {
        words.first { $0.hasPrefix(key) }.map { $0.dropFirst(key.count) }
    }
}
