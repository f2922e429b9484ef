package import ConflictAudit
package import SyncBytes
package import SyncLines
import SyncModel

/// The JSON form of statistics, after `event`.
package enum StatisticsLine {
    package static func append(_ statistics: ConflictStatistics, to object: inout LineBuffer) {
        for counter in ConflictStatistics.counters { object.field(counter.key, statistics[keyPath: counter.value]) }
        object.field("writesObserved", statistics.writesObserved)
        if let count = statistics.writesWithContext { object.field("writesWithContext", count) }
        if statistics.reverts > 0 { object.field("reverts", statistics.reverts) }
        if let date = statistics.firstConflictMilliseconds { object.date("firstConflict", date) }
        if let date = statistics.lastConflictMilliseconds { object.date("lastConflict", date) }
        for breakdown in ConflictStatistics.breakdowns {
            object.key(breakdown.key)
            object.object { object in
                for word in breakdown.words {
                    if let count = breakdown.count(word, statistics) { object.field(named: word, count) }
                }
            }
        }
        append("recordTypes", statistics.byRecordType, to: &object) { $0.rawValue }
        append("winningDevices", statistics.byWinningDevice, to: &object) { $0.rawValue }
        append("losingDevices", statistics.byLosingDevice, to: &object) { $0.rawValue }
        append("fields", statistics.byField, to: &object) { key, entry in
            entry.field(.recordType, key.type.rawValue)
            if let field = key.field { entry.field(.field, field.rawValue) }
        }
        append("devicePairs", statistics.byDevicePair, to: &object) { key, entry in
            entry.field(.winner, key.winner.rawValue)
            entry.field(.loser, key.loser.rawValue)
        }
        object.key("gaps")
        append(statistics.gaps, to: &object)
    }

    package static func append(_ gaps: GapHistogram, to buffer: inout LineBuffer) {
        buffer.beginObject()
        if let length = gaps.minimumMilliseconds { buffer.field("minMs", length) }
        if let length = gaps.maximumMilliseconds { buffer.field("maxMs", length) }
        let buckets = gaps.buckets.map { FieldValue.array([.number(JSONNumber($0.index)), .number(JSONNumber($0.count))]) }
        buffer.field("buckets", .array(buckets))
        buffer.endObject()
    }

    /// Names and counts, in order of name.
    private static func append<Name: StringIdentifier>(
        _ key: StaticString, _ counts: [Name: Int], to object: inout LineBuffer,
        name: (Name) -> String
    ) {
        object.key(key)
        object.object { object in
            for (entry, count) in counts.sorted(by: { $0.key < $1.key }) { object.field(named: name(entry), count) }
        }
    }

    /// Compound keys and counts, each an object of its own, in order of key.
    private static func append<Key: Hashable & Comparable>(
        _ key: StaticString, _ counts: [Key: Int], to object: inout LineBuffer,
        keys: (Key, inout LineBuffer) -> Void
    ) {
        object.list(key, counts.sorted { $0.key < $1.key }) { object, entry in
            object.object { object in
                keys(entry.key, &object)
                object.field("count", entry.value)
            }
        }
    }

    package static func statistics(_ line: LineFields) throws(LineError) -> ConflictStatistics {
        var statistics = ConflictStatistics()
        func count(_ key: StaticString) throws(LineError) -> Int { Int(clamping: try line.optionalInteger(key) ?? 0) }
        for counter in ConflictStatistics.counters { statistics[keyPath: counter.value] = try count(counter.key) }
        statistics.writesObserved = try count("writesObserved")
        statistics.writesWithContext = try line.optionalInteger("writesWithContext").map { Int(clamping: $0) }
        statistics.recordReverts(try count("reverts"))
        statistics.firstConflictMilliseconds = try line.optionalDate("firstConflict")
        statistics.lastConflictMilliseconds = try line.optionalDate("lastConflict")
        for breakdown in ConflictStatistics.breakdowns where line.has(breakdown.key) {
            let counts = try line.object(breakdown.key)
            // A word that a newer program added is not counted here; the totals have it.
            for field in counts.fields where breakdown.words.contains(field.name.rawValue) {
                _ = breakdown.setCount(field.name.rawValue, Int(clamping: try counts.integer(field)), &statistics)
            }
        }
        statistics.byRecordType = try names("recordTypes", line)
        statistics.byWinningDevice = try names("winningDevices", line)
        statistics.byLosingDevice = try names("losingDevices", line)
        statistics.byField = try entries("fields", line) { entry throws(LineError) in
            ConflictStatistics.FieldKey(
                type: RecordType(try entry.string(.recordType)), field: try entry.optionalString(.field).map { FieldName($0) })
        }
        statistics.byDevicePair = try entries("devicePairs", line) { entry throws(LineError) in
            ConflictStatistics.DevicePair(winner: DeviceID(try entry.string(.winner)), loser: DeviceID(try entry.string(.loser)))
        }
        if line.has("gaps") { statistics.gaps = try gaps(try line.object("gaps")) }
        return statistics
    }

    package static func gaps(_ object: LineFields) throws(LineError) -> GapHistogram {
        guard let pairs = try object.pairs("buckets") else {
            throw LineError("\"buckets\" must be a list of pairs of whole numbers: a bucket and a count")
        }
        let buckets = pairs.map { (index: Int(clamping: $0.first), count: Int(clamping: $0.second)) }
        guard
            let gaps = GapHistogram(
                buckets: buckets, minimum: try object.optionalInteger("minMs"), maximum: try object.optionalInteger("maxMs"))
        else { throw LineError("\"buckets\", \"minMs\" and \"maxMs\" contradict each other") }
        return gaps
    }

    private static func names<Name: StringIdentifier>(_ key: StaticString, _ line: LineFields) throws(LineError) -> [Name: Int] {
        guard line.has(key) else { return [:] }
        var counts: [Name: Int] = [:]
        for (name, number) in try line.object(key).integers() { counts[Name(name.rawValue)] = Int(clamping: number) }
        return counts
    }

    private static func entries<Key: Hashable>(
        _ key: StaticString, _ line: LineFields, read: (LineFields) throws(LineError) -> Key
    ) throws(LineError) -> [Key: Int] {
        var counts: [Key: Int] = [:]
        try line.forEachObject(key) { entry throws(LineError) in
            let (sum, overflow) = counts[try read(entry), default: 0].addingReportingOverflow(Int(clamping: try entry.integer("count")))
            guard !overflow else { throw LineError("the counts in \(key.description.quoted) add up to more than a number can hold") }
            counts[try read(entry)] = sum
        }
        return counts
    }
}
