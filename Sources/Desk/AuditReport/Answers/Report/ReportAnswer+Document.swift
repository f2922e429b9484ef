import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

extension ReportAnswer {
    static let version = 1
    /// The most bytes of a name.
    static let longestName = 200
    /// The most bytes of a sentence.
    static let longestSentence = 2000
    /// The most bytes of why a device needs somebody.
    static let longestReason = 500

    /// One object of bounded length, with the numbers of the report and the first rows of its lists.
    ///
    /// Keys come in the order of their names, at every level, so that equal reports give equal bytes. It is a page, not the whole: what can
    /// be put together with others is what `JSONRenderer` writes. Shorter than 64 KiB unless ``top`` is larger than 10; names longer than
    /// ``longestName`` bytes are cut and end in `…`.
    ///
    /// - Complexity: O(*n* log ``top``) in the distinct keys of the summary.
    package var document: Document {
        let headline = ReportHeadline(summary)
        let evidence = summary.evidence
        let distinct = summary.distinctConflicts
        return [
            "byDevicePair": list(\.pairs) { ["loser": Self.cut($0.second), "winner": Self.cut($0.first ?? "")] },
            "byField": list(\.fields) { name in
                name.first.map { ["field": Self.cut(name.second), "recordType": Self.cut($0)] } ?? ["recordType": Self.cut(name.second)]
            },
            "byLosingApp": list(\.losingApps) { ["app": Self.cut($0.second)] },
            "byLosingDevice": list(\.losers) { ["device": Self.cut($0.second)] }, "byPeriod": byPeriod,
            // How many others there are, and how many conflicts of theirs, is not known of the records that are counted.
            "byRecord": list(\.records, hasOthers: summary.recordsMissing == 0) {
                ["recordID": Self.cut($0.second), "recordType": Self.cut($0.first ?? "")]
            },
            "byRecordType": list(\.fields.byFirst) { ["recordType": Self.cut($0.second)] },
            "byWinningApp": list(\.winningApps) { ["app": Self.cut($0.second)] },
            "byWinningDevice": list(\.winners) { ["device": Self.cut($0.second)] }, "clockWhatIf": clocks.map { document($0) },
            "conflicts": summary.proven.total.conflicts.addingCount(summary.suspected.total.conflicts),
            "copiesLeftOut": summary.copiesLeftOut, "distinctConflicts": distinct.count, "distinctIsExact": distinct.isExact,
            "editsLost": summary.proven.total.losses.addingCount(summary.suspected.total.losses),
            "filters": summary.filters.prefix(3).map { document($0) }, "headline": Self.cut(headline.sentence, to: Self.longestSentence),
            "health": summary.health.isEmpty ? nil : health, "isDistinct": summary.isDistinct, "isUnaudited": evidence.isUnaudited,
            "linesDropped": summary.linesDropped, "notes": headline.notes.map { Self.cut($0, to: Self.longestSentence) },
            "otherEvents": Document(counts: summary.otherEvents).sorted, "proven": document(summary.proven),
            "recordsMissing": summary.recordsMissing > 0 ? summary.recordsMissing : nil, "report": Self.version,
            "reverts": summary.writes.reverts > 0 ? summary.writes.reverts : nil, "suspected": document(summary.suspected),
            "unchecked": summary.unchecked, "warnings": headline.warnings.map { Self.cut($0, to: Self.longestSentence) },
            "writesObserved": evidence.writes, "writesWithContext": evidence.withContext,
        ]
    }

    private func document(_ tally: ConflictTally) -> Document {
        let (statistics, gaps) = (tally.statistics, tally.statistics.gaps)
        let breakdowns = ConflictStatistics.breakdowns.map { breakdown in
            let counts = breakdown.words.map { ($0, breakdown.count($0, statistics) ?? 0) }
            return ("\(breakdown.summaryKey)", Document(members: counts).sorted)
        }
        let counters = ConflictStatistics.counters.filter { $0.topic != .extent }.map { ("\($0.key)", statistics[keyPath: $0.value]) }
        let others: Document = [
            "conflicts": statistics.totalConflicts, "editsLost": statistics.dataLost,
            "firstConflict": statistics.firstConflictMilliseconds.map(Time.init),
            "lastConflict": statistics.lastConflictMilliseconds.map(Time.init),
            "gaps": [
                "maxMs": gaps.maximumMilliseconds, "minMs": gaps.minimumMilliseconds, "p50Ms": gaps.percentileMilliseconds(0.5),
                "p95Ms": gaps.percentileMilliseconds(0.95), "p99Ms": gaps.percentileMilliseconds(0.99),
            ] as Document,
        ]
        return Document(Document(members: breakdowns), Document(members: counters), others).sorted
    }

