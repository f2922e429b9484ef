import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// One table of what logs tell of sync itself, a row for each device, in words and numbers that every format shows.
///
/// The cells are free of any format: escaped for a terminal and cut, for a name or an error may hold anything, but not for markup.
struct HealthTable {
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
    /// Whether the words are sentences, for which a column has no room.
    var isOfSentences = false
    let rows: [Row]

    /// How many devices are told by name.
    static let limit = 20

    /// Whether a column is one of words.
    func isOfWords(_ column: Int) -> Bool { column >= headings.count - wordColumns }

    /// What logs tell of sync itself; nothing where they tell nothing of it.
    ///
    /// The first says of each device what is wrong with it. A table or a column is there only where a device has something to show in it.
    /// The devices are in the order of `DeviceHealthList`.
    ///
    /// - Parameter top: The most devices shown by name; the others follow as one row.
    static func all(of summary: Summary, top: Int = limit) -> [HealthTable] {
        guard !summary.health.isEmpty else { return [] }
        let list = summary.deviceHealth
        let shown = list.entries.prefix(top)
        let others = others(list, top: top)
        let last = others.map { [($0.name, $0.part, false)] } ?? []
        let devices = shown.map { ($0.name, $0.part, $0.needsAttention) } + last
        let needs = needs(shown, others.map { ($0.name, $0.states) })
        let tables = columns(list.end).compactMap { title, columns -> HealthTable? in
            let rows = devices.map { name, part, needsAttention in
                let cells = columns.map { $0.cell(part) ?? "" }
                let wrong = columns.indices.filter { needsAttention && columns[$0].isWrong(part) }
                return Row(device: name, cells: cells.map(EventText.label), needsAttention: needsAttention, wrong: Set(wrong))
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
        return [needs] + tables
    }

    /// The row of the devices that are not told by name; nil where there are none.
    private static func others(_ list: DeviceHealthList, top: Int) -> (name: String, part: SyncHealth.Device, states: String)? {
        let rest = list.entries.dropFirst(top)
        // How many there are beyond those that are told apart is not known.
        let name = list.others == nil ? "(\(HumanNumber.count(rest.count, "other")))" : "(all others)"
        return SyncHealth.Device(adding: rest.map(\.part) + (list.others.map { [$0] } ?? [])).map {
            (name, $0, DeviceHealthList.words(DeviceHealthList.counts(rest)))
        }
    }

    /// What is wrong with each device, and why.
    private static func needs(_ entries: ArraySlice<DeviceHealthList.Entry>, _ others: (name: String, states: String)?) -> HealthTable {
        let rows = entries.map { entry in
            Row(
                device: entry.name, cells: [entry.labels, entry.reason], needsAttention: entry.needsAttention,
                wrong: entry.needsAttention ? [0] : [])
        }
        let last = others.map { [Row(device: $0.name, cells: ["", $0.states], needsAttention: false, wrong: [])] } ?? []
        return HealthTable(
            title: "Devices by need", headings: ["state", "why"], wordColumns: 2, isOfSentences: true, rows: rows + last)
    }

    // MARK: Columns

    private struct Column {
        let heading: String
        var isOfWords = false
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
                    Column(heading: "last success UTC") {
                        $0.phases.isEmpty ? nil : $0.lastSuccess.map(DeviceHealthList.Entry.minute) ?? "never"
                    },
                    length("age at end") { $0.age(at: newest) }, count("succeeded") { $0.phases.isEmpty ? nil : $0.succeeded },
                    count("failed") { $0.phases.isEmpty ? nil : $0.failed },
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
                    Column(heading: "network", isOfWords: true, isWrong: \.isOffline) { $0.networkStatus },
                    Column(heading: "account", isOfWords: true, isWrong: \.isSignedOut) { $0.account?.status.string },
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
                    Column(heading: "at the end", isOfWords: true) { device in
                        if let since = device.pulseStopped { return "no pulse since " + DeviceHealthList.Entry.minute(since) }
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

    private static func isAnything(_ device: SyncHealth.Device) -> Bool { true }
}
