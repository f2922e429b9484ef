public import SyncModel

/// Counts of conflicts, by everything one might ask for.
///
/// Merging the statistics of two halves gives the statistics of the whole: exactly for counts and dates, within the error of
/// ``GapHistogram`` for percentiles. Counts stop at a quarter of `Int.max` rather than overflow. A value type; its owner guards it.
public struct ConflictStatistics: Hashable, Sendable {
    /// Which device won over which.
    public struct DevicePair: Hashable, Comparable, Sendable {
        /// The device whose write is shown.
        public let winner: DeviceID
        /// The device whose write is not.
        public let loser: DeviceID

        /// A pair of devices.
        public init(winner: DeviceID, loser: DeviceID) {
            self.winner = winner
            self.loser = loser
        }

        /// Orders pairs by winner, then by loser.
        public static func < (left: DevicePair, right: DevicePair) -> Bool {
            left.winner == right.winner ? left.loser < right.loser : left.winner < right.winner
        }
    }

    /// A field of a type of record; the field is nil where the register is the whole record.
    public struct FieldKey: Hashable, Comparable, Sendable {
        /// The record type.
        public let type: RecordType
        /// The field, nil for the whole record.
        public let field: FieldName?

        /// A field of a type of record.
        public init(type: RecordType, field: FieldName?) {
            self.type = type
            self.field = field
        }

        /// Orders keys by type, then the whole record before its fields, then by field.
        public static func < (left: FieldKey, right: FieldKey) -> Bool {
            guard left.type == right.type else { return left.type < right.type }
            return switch (left.field, right.field) {
            case (let mine?, let theirs?): mine < theirs
            case (nil, _?): true
            default: false
            }
        }
    }

    /// All conflicts.
    public package(set) var totalConflicts = 0
    /// Those that no person had to decide.
    public package(set) var autoResolvedConflicts = 0
    /// Those that wait for a decision.
    public package(set) var unresolvedConflicts = 0
    /// Those that discarded a value.
    public package(set) var dataLost = 0
    /// Those whose winner may owe its victory to a wrong clock.
    public package(set) var clockSuspect = 0
    /// Those whose winner only put an old value back: ``Conflict/isStale``.
    public package(set) var staleOverwrites = 0
    /// Those whose two timestamps are no further apart than the window.
    public package(set) var withinWindow = 0
    /// All others.
    public package(set) var outsideWindow = 0
    /// Writes observed, conflicting or not.
    public package(set) var writesObserved = 0
    /// The writes observed that carried a causal context; nil where that is not known, as of statistics that an earlier version logged.
    public package(set) var writesWithContext: Int? = 0
    /// Conflicts by what the two writes were.
    public package(set) var byKind: [Conflict.Kind: Int] = [:]
    /// Conflicts by what they cost.
    public package(set) var bySeverity: [Conflict.Severity: Int] = [:]
    /// Conflicts by how they are known.
    public package(set) var byBasis: [Conflict.Basis: Int] = [:]
    /// Conflicts by why the winner won.
    public package(set) var byReason: [Conflict.Reason: Int] = [:]
    /// Conflicts by type of record.
    public package(set) var byRecordType: [RecordType: Int] = [:]
    /// Conflicts by field.
    public package(set) var byField: [FieldKey: Int] = [:]
    /// Conflicts by the device that won.
    public package(set) var byWinningDevice: [DeviceID: Int] = [:]
    /// Conflicts by the device that lost.
    public package(set) var byLosingDevice: [DeviceID: Int] = [:]
    /// Conflicts by winner and loser.
    public package(set) var byDevicePair: [DevicePair: Int] = [:]
    /// How far apart the timestamps were.
    public package(set) var gaps = GapHistogram()
    /// The earliest conflict, in milliseconds since 1970.
    public package(set) var firstConflictDate: Int64?
    /// The latest conflict, in milliseconds since 1970.
    public package(set) var lastConflictDate: Int64?

    /// Nothing counted.
    public init() {}

