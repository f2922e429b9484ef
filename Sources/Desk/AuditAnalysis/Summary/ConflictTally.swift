public import ConflictAudit
public import SyncModel

/// Conflicts of one certainty, proven or suspected, counted by everything that the report shows.
///
/// ```swift
/// for (field, count) in summary.proven.byField { print(field.type, count.losses, "edits lost") }
/// ```
///
/// Adds to `ConflictStatistics` where edits were lost, on which days, and which records were fought over. An edit counts as lost once for
/// each conflict that discarded it.
///
/// - Complexity: counting a conflict is O(1) expected. Memory grows with the distinct devices, device pairs, fields, days
///   and records, never with the number of conflicts. A value type; its owner guards it.
public struct ConflictTally: Hashable, Sendable {
    /// How many conflicts, and how many of them lost an edit.
    public struct Count: Hashable, Sendable, BitwiseCopyable {
        /// All conflicts.
        public package(set) var conflicts: Int
        /// Those that discarded a value: severity lossy, destructive or divergent.
        public package(set) var losses: Int

        package init(conflicts: Int = 0, losses: Int = 0) {
            self.conflicts = conflicts
            self.losses = losses
        }

        /// The rest of the count without parts of it.
        package func subtracting(_ parts: [Count]) -> Count {
            parts.reduce(into: self) { rest, part in
                rest.conflicts -= part.conflicts
                rest.losses -= part.losses
            }
        }

        package mutating func add(_ other: Count) {
            conflicts = conflicts.addingCount(other.conflicts)
            losses = losses.addingCount(other.losses)
        }
    }

    /// The counts that `ConflictStatistics` keeps, all but those by a name, which are ``byField``, ``byRecordType``, ``byWinningDevice``,
    /// ``byLosingDevice`` and ``byDevicePair`` here, and `writesObserved`, for which see ``Summary/writes``.
    public internal(set) var statistics = ConflictStatistics()
    /// Conflicts by UTC day, in days since 1970-01-01.
    ///
    /// A date out of the years 0000 to 9999 counts on the nearest day within.
    public internal(set) var byDay: [Int: Count] = [:]
    /// Conflicts by type and field; those of a whole record have the type alone.
    package var fields = NamedCounts()
    /// Conflicts by winner and loser.
    package var pairs = NamedCounts()
    /// Conflicts whose winner may owe its victory to a wrong clock, by that winner.
    package var suspects = NamedCounts()
    /// By the versions of the app that won and lost, of those conflicts of which at least one side tells its own; the other is then empty.
    package var apps = NamedCounts()
    /// Conflicts by type and identity of the record.
    package var records = NamedCounts()

    /// How many different conflicts those counted are.
    ///
    /// A conflict has one id, however many devices log it.
    package internal(set) var distinct = DistinctCount()

    /// Nothing counted.
    package init() {}

    /// All conflicts, and those that lost an edit.
    public var total: Count { Count(conflicts: statistics.totalConflicts, losses: statistics.dataLost) }

    /// Conflicts by winner and loser.
    ///
    /// - Complexity: O(*n*) in the pairs of devices.
    public var byDevicePair: [ConflictStatistics.DevicePair: Count] {
        pairs.dictionary { ConflictStatistics.DevicePair(winner: DeviceID($0.first ?? ""), loser: DeviceID($0.second)) }
    }

    /// Conflicts by record, exact.
    ///
    /// - Complexity: O(*n*) in the records.
    public var byRecord: [RecordKey: Count] {
        records.dictionary { RecordKey(type: RecordType($0.first ?? ""), id: RecordID($0.second)) }
    }

    /// Conflicts by field, nil for those of a whole record.
    ///
    /// - Complexity: O(*n*) in the fields.
    public var byField: [ConflictStatistics.FieldKey: Count] { fields.dictionary(ConflictStatistics.FieldKey.init) }

    /// Conflicts by type of record.
    ///
    /// - Complexity: O(*n*) in the fields.
    public var byRecordType: [RecordType: Count] { fields.byFirst.dictionary { RecordType($0.second) } }

