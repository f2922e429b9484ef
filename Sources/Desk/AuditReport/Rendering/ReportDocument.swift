package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Writes a report for another program: one JSON object on one line, of bounded length, with the numbers of the report and the first rows
/// of its lists.
///
/// Keys come in the order of their names, at every level, so that equal reports give equal bytes. It is a page, not the whole: what can be
/// put together with others is what ``JSONRenderer`` writes. Shorter than 64 KiB unless ``top`` is larger than 10; names longer than
/// ``longestName`` bytes are cut and end in `…`.
///
/// - `report`: version of this format, 1
/// - `headline`, `notes`, `warnings`: what the table says before its lists: a sentence, and lists of sentences
/// - `conflicts`, `editsLost`: proven and suspected together
/// - `distinctConflicts`, `distinctIsExact`: how many different conflicts, and whether that is exact
/// - `isDistinct`: whether each conflict and each write counts once; else every line does
/// - `copiesLeftOut`, `unchecked`: lines of conflicts that were left out as copies, and lines that count though they may be copies
/// - `writesObserved`, `writesWithContext?`: writes, and those of them that carry a causal context, where that is known
/// - `reverts?`: edits that writers who had seen them put back, as statistics say; not there where there are none
/// - `isUnaudited`: whether there are writes in which nobody has looked for conflicts: then 0 conflicts says nothing
/// - `linesDropped`: lines that the logs say could not be written
/// - `filters`: three at most, as ``JSONRenderer`` has them, with 10 names of each sort at most
/// - `otherEvents`: count by event
/// - `proven`, `suspected`: `{conflicts, editsLost, firstConflict?, lastConflict?, byKind, bySeverity, byBasis, byReason, gaps}`, with
///   `gaps` `{p50Ms?, p95Ms?, p99Ms?, minMs?, maxMs?}`, and each other counter of a statistics line
/// - `byField`, `byRecordType`, `byWinningDevice`, `byLosingDevice`, `byDevicePair`, `byWinningApp`, `byLosingApp`, `byRecord`: a list
///   each, the highest counts first: `{rows, others?}`, with `rows` of `{proven, suspected}` and the names `recordType`, `field?`,
///   `device`, `winner`, `loser`, `app` (empty where it is not told), `recordID`, and `others` `{names, proven, suspected}`, for records
///   only where all were counted; `proven` and `suspected` are `{conflicts, editsLost}`
/// - `byPeriod`: `{period, rows}`: 24 days, weeks, months or years at most, with `rows` of `{period, proven, suspected}`
/// - `recordsMissing?`: how many conflicts at most are missing from a count of `byRecord`, where there were too many records to count them
///   all
/// - `health?`: what logs tell of sync itself: `{rows, others?}`, first the devices that need attention, with `rows` of
///   `{device?, needsAttention, succeeded, failed, lastSuccess?, lastFailure?, error?, offlineMs?, network?,`
///   `account?, waitingWrites?, waitingBytes?, oldestWaiting?, refused?, uploadP95Ms?, deliveryP95Ms?, storeBytes?,`
///   `storeBytesPerMonth?}`: `error` is the most frequent one, `storeBytes` the size of the store and what it grew by in 30 days,
///   `waitingBytes` what waits to be sent, the two lengths the time until the hub took the device's writes and until it had merged those of
///   others; `others` says how many devices are not in `rows`
/// - `clockWhatIf?`: `{decided, flipped, flippedLosses, devices, byWinner}`, see `ClockWhatIf/Answer`; `byWinner` has 10 rows at most
package struct ReportDocument {
    static let version: Int64 = 1
    /// The most bytes of a name.
    static let longestName = 200
    /// The most bytes of a sentence.
    static let longestSentence = 2000

    private let summary: Summary
    private let top: Int

    /// A document.
    ///
    /// - Parameter top: How many rows a list shows before it adds up the rest.
    package init(_ summary: Summary, top: Int = 10) {
        self.summary = summary
        self.top = top
    }

    /// The report as UTF-8, ended by a line feed.
    ///
    /// - Complexity: O(*n* log ``top``) in the distinct keys of the summary.
    package func render(clocks: ClockWhatIf.Answer? = nil) -> [UInt8] {
        var buffer = LineBuffer()
        JSONText.append(.object(object(clocks)), to: &buffer)
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    private func object(_ clocks: ClockWhatIf.Answer?) -> FieldMap {
        let headline = ReportHeadline(summary)
        let evidence = summary.evidence
        let distinct = summary.distinctConflicts
        var page: FieldMap = [
            "report": .number(JSONNumber(Self.version)), "headline": .string(Self.cut(headline.sentence, to: Self.longestSentence)),
            "notes": sentences(headline.notes), "warnings": sentences(headline.warnings),
            "conflicts": count(summary.proven.total.conflicts.addingCount(summary.suspected.total.conflicts)),
            "editsLost": count(summary.proven.total.losses.addingCount(summary.suspected.total.losses)),
            "distinctConflicts": count(distinct.count), "distinctIsExact": .bool(distinct.isExact), "isDistinct": .bool(summary.isDistinct),
            "copiesLeftOut": count(summary.copiesLeftOut), "unchecked": count(summary.unchecked), "writesObserved": count(evidence.writes),
            "isUnaudited": .bool(evidence.isUnaudited), "linesDropped": count(summary.linesDropped),
            "filters": .array(summary.filters.prefix(3).map { .object(filter($0)) }), "otherEvents": counts(summary.otherEvents),
            "proven": .object(tally(summary.proven)), "suspected": .object(tally(summary.suspected)), "byPeriod": byPeriod,
            "byField": list(\.fields) { $0.first == nil ? ["recordType": $0.second] : ["recordType": $0.first ?? "", "field": $0.second] },
            "byRecordType": list(\.fields.byFirst) { ["recordType": $0.second] },
            "byWinningDevice": list(\.winners) { ["device": $0.second] }, "byLosingDevice": list(\.losers) { ["device": $0.second] },
            "byWinningApp": list(\.winningApps) { ["app": $0.second] }, "byLosingApp": list(\.losingApps) { ["app": $0.second] },
            "byDevicePair": list(\.pairs) { ["winner": $0.first ?? "", "loser": $0.second] },
            "byRecord": list(\.records) { ["recordType": $0.first ?? "", "recordID": $0.second] },
        ]
        if let known = evidence.withContext { page["writesWithContext"] = count(known) }
        if summary.writes.reverts > 0 { page["reverts"] = count(summary.writes.reverts) }
        if summary.recordsMissing > 0 {
            page["recordsMissing"] = count(summary.recordsMissing)
            // How many others there are, and how many conflicts of theirs, is not known of the records that are counted.
            page["byRecord"] = .object(["rows": page["byRecord"]?.object?["rows"] ?? []])
        }
        if !summary.health.isEmpty { page["health"] = health }
        if let clocks { page["clockWhatIf"] = answer(clocks) }
        return page
    }

    // MARK: Parts

    private func tally(_ tally: ConflictTally) -> FieldMap {
        let statistics = tally.statistics
        var object: FieldMap = [
            "conflicts": count(statistics.totalConflicts), "editsLost": count(statistics.dataLost),
        ]
        for breakdown in ConflictStatistics.breakdowns {
            object[FieldName("\(breakdown.summaryKey)")] = .object(
                breakdown.words.reduce(into: FieldMap()) { $0[FieldName($1)] = count(breakdown.count($1, statistics) ?? 0) })
        }
        for counter in ConflictStatistics.counters where counter.topic != .extent {
            object[FieldName("\(counter.key)")] = count(statistics[keyPath: counter.value])
        }
        if let date = statistics.firstConflictMilliseconds { object["firstConflict"] = .string(RFC3339.string(milliseconds: date)) }
        if let date = statistics.lastConflictMilliseconds { object["lastConflict"] = .string(RFC3339.string(milliseconds: date)) }
        let gaps = statistics.gaps
        var lengths = FieldMap()
        for (key, length) in [
            ("p50Ms", gaps.percentileMilliseconds(0.5)), ("p95Ms", gaps.percentileMilliseconds(0.95)),
            ("p99Ms", gaps.percentileMilliseconds(0.99)), ("minMs", gaps.minimumMilliseconds),
            ("maxMs", gaps.maximumMilliseconds),
        ] as [(FieldName, Int64?)] {
            if let length { lengths[key] = .number(JSONNumber(length)) }
        }
        object["gaps"] = .object(lengths)
        return object
    }

    private func list(_ counts: (ConflictTally) -> NamedCounts, names: (NamedCounts.Name) -> [FieldName: String]) -> FieldValue {
        let top = NamedCounts.top(top, by: \.conflicts, proven: counts(summary.proven), suspected: counts(summary.suspected))
        let rows = top.rows.map { row in
            var object = both(row.proven, row.suspected)
            for (key, name) in names(row.name) { object[key] = .string(Self.cut(name)) }
            return FieldValue.object(object)
        }
        var list: FieldMap = ["rows": .array(rows)]
        if top.others > 0 {
            var others = both(top.othersProven, top.othersSuspected)
            others["names"] = count(top.others)
            list["others"] = .object(others)
        }
        return .object(list)
    }

    private var byPeriod: FieldValue {
        let days = Set(summary.proven.byDay.keys).union(summary.suspected.byDay.keys)
        guard let first = days.min(), let last = days.max() else { return ["period": "day", "rows": []] }
        let period = CalendarPeriod.shortest(for: first...last, limit: 24)
        var sums: [Int: (proven: ConflictTally.Count, suspected: ConflictTally.Count)] = [:]
        let nothing = (proven: ConflictTally.Count(), suspected: ConflictTally.Count())
        for (day, count) in summary.proven.byDay { sums[period.index(of: day), default: nothing].proven.add(count) }
        for (day, count) in summary.suspected.byDay { sums[period.index(of: day), default: nothing].suspected.add(count) }
        let rows = sums.ordered { $0.key < $1.key }.map { index, sum in
            var row = both(sum.proven, sum.suspected)
            row["period"] = .string(period.label(of: index))
            return FieldValue.object(row)
        }
        return ["period": .string(period.name), "rows": .array(rows)]
    }

    private var health: FieldValue {
        let devices = HealthTable.sorted(summary.health)
        let newest = summary.newestMilliseconds ?? 0
        let rows = devices.prefix(top).map { device, part in
            var row: FieldMap = [
                "needsAttention": .bool(part.needsAttention), "succeeded": count(part.succeeded), "failed": count(part.failed),
            ]
            if let device { row["device"] = .string(Self.cut(device.rawValue)) }
            let error = part.sortedFailures.first?.failure.error.string
            for case (let key, let string?) in [
                ("error", error), ("network", part.networkStatus), ("account", part.account?.status.string),
            ] as [(FieldName, String?)] where string != "" { row[key] = .string(Self.cut(string)) }
            for case (let key, let date?) in [
                ("lastSuccess", part.lastSuccess), ("lastFailure", part.lastFailure),
                ("oldestWaiting", part.waiting?.status.oldest?.millisecondsSince1970),
            ] as [(FieldName, Int64?)] { row[key] = .string(RFC3339.string(milliseconds: date)) }
            let offline = part.network.latest.isEmpty ? nil : part.network.offline(until: newest).totalMilliseconds
            for case (let key, let length?) in [
                ("offlineMs", offline), ("uploadP95Ms", part.delivered.percentileMilliseconds(0.95)),
                ("deliveryP95Ms", part.merged.percentileMilliseconds(0.95)),
            ] as [(FieldName, Int64?)] { row[key] = .number(JSONNumber(length)) }
            if part.outbox != nil {
                row["waitingWrites"] = count(part.waiting?.status.writes ?? 0)
                row["waitingBytes"] = count(part.waiting?.status.bytes ?? 0)
                row["refused"] = count(part.refused)
            }
            if let storage = part.storage {
                row["storeBytes"] = count(storage.latest.bytes)
                if let growth = storage.bytesPerMonth { row["storeBytesPerMonth"] = count(growth) }
            }
            if let showing = part.showing {
                row["missedPulses"] = count(showing.missedPulses)
                row["leftUnshown"] = count(showing.leavesBehind)
                if let latest = showing.latest { row["unshown"] = .bool(latest.isBehind) }
            }
            return FieldValue.object(row)
        }
        var object: FieldMap = ["rows": .array(rows)]
        if devices.count > top { object["others"] = count(devices.count - top) }
        return .object(object)
    }

    private func filter(_ filter: ReportFilter) -> FieldMap {
        var object = FieldMap()
        if let since = filter.since { object["since"] = .string(since.description) }
        if let until = filter.until { object["until"] = .string(until.description) }
        for (key, names) in filter.names where !names.isEmpty {
            object[FieldName(key)] = .array(names.prefix(10).map { .string(Self.cut($0)) })
        }
        return object
    }

    private func answer(_ answer: ClockWhatIf.Answer) -> FieldValue {
        let winners = answer.byWinner.ordered { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
        return [
            "decided": count(answer.decided), "flipped": count(answer.flipped), "flippedLosses": count(answer.flippedLosses),
            "devices": count(answer.devices),
            "byWinner": .array(winners.prefix(top).map { ["device": .string(Self.cut($0.key.rawValue)), "flipped": count($0.value)] }),
        ]
    }

    // MARK: Values

    private func both(_ proven: ConflictTally.Count, _ suspected: ConflictTally.Count) -> FieldMap {
        func object(_ counted: ConflictTally.Count) -> FieldValue {
            ["conflicts": count(counted.conflicts), "editsLost": count(counted.losses)]
        }
        return ["proven": object(proven), "suspected": object(suspected)]
    }

    private func count(_ count: Int) -> FieldValue { .number(JSONNumber(Int64(count))) }

    /// Every name with its count, 0 where nothing was counted.
    private func counts<Name: RawRepresentable<String> & CaseIterable & Hashable>(_ counts: [Name: Int]) -> FieldValue {
        .object(Name.allCases.reduce(into: FieldMap()) { $0[FieldName($1.rawValue)] = count(counts[$1] ?? 0) })
    }

    /// The name, or as much of it as is shown: so many bytes where everything that JSON may escape counts as the longest escape.
    private static func cut(_ name: String, to limit: Int = longestName) -> String {
        var length = 0
        for index in name.unicodeScalars.indices {
            let scalar = name.unicodeScalars[index]
            let isPlain =
                scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value) && !"\"\\/\u{2028}\u{2029}".unicodeScalars.contains(scalar)
            length += isPlain ? UTF8.width(scalar) : 6
            if length > limit { return String(name.unicodeScalars[..<index]) + "…" }
        }
        return name
    }

    private func sentences(_ sentences: [String]) -> FieldValue {
        .array(sentences.map { .string(Self.cut($0, to: Self.longestSentence)) })
    }
}