    /// Counts a conflict.
    ///
    /// It is dated by the later of its two writes.
    public mutating func record(_ conflict: Conflict) {
        recordWithoutNames(conflict)
        byRecordType[conflict.key.type, default: 0] += 1
        byField[FieldKey(type: conflict.key.type, field: conflict.field), default: 0] += 1
        byWinningDevice[conflict.winner.dot.device, default: 0] += 1
        byLosingDevice[conflict.loser.dot.device, default: 0] += 1
        byDevicePair[DevicePair(winner: conflict.winner.dot.device, loser: conflict.loser.dot.device), default: 0] += 1
    }

    /// Counts a conflict, but leaves out what is counted by a name.
    package mutating func recordWithoutNames(_ conflict: Conflict) {
        recordTotals(conflict)
        byKind[conflict.kind, default: 0] += 1
        bySeverity[conflict.severity, default: 0] += 1
        byBasis[conflict.basis, default: 0] += 1
        byReason[conflict.reason, default: 0] += 1
    }

    /// Counts a conflict, but leaves out what is counted by a name or a kind; ``ConflictBreakdown`` does that.
    mutating func recordTotals(_ conflict: Conflict) {
        totalConflicts += 1
        if conflict.isAutomatic { autoResolvedConflicts += 1 }
        if conflict.resolution == .manualPending { unresolvedConflicts += 1 }
        if conflict.severity.isLoss { dataLost += 1 }
        if conflict.clockSuspect { clockSuspect += 1 }
        if conflict.isStale { staleOverwrites += 1 }
        if conflict.withinWindow { withinWindow += 1 } else { outsideWindow += 1 }
        gaps.record(conflict.gapMilliseconds)
        let date = conflict.milliseconds
        firstConflictDate = min(firstConflictDate ?? date, date)
        lastConflictDate = max(lastConflictDate ?? date, date)
    }

    /// Counts writes that were looked at.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - withContext: How many of them carried a causal context; nil where that is not known.
    public mutating func recordWrites(_ count: Int = 1, withContext: Int? = nil) {
        guard count > 0 else { return }
        writesObserved = writesObserved.addingCount(count)
        writesWithContext = Self.sum(writesWithContext, withContext)
    }

    /// What is not known of a part is not known of the whole.
    private static func sum(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return nil }
        return left.addingCount(right)
    }

    /// Adds everything that other statistics counted.
    public mutating func merge(_ other: ConflictStatistics) {
        let add = { (left: Int, right: Int) in left.addingCount(right) }
        totalConflicts = totalConflicts.addingCount(other.totalConflicts)
        autoResolvedConflicts = autoResolvedConflicts.addingCount(other.autoResolvedConflicts)
        unresolvedConflicts = unresolvedConflicts.addingCount(other.unresolvedConflicts)
        dataLost = dataLost.addingCount(other.dataLost)
        clockSuspect = clockSuspect.addingCount(other.clockSuspect)
        staleOverwrites = staleOverwrites.addingCount(other.staleOverwrites)
        withinWindow = withinWindow.addingCount(other.withinWindow)
        outsideWindow = outsideWindow.addingCount(other.outsideWindow)
        writesObserved = writesObserved.addingCount(other.writesObserved)
        writesWithContext = Self.sum(writesWithContext, other.writesWithContext)
        byKind.merge(other.byKind, uniquingKeysWith: add)
        bySeverity.merge(other.bySeverity, uniquingKeysWith: add)
        byBasis.merge(other.byBasis, uniquingKeysWith: add)
        byReason.merge(other.byReason, uniquingKeysWith: add)
        byRecordType.merge(other.byRecordType, uniquingKeysWith: add)
        byField.merge(other.byField, uniquingKeysWith: add)
        byWinningDevice.merge(other.byWinningDevice, uniquingKeysWith: add)
        byLosingDevice.merge(other.byLosingDevice, uniquingKeysWith: add)
        byDevicePair.merge(other.byDevicePair, uniquingKeysWith: add)
        gaps.merge(other.gaps)
        if let date = other.firstConflictDate { firstConflictDate = min(firstConflictDate ?? date, date) }
        if let date = other.lastConflictDate { lastConflictDate = max(lastConflictDate ?? date, date) }
    }
}

extension Conflict {
    /// When the conflict came to be: the later of its two timestamps, in milliseconds since 1970.
    public var milliseconds: Int64 { max(winner.timestamp.milliseconds, loser.timestamp.milliseconds) }
}
