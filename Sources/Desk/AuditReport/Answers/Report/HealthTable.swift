package import AuditAnalysis
import ConflictAudit
import SyncBytes
package import SyncModel

/// One table of what logs tell of sync itself, a row for each device, in words and numbers that every format shows.
///
/// The cells are free of any format: escaped for a terminal and cut, for a name or an error may hold anything, but not for markup.
package struct HealthTable {
    /// A row.
    struct Row {
        /// The device.
        let device: String
        /// The cells, in the order of ``HealthTable/headings``.
        let cells: [String]
        /// Whether something is wrong with the device that a person should look at.
        let needsAttention: Bool
        /// The columns whose words tell of it.
        let wrong: Set<Int>
    }

    let title: String
    /// What is in each cell of a row.
    let headings: [String]
    /// How many columns at the end are of words rather than of numbers.
    var wordColumns = 0
    let rows: [Row]

    /// How many devices are told by name.
    static let limit = 20

    /// Whether a column is one of words.
    func isOfWords(_ column: Int) -> Bool { column >= headings.count - wordColumns }

    /// What logs tell of sync itself; nothing where they tell nothing of it.
    ///
    /// A table or a column is there only where a device has something to show in it. Devices that need attention come first.
    ///
    /// - Parameter top: The most devices shown by name; the others follow as one row.
    static func all(of summary: Summary, top: Int = limit) -> [HealthTable] {
        guard let newest = summary.newestMilliseconds, !summary.health.isEmpty else { return [] }
        let devices = devices(of: summary.health, top: top)
        return columns(newest).compactMap { title, columns in
            let rows = devices.map { name, part, state in
                let cells = columns.map { ($0.isState ? state : $0.cell(part)) ?? "" }
                let wrong = columns.indices.filter { part.needsAttention && columns[$0].isWrong(part) }
                return Row(
                    device: EventText.name(name), cells: cells.map(EventText.label), needsAttention: part.needsAttention, wrong: Set(wrong))
            }
            let used = columns.indices.filter { column in rows.contains { !$0.cells[column].isEmpty } }
            guard !used.isEmpty else { return nil }
            let told = rows.filter { $0.cells.contains { !$0.isEmpty } }.map { row in
                Row(
                    device: row.device, cells: used.map { row.cells[$0] }, needsAttention: row.needsAttention,
                    wrong: Set(used.indices.filter { row.wrong.contains(used[$0]) }))
            }
            return HealthTable(
                title: title, headings: used.map { columns[$0].heading }, wordColumns: used.count { columns[$0].isOfWords }, rows: told)
        }
    }

    /// The devices, first those that need attention.
    package static func sorted(_ health: SyncHealth) -> [(key: DeviceID?, value: SyncHealth.Device)] {
        health.devices.ordered { left, right in
            if left.value.needsAttention != right.value.needsAttention { return left.value.needsAttention }
            return (left.key?.rawValue ?? "").utf8Precedes(right.key?.rawValue ?? "")
        }
    }

    private static func devices(of health: SyncHealth, top: Int) -> [(name: String, part: SyncHealth.Device, state: String?)] {
        let sorted = sorted(health)
        var rows = sorted.prefix(top).map { (name: $0.key?.rawValue ?? "(no name)", part: $0.value, state: state($0.value)) }
        let others = sorted.dropFirst(top).map(\.value)
        if let sum = SyncHealth.Device(adding: others + (health.others.map { [$0] } ?? [])) {
            // How many there are beyond those that are told apart is not known.
            let failing = others.filter(\.needsAttention).count
            let state = failing > 0 && health.others == nil ? "\(HumanNumber.count(failing)) not good" : nil
            rows.append(
                (name: health.others == nil ? "(\(HumanNumber.count(others.count, "other")))" : "(all others)", part: sum, state: state))
        }
        return rows
    }

    // MARK: Columns

    private struct Column {
        let heading: String
        var isOfWords = false
        var isState = false
        /// Whether the words tell what is wrong with a device that needs attention.
        var isWrong: (SyncHealth.Device) -> Bool = { _ in false }
        var cell: (SyncHealth.Device) -> String?
    }

    private static func columns(_ newest: Int64) -> [(String, [Column])] {
        func length(_ heading: String, _ value: @escaping (SyncHealth.Device) -> Int64?) -> Column {
            Column(heading: heading) { value($0).map { HumanNumber.duration(milliseconds: $0) } }
        }
        func count(_ heading: String, _ value: @escaping (SyncHealth.Device) -> Int?) -> Column {
            Column(heading: heading) { value($0).map { HumanNumber.count($0) } }
        }
        func percentiles(_ lengths: @escaping (SyncHealth.Device) -> GapHistogram?) -> [Column] {
            [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map { label, share in
                length(label) { lengths($0)?.percentileMilliseconds(share) }
            }
        }
        func failed(_ phase: SyncActivity.Phase) -> Column {
            count(phase.rawValue) { device in device.phases[phase].flatMap { $0.failed > 0 ? $0.failed : nil } }
        }
        func offline(_ device: SyncHealth.Device) -> SyncHealth.Offline? {
            device.network.latest.isEmpty ? nil : device.network.offline(until: newest)
        }
        return [
            (
                "Sync by device",
                [
                    Column(heading: "last success UTC") { $0.phases.isEmpty ? nil : $0.lastSuccess.map(minute) ?? "never" },
                    length("age at end") { $0.age(at: newest) }, count("succeeded") { $0.phases.isEmpty ? nil : $0.succeeded },
                    count("failed") { $0.phases.isEmpty ? nil : $0.failed },
                    Column(heading: "state", isOfWords: true, isState: true, isWrong: isAnything) { _ in nil },
                ]
            ),
            (
                "Failures by device",
                SyncActivity.Phase.allCases.map(failed) + [
                    Column(heading: "most frequent error", isOfWords: true, isWrong: isAnything) { device in
                        device.sortedFailures.first.map { "\($0.failure.phase.rawValue): \($0.failure.error.string)" }
                    }
                ]
            ),
            (
                "Time offline, network and account by device",
                [
                    count("spans") { offline($0)?.spans }, length("in all") { offline($0)?.totalMilliseconds },
                    length("longest") { offline($0)?.longestMilliseconds },
                    Column(heading: "network", isOfWords: true, isWrong: isOffline) { $0.networkStatus },
                    Column(heading: "account", isOfWords: true, isWrong: lacksAccount) { $0.account?.status.string },
                ]
            ),
            (
                "Waiting to be sent by device",
                [
                    count("writes") { $0.outbox == nil ? nil : $0.waiting?.status.writes ?? 0 },
                    Column(heading: "size") { $0.outbox == nil ? nil : HumanNumber.bytes($0.waiting?.status.bytes ?? 0) },
                    length("oldest") { $0.oldestAge(at: newest) }, count("refused") { $0.outbox == nil ? nil : $0.refused },
                ]
            ),
            (
                "Showing what was merged by device",
                [
                    count("looks") { $0.showing?.looks }, count("refreshed") { $0.showing?.refreshes },
                    count("put off") { $0.showing?.deferrals }, count("unshown") { $0.showing?.leavesBehind },
                    count("missed") { $0.showing?.missedPulses },
                    Column(heading: "at the end", isOfWords: true, isState: false) { device in
                        if let since = device.pulseStopped { return "no pulse since " + minute(since) }
                        return device.showing?.latest.map { $0.isBehind ? "changes not shown" : "all shown" }
                    },
                ]
            ),
            (
                "Size of the store by device",
                [
                    Column(heading: "size") { $0.storage.map { $0.latest.bytes.megabytes } },
                    Column(heading: "more a month") { $0.storage?.bytesPerMonth.map(\.megabytes) },
                    Column(heading: "days to 5 GB") { $0.storage?.daysLeft.map { HumanNumber.count($0) } },
                ]
            ),
            ("How long imports took by device", percentiles { $0.phases[.import]?.durations }),
            ("How long exports took by device", percentiles { $0.phases[.export]?.durations }),
            ("From a write to the hub by device", percentiles { $0.delivered }),
            ("From another's write to its merge by device", percentiles { $0.merged }),
        ]
    }

    private static func state(_ device: SyncHealth.Device) -> String? {
        var words: [String] = []
        if device.hasOnlyFailed { words.append("never synced") } else if device.isFailing { words.append("failing") }
        if device.outbox?.isOverNow == true { words.append("too much waits") }
        if device.refused > 0 { words.append("writes refused") }
        if device.storage?.isFillingUp == true { words.append("store fills up") }
        if isOffline(device) { words.append("offline") }
        if lacksAccount(device) { words.append("no account") }
        if words.isEmpty, device.lastSuccess != nil { words.append("good") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    private static func isAnything(_ device: SyncHealth.Device) -> Bool { true }

    private static func isOffline(_ device: SyncHealth.Device) -> Bool {
        device.networkStatus.map { SyncHealth.offlineWords.contains($0) } == true
    }

    private static func lacksAccount(_ device: SyncHealth.Device) -> Bool {
        device.account.map { $0.status.string != SyncHealth.availableAccount } == true
    }

    /// A time to the minute, in UTC.
    static func minute(_ milliseconds: Int64) -> String {
        String(RFC3339.string(milliseconds: milliseconds).prefix(16).map { $0 == "T" ? " " : $0 })
    }
}
