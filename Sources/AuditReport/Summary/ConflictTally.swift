public import ConflictAudit
public import SyncModel

/// Conflicts of one certainty, proven or suspected, counted by everything that the report shows.
///
/// Adds to `ConflictStatistics` where edits were lost, on which days, and which records were fought over. An edit counts as lost once for
/// each conflict that discarded it.
///
/// - Complexity: counting a conflict is O(1) in dictionary look-ups. Memory grows with the distinct devices, device pairs, fields, days
///   and records, never with the number of conflicts. A value type; its owner guards it.
public struct ConflictTally: Hashable, Sendable {
    /// How many conflicts, and how many of them lost an edit.
    public struct Count: Hashable, Sendable, BitwiseCopyable {
        /// All conflicts.
        public internal(set) var conflicts = 0
        /// Those that discarded a value: severity lossy, destructive or divergent.
        public internal(set) var losses = 0

        mutating func add(_ other: Count) {
            conflicts = conflicts.addingCount(other.conflicts)
            losses = losses.addingCount(other.losses)
        }
    }

    /// The counts that `ConflictStatistics` keeps, all but `byDevicePair`, which is ``byDevicePair`` here, and `writesObserved`, for which see
    /// ``Summary/writes``.
    public internal(set) var statistics = ConflictStatistics()
    /// Edits lost by field.
    public internal(set) var lossesByField: [ConflictStatistics.FieldKey: Int] = [:]
    /// Edits lost by the device that had written them.
    public internal(set) var lossesByLosingDevice: [DeviceID: Int] = [:]
    /// Edits lost by the device whose write took their place.
    public internal(set) var lossesByWinningDevice: [DeviceID: Int] = [:]
    /// Conflicts whose winner may owe its victory to a wrong clock, by that winner.
    public internal(set) var clockSuspectByWinningDevice: [DeviceID: Int] = [:]
    /// Conflicts by UTC day, in days since 1970-01-01.
    ///
    /// A date out of the years 0000 to 9999 counts on the nearest day within.
    public internal(set) var byDay: [Int: Count] = [:]
    /// Conflicts by winner and loser.
    var pairs = NamedCounts()
    /// Conflicts by type and identity of the record.
    var records = NamedCounts()

    /// How many different conflicts those counted are.
    ///
    /// A conflict has one id, however many devices log it.
    public internal(set) var distinct = DistinctCount()

    /// Nothing counted.
    public init() {}

    /// All conflicts, and those that lost an edit.
    public var total: Count { Count(conflicts: statistics.totalConflicts, losses: statistics.dataLost) }

    /// Conflicts by winner and loser.
    ///
    /// - Complexity: O(*n*) in the pairs of devices.
    public var byDevicePair: [ConflictStatistics.DevicePair: Count] {
        pairs.dictionary { ConflictStatistics.DevicePair(winner: DeviceID($0), loser: DeviceID($1)) }
    }

    /// Conflicts by record, exact.
    ///
    /// - Complexity: O(*n*) in the records.
    public var byRecord: [RecordKey: Count] {
        records.dictionary { RecordKey(type: RecordType($0), id: RecordID($1)) }
    }

    /// Edits lost by type of record.
    ///
    /// - Complexity: O(*n*) in the fields.
    public var lossesByRecordType: [RecordType: Int] {
        var losses: [RecordType: Int] = [:]
        for (key, count) in lossesByField { losses[key.type] = (losses[key.type] ?? 0).addingCount(count) }
        return losses
    }

    /// Counts a conflict.
    mutating func record(_ conflict: Conflict) {
        statistics.record(conflict)
        statistics.byDevicePair = [:]
        distinct.insert(conflict.id)
        let step = Count(conflicts: 1, losses: conflict.severity.isLoss ? 1 : 0)
        byDay[Self.day(of: conflict.milliseconds), default: Count()].add(step)
        let (winner, loser) = (conflict.winner.dot.device, conflict.loser.dot.device)
        pairs.add(step, winner.rawValue, loser.rawValue)
        records.add(step, conflict.key.type.rawValue, conflict.key.id.rawValue)
        if conflict.clockSuspect { clockSuspectByWinningDevice[winner, default: 0] += 1 }
        guard conflict.severity.isLoss else { return }
        lossesByField[ConflictStatistics.FieldKey(type: conflict.key.type, field: conflict.field), default: 0] += 1
        lossesByWinningDevice[winner, default: 0] += 1
        lossesByLosingDevice[loser, default: 0] += 1
    }

    /// Adds everything that another tally counted.
    ///
    /// - Complexity: O(*n*) in the distinct keys of the other.
    mutating func merge(_ other: ConflictTally) {
        let add = { (left: Int, right: Int) in left.addingCount(right) }
        statistics.merge(other.statistics)
        distinct.merge(other.distinct)
        lossesByField.merge(other.lossesByField, uniquingKeysWith: add)
        lossesByWinningDevice.merge(other.lossesByWinningDevice, uniquingKeysWith: add)
        lossesByLosingDevice.merge(other.lossesByLosingDevice, uniquingKeysWith: add)
        clockSuspectByWinningDevice.merge(other.clockSuspectByWinningDevice, uniquingKeysWith: add)
        for (day, count) in other.byDay { byDay[day, default: Count()].add(count) }
        pairs.merge(other.pairs)
        records.merge(other.records)
    }

    static func day(of milliseconds: Int64) -> Int {
        let range = RFC3339.range
        return Int(min(max(milliseconds, range.lowerBound), range.upperBound).dividedFlooring(by: 86_400_000))
    }
}