    /// Conflicts by the device that won.
    ///
    /// - Complexity: O(*n*) in the pairs of devices.
    public var byWinningDevice: [DeviceID: Count] { winners.dictionary { DeviceID($0.second) } }

    /// Conflicts by the device that lost.
    ///
    /// - Complexity: O(*n*) in the pairs of devices.
    public var byLosingDevice: [DeviceID: Count] { losers.dictionary { DeviceID($0.second) } }

    /// Conflicts whose winner may owe its victory to a wrong clock, by that winner.
    ///
    /// - Complexity: O(*n*) in the devices.
    public var clockSuspectByWinningDevice: [DeviceID: Int] { suspects.dictionary { DeviceID($0.second) }.mapValues(\.conflicts) }

    /// Conflicts and edits lost by the versions of the app of winner and loser, where a line tells one; what is not told is empty.
    ///
    /// - Complexity: O(*n*) in the pairs of versions.
    public var byAppPair: [AppPair: Count] { apps.dictionary { AppPair(winner: $0.first ?? "", loser: $0.second) } }

    /// Two versions of the app.
    public struct AppPair: Hashable, Sendable {
        /// That of the write that is shown; empty where it is not told.
        public let winner: String
        /// That of the write that is not.
        public let loser: String

        /// Names two versions.
        package init(winner: String, loser: String) {
            self.winner = winner
            self.loser = loser
        }
    }

    package var winningApps: NamedCounts { apps.byFirst }
    package var losingApps: NamedCounts { apps.bySecond }

    package var winners: NamedCounts { pairs.byFirst }
    package var losers: NamedCounts { pairs.bySecond }

    /// Counts a conflict.
    mutating func record(_ conflict: Conflict) {
        statistics.recordWithoutNames(conflict)
        distinct.insert(conflict.id)
        let step = Count(conflicts: 1, losses: conflict.losesEdit ? 1 : 0)
        byDay[UTCDay.containing(conflict.milliseconds), default: Count()].add(step)
        let (winner, loser) = (conflict.winner.dot.device, conflict.loser.dot.device)
        pairs.add(step, winner.rawValue, loser.rawValue)
        records.add(step, conflict.key.type.rawValue, conflict.key.id.rawValue)
        fields.add(step, conflict.key.type, conflict.field)
        if conflict.clockSuspect { suspects.add(Count(conflicts: 1), nil, winner.rawValue) }
        if conflict.winner.app != nil || conflict.loser.app != nil { apps.add(step, conflict.winner.app ?? "", conflict.loser.app ?? "") }
    }

    /// Counts conflicts that are counted already as decided by a clock that is off.
    mutating func addSuspects(_ count: Int, wonBy winner: DeviceID) {
        if count == 0 { return }
        statistics.clockSuspect = statistics.clockSuspect.addingCount(count)
        suspects.add(Count(conflicts: count), nil, winner.rawValue)
    }

    /// Adds everything that another tally counted.
    ///
    /// - Complexity: O(*n*) in the distinct keys of the other.
    mutating func merge(_ other: ConflictTally) {
        statistics.merge(other.statistics)
        distinct.merge(other.distinct)
        for (day, count) in other.byDay { byDay[day, default: Count()].add(count) }
        fields.merge(other.fields)
        pairs.merge(other.pairs)
        suspects.merge(other.suspects)
        apps.merge(other.apps)
        records.merge(other.records)
    }
}

extension NamedCounts {
    /// Adds to the count of a field, nil for the whole record.
    mutating func add(_ count: Count, _ type: RecordType, _ field: FieldName?) {
        add(count, field == nil ? nil : type.rawValue, (field?.rawValue ?? type.rawValue))
    }
}

extension ConflictStatistics.FieldKey {
    /// From a name of type and field, or of the type alone.
    init(_ name: NamedCounts.Name) {
        self.init(type: RecordType(name.first ?? name.second), field: name.first == nil ? nil : FieldName(name.second))
    }
}
