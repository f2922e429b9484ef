import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

extension LineBuffer {
    /// Every name with its count, 0 where nothing was counted.
    package mutating func appendCounts<Name: RawRepresentable<String> & CaseIterable & Hashable>(_ counts: [Name: Int]) {
        object { object in
            for name in Name.allCases { object.field(named: name.rawValue, counts[name] ?? 0) }
        }
    }

    mutating func append(_ tally: ConflictTally, _ drain: (inout LineBuffer) -> Void) {
        let statistics = tally.statistics
        object { object in
            object.counts(tally.total)
            for counter in ConflictStatistics.counters where counter.topic != .extent {
                object.field(counter.key, statistics[keyPath: counter.value])
            }
            if let date = statistics.firstConflictMilliseconds { object.date("firstConflict", date) }
            if let date = statistics.lastConflictMilliseconds { object.date("lastConflict", date) }
            for breakdown in ConflictStatistics.breakdowns {
                object.key(breakdown.summaryKey)
                object.object { object in
                    for word in breakdown.words { object.field(named: word, breakdown.count(word, statistics) ?? 0) }
                }
            }
            object.key("distinct")
            object.append(tally.distinct)
            object.key("gaps")
            object.append(statistics.gaps)
            object.breakdowns(of: tally, drain)
        }
    }

    mutating func append(_ distinct: DistinctCount) {
        object { object in
            object.field("count", distinct.count)
            object.field(
                "standardError", .number(JSONNumber(distinct.isExact ? 0 : DistinctCount.standardError) ?? JSONNumber(0)))
            if distinct.isExact {
                object.list("ids", distinct.ids.sorted()) { JSONText.append($1.description, to: &$0) }
            } else {
                object.field("registers", distinct.letters)
            }
        }
    }

    mutating func append(_ gaps: GapHistogram) {
        object { object in
            let shares: [(key: StaticString, share: Double)] = [("p50Ms", 0.50), ("p95Ms", 0.95), ("p99Ms", 0.99)]
            for (key, share) in shares {
                if let length = gaps.percentileMilliseconds(share) { object.field(key, length) }
            }
            if let length = gaps.minimumMilliseconds { object.field("minMs", length) }
            if let length = gaps.maximumMilliseconds { object.field("maxMs", length) }
            object.list("buckets", gaps.buckets) { object, bucket in
                object.list([bucket.index, bucket.count]) { $0.append(decimal: UInt64($1.magnitude), isNegative: $1 < 0) }
            }
        }
    }
}

extension LineBuffer {
    fileprivate mutating func breakdowns(of tally: ConflictTally, _ drain: (inout LineBuffer) -> Void) {
        rows("byRecordType", tally.fields.byFirst.sorted, drain) { row, name in
            row.field(.recordType, name.second)
        }
        rows("byField", tally.fields.sorted, drain) { row, name in
            row.field(.recordType, name.first ?? name.second)
            if name.first != nil { row.field(.field, name.second) }
        }
        list("byWinningDevice", tally.winners.sorted(with: tally.suspects), drain) { buffer, element in
            buffer.object { row in
                row.field("device", element.name.second)
                row.counts(element.count)
                row.field("clockSuspect", element.other.conflicts)
            }
        }
        rows("byLosingDevice", tally.losers.sorted, drain) { row, name in
            row.field("device", name.second)
        }
        rows("byDevicePair", tally.pairs.sorted, drain) { row, name in
            row.field("winner", name.first ?? "")
            row.field("loser", name.second)
        }
        rows("byAppPair", tally.apps.sorted, drain) { row, name in
            row.field("winner", name.first ?? "")
            row.field("loser", name.second)
        }
        list("byDay", tally.byDay.ordered { $0.key < $1.key }) { buffer, element in
            buffer.object { row in
                row.field("day", UTCDay.text(of: element.key))
                row.counts(element.value)
            }
        }
        rows("byRecord", tally.records.sorted, drain) { row, name in
            row.field(.recordType, name.first ?? "")
            row.field(.recordID, name.second)
        }
    }

    private mutating func rows(
        _ key: StaticString, _ counts: some Sequence<(name: NamedCounts.Name, count: ConflictTally.Count)>,
        _ drain: (inout LineBuffer) -> Void, _ identify: (inout LineBuffer, NamedCounts.Name) -> Void
    ) {
        list(key, counts, drain) { buffer, element in
            buffer.object { row in
                identify(&row, element.name)
                row.counts(element.count)
            }
        }
    }

    fileprivate mutating func counts(_ count: ConflictTally.Count) {
        field("conflicts", count.conflicts)
        field("editsLost", count.losses)
    }
}