    private func list(
        _ counts: (ConflictTally) -> NamedCounts, hasOthers: Bool = true, _ names: @escaping (NamedCounts.Name) -> Document
    ) -> Document {
        let top = NamedCounts.top(top, by: \.conflicts, proven: counts(summary.proven), suspected: counts(summary.suspected))
        let others = Document(["names": top.others], Self.both(top.othersProven, top.othersSuspected))
        return [
            "others": hasOthers && top.others > 0 ? others : nil,
            "rows": Rows(top.rows) { Document(names($0.name), Self.both($0.proven, $0.suspected)).sorted },
        ]
    }

    private var byPeriod: Document {
        let days = Set(summary.proven.byDay.keys).union(summary.suspected.byDay.keys)
        guard let first = days.min(), let last = days.max() else { return ["period": "day", "rows": [String]()] }
        let period = CalendarPeriod.shortest(for: first...last, limit: 24)
        var sums: [Int: (proven: ConflictTally.Count, suspected: ConflictTally.Count)] = [:]
        let nothing = (proven: ConflictTally.Count(), suspected: ConflictTally.Count())
        for (day, count) in summary.proven.byDay { sums[period.index(of: day), default: nothing].proven.add(count) }
        for (day, count) in summary.suspected.byDay { sums[period.index(of: day), default: nothing].suspected.add(count) }
        return [
            "period": period.name,
            "rows": Rows(sums.ordered { $0.key < $1.key }) { index, sum in
                Document(["period": period.label(of: index)], Self.both(sum.proven, sum.suspected))
            },
        ]
    }

    private var health: Document {
        let list = summary.deviceHealth
        return [
            "devicesByNeed": Document(members: list.counts.map { ($0.need.rawValue, $0.count) }).sorted,
            "others": list.entries.count > top ? list.entries.count - top : nil, "othersTogether": list.others == nil ? nil : true,
            "rows": Rows(list.entries.prefix(top), document),
        ]
    }

    private func document(_ entry: DeviceHealthList.Entry) -> Document {
        let part = entry.part
        func name(_ name: String?) -> String? { name == "" ? nil : name.map { Self.cut($0) } }
        let isOffline = !part.network.latest.isEmpty
        let offline = isOffline ? part.network.offline(until: summary.newestMilliseconds ?? 0).totalMilliseconds : nil
        // What waits is told of devices that have an outbox.
        let waiting = part.outbox == nil ? nil : (writes: part.waiting?.status.writes ?? 0, bytes: part.waiting?.status.bytes ?? 0)
        return [
            "account": name(part.account?.status.string), "deliveryP95Ms": part.merged.percentileMilliseconds(0.95),
            "device": entry.device.map { Self.cut($0.rawValue) }, "error": name(part.sortedFailures.first?.failure.error.string),
            "failed": part.failed, "lastFailure": part.lastFailure.map(Time.init), "lastSuccess": part.lastSuccess.map(Time.init),
            "leftUnshown": part.showing?.leavesBehind, "missedPulses": part.showing?.missedPulses,
            "needs": entry.needs.map(\.rawValue), "needsAttention": entry.needsAttention, "network": name(part.networkStatus),
            "offlineMs": offline,
            "oldestWaiting": (part.waiting?.status.oldest?.millisecondsSince1970).map(Time.init),
            "refused": part.outbox == nil ? nil : part.refused, "storeBytes": part.storage?.latest.bytes,
            "storeBytesPerMonth": part.storage?.bytesPerMonth, "succeeded": part.succeeded,
            "unshown": part.showing?.latest?.isBehind, "uploadP95Ms": part.delivered.percentileMilliseconds(0.95),
            "waitingBytes": waiting?.bytes, "waitingWrites": waiting?.writes, "why": Self.cut(entry.reason, to: Self.longestReason),
        ]
    }

    private func document(_ filter: ReportFilter) -> Document {
        let names = filter.names.filter { !$0.names.isEmpty }.map { ($0.key, $0.names.prefix(10).map { Self.cut($0) }) }
        return Document(["since": filter.since?.description, "until": filter.until?.description], Document(members: names)).sorted
    }

    private func document(_ answer: ClockWhatIf.Answer) -> Document {
        let winners = answer.byWinner.ordered { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
        return [
            "byWinner": Rows(winners.prefix(top)) { ["device": Self.cut($0.key.rawValue), "flipped": $0.value] },
            "decided": answer.decided, "devices": answer.devices, "flipped": answer.flipped, "flippedLosses": answer.flippedLosses,
        ]
    }

    private static func both(_ proven: ConflictTally.Count, _ suspected: ConflictTally.Count) -> Document {
        func document(_ count: ConflictTally.Count) -> Document { ["conflicts": count.conflicts, "editsLost": count.losses] }
        return ["proven": document(proven), "suspected": document(suspected)]
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
}
