import ConflictAudit
import SyncLines
import SyncModel

extension LineBuffer {
    /// Every name with its count, 0 where nothing was counted.
    package mutating func appendCounts<Name: RawRepresentable<String> & CaseIterable & Hashable>(_ counts: [Name: Int]) {
        writeObject { object, buffer in
            for name in Name.allCases { object.field(named: name.rawValue, counts[name] ?? 0, in: &buffer) }
        }
    }

    mutating func append(_ tally: ConflictTally, _ drain: (inout LineBuffer) -> Void) {
        let statistics = tally.statistics
        writeObject { object, buffer in
            object.field("conflicts", statistics.totalConflicts, in: &buffer)
            object.field("editsLost", statistics.dataLost, in: &buffer)
            object.field("autoResolved", statistics.autoResolvedConflicts, in: &buffer)
            object.field("unresolved", statistics.unresolvedConflicts, in: &buffer)
            object.field("clockSuspect", statistics.clockSuspect, in: &buffer)
            object.field("staleOverwrites", statistics.staleOverwrites, in: &buffer)
            object.field("withinWindow", statistics.withinWindow, in: &buffer)
            object.field("outsideWindow", statistics.outsideWindow, in: &buffer)
            if let date = statistics.firstConflictDate { object.date("firstConflict", date, in: &buffer) }
            if let date = statistics.lastConflictDate { object.date("lastConflict", date, in: &buffer) }
            object.key("byKind", in: &buffer)
            buffer.appendCounts(statistics.byKind)
            object.key("bySeverity", in: &buffer)
            buffer.appendCounts(statistics.bySeverity)
            object.key("byBasis", in: &buffer)
            buffer.appendCounts(statistics.byBasis)
            object.key("byReason", in: &buffer)
            buffer.appendCounts(statistics.byReason)
            object.key("distinct", in: &buffer)
            buffer.append(tally.distinct)
            object.key("gaps", in: &buffer)
            buffer.append(statistics.gaps)
            object.breakdowns(of: tally, in: &buffer, drain)
        }
    }

    mutating func append(_ distinct: DistinctCount) {
        writeObject { object, buffer in
            object.field("count", distinct.count, in: &buffer)
            object.field(
                "standardError", .number(JSONNumber(distinct.isExact ? 0 : DistinctCount.standardError) ?? JSONNumber(0)), in: &buffer)
            if distinct.isExact {
                object.list("ids", distinct.ids.sorted(), in: &buffer) { JSONText.append($1.description, to: &$0) }
            } else {
                object.field("registers", distinct.letters, in: &buffer)
            }
        }
    }

    private mutating func append(_ gaps: GapHistogram) {
        writeObject { object, buffer in
            let shares: [(key: StaticString, share: Double)] = [("p50Ms", 0.50), ("p95Ms", 0.95), ("p99Ms", 0.99)]
            for (key, share) in shares {
                if let length = gaps.percentile(share) { object.field(key, length, in: &buffer) }
            }
            if let length = gaps.minimum { object.field("minMs", length, in: &buffer) }
            if let length = gaps.maximum { object.field("maxMs", length, in: &buffer) }
            object.list("buckets", gaps.buckets, in: &buffer) { buffer, bucket in
                buffer.writeList([bucket.index, bucket.count]) { $0.append(decimal: UInt64($1.magnitude), isNegative: $1 < 0) }
            }
        }
    }
}

extension JSONText.ObjectWriter {
    fileprivate mutating func breakdowns(of tally: ConflictTally, in buffer: inout LineBuffer, _ drain: (inout LineBuffer) -> Void) {
        rows("byRecordType", tally.fields.byFirst.sorted, in: &buffer, drain) { row, name, buffer in
            row.field("recordType", name.second, in: &buffer)
        }
        rows("byField", tally.fields.sorted, in: &buffer, drain) { row, name, buffer in
            row.field("recordType", name.first ?? name.second, in: &buffer)
            if name.first != nil { row.field("field", name.second, in: &buffer) }
        }
        list("byWinningDevice", tally.winners.sorted(with: tally.suspects), in: &buffer, drain) { buffer, element in
            buffer.writeObject { row, buffer in
                row.field("device", element.name.second, in: &buffer)
                row.counts(element.count, in: &buffer)
                row.field("clockSuspect", element.other.conflicts, in: &buffer)
            }
        }
        rows("byLosingDevice", tally.losers.sorted, in: &buffer, drain) { row, name, buffer in
            row.field("device", name.second, in: &buffer)
        }
        rows("byDevicePair", tally.pairs.sorted, in: &buffer, drain) { row, name, buffer in
            row.field("winner", name.first ?? "", in: &buffer)
            row.field("loser", name.second, in: &buffer)
        }
        rows("byAppPair", tally.apps.sorted, in: &buffer, drain) { row, name, buffer in
            row.field("winner", name.first ?? "", in: &buffer)
            row.field("loser", name.second, in: &buffer)
        }
        list("byDay", tally.byDay.sorted { $0.key < $1.key }, in: &buffer) { buffer, element in
            buffer.writeObject { row, buffer in
                row.field("day", UTCDay.text(of: element.key), in: &buffer)
                row.counts(element.value, in: &buffer)
            }
        }
        rows("byRecord", tally.records.sorted, in: &buffer, drain) { row, name, buffer in
            row.field("recordType", name.first ?? "", in: &buffer)
            row.field("recordID", name.second, in: &buffer)
        }
    }

    private mutating func rows(
        _ key: StaticString, _ counts: some Sequence<(name: NamedCounts.Name, count: ConflictTally.Count)>, in buffer: inout LineBuffer,
        _ drain: (inout LineBuffer) -> Void, _ identify: (inout Self, NamedCounts.Name, inout LineBuffer) -> Void
    ) {
        list(key, counts, in: &buffer, drain) { buffer, element in
            buffer.writeObject { row, buffer in
                identify(&row, element.name, &buffer)
                row.counts(element.count, in: &buffer)
            }
        }
    }

    private mutating func counts(_ count: ConflictTally.Count, in buffer: inout LineBuffer) {
        field("conflicts", count.conflicts, in: &buffer)
        field("editsLost", count.losses, in: &buffer)
    }
}
