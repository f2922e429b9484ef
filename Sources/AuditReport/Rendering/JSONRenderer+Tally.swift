import ConflictAudit
import SyncModel

// The closures receive the buffer that they write to, since an object writer keeps track of commas only.

extension LineBuffer {
    mutating func writeObject(_ body: (inout JSONText.ObjectWriter, inout LineBuffer) -> Void) {
        var object = JSONText.ObjectWriter(&self)
        body(&object, &self)
        object.end(in: &self)
    }

    mutating func writeList<Item>(_ elements: some Sequence<Item>, _ body: (inout LineBuffer, Item) -> Void) {
        append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { append(UInt8(ascii: ",")) }
            isFirst = false
            body(&self, element)
        }
        append(UInt8(ascii: "]"))
    }

    /// Every name with its count, 0 where nothing was counted.
    mutating func appendCounts<Name: RawRepresentable<String> & CaseIterable & Hashable>(_ counts: [Name: Int]) {
        writeObject { object, buffer in
            for name in Name.allCases { object.field(named: name.rawValue, counts[name] ?? 0, in: &buffer) }
        }
    }

    mutating func append(_ tally: ConflictTally) {
        let statistics = tally.statistics
        writeObject { object, buffer in
            object.field("conflicts", statistics.totalConflicts, in: &buffer)
            object.field("editsLost", statistics.dataLost, in: &buffer)
            object.field("autoResolved", statistics.autoResolvedConflicts, in: &buffer)
            object.field("unresolved", statistics.unresolvedConflicts, in: &buffer)
            object.field("clockSuspect", statistics.clockSuspect, in: &buffer)
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
            object.breakdowns(of: tally, in: &buffer)
        }
    }

    private mutating func append(_ distinct: DistinctCount) {
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
    mutating func list<Item>(
        _ key: StaticString, _ elements: some Sequence<Item>, in buffer: inout LineBuffer, _ body: (inout LineBuffer, Item) -> Void
    ) {
        self.key(key, in: &buffer)
        buffer.writeList(elements, body)
    }

    fileprivate mutating func breakdowns(of tally: ConflictTally, in buffer: inout LineBuffer) {
        let statistics = tally.statistics
        rows("byRecordType", statistics.byRecordType, lost: tally.lossesByRecordType, in: &buffer) { row, type, buffer in
            row.field("recordType", type.rawValue, in: &buffer)
        }
        rows("byField", statistics.byField, lost: tally.lossesByField, in: &buffer) { row, key, buffer in
            row.field("recordType", key.type.rawValue, in: &buffer)
            if let field = key.field { row.field("field", field.rawValue, in: &buffer) }
        }
        let lossesByWinner = tally.lossesByWinningDevice
        let winners = statistics.byWinningDevice.sorted { $0.key < $1.key }
        list("byWinningDevice", winners, in: &buffer) { buffer, element in
            buffer.writeObject { row, buffer in
                row.field("device", element.key.rawValue, in: &buffer)
                row.field("conflicts", element.value, in: &buffer)
                row.field("editsLost", lossesByWinner[element.key] ?? 0, in: &buffer)
                row.field("clockSuspect", tally.clockSuspectByWinningDevice[element.key] ?? 0, in: &buffer)
            }
        }
        rows("byLosingDevice", statistics.byLosingDevice, lost: tally.lossesByLosingDevice, in: &buffer) { row, device, buffer in
            row.field("device", device.rawValue, in: &buffer)
        }
        let pairs = tally.byDevicePair
        rows("byDevicePair", pairs.mapValues(\.conflicts), lost: pairs.mapValues(\.losses), in: &buffer) { row, pair, buffer in
            row.field("winner", pair.winner.rawValue, in: &buffer)
            row.field("loser", pair.loser.rawValue, in: &buffer)
        }
        let days = tally.byDay
        rows("byDay", days.mapValues(\.conflicts), lost: days.mapValues(\.losses), in: &buffer) { row, day, buffer in
            row.field("day", UTCDay.text(of: day), in: &buffer)
        }
        let records = tally.byRecord
        rows("byRecord", records.mapValues(\.conflicts), lost: records.mapValues(\.losses), in: &buffer) { row, key, buffer in
            row.field("recordType", key.type.rawValue, in: &buffer)
            row.field("recordID", key.id.rawValue, in: &buffer)
        }
    }

    private mutating func rows<Key: Comparable & Hashable>(
        _ name: StaticString, _ conflicts: [Key: Int], lost: [Key: Int], in buffer: inout LineBuffer,
        _ identify: (inout Self, Key, inout LineBuffer) -> Void
    ) {
        list(name, conflicts.sorted { $0.key < $1.key }, in: &buffer) { buffer, element in
            buffer.writeObject { row, buffer in
                identify(&row, element.key, &buffer)
                row.field("conflicts", element.value, in: &buffer)
                row.field("editsLost", lost[element.key] ?? 0, in: &buffer)
            }
        }
    }
}
