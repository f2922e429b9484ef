public import SyncModel

/// Counts of conflicts, by everything one might ask for.
///
/// Merging the statistics of two halves gives the statistics of the whole: exactly for counts and dates, within the error of
/// ``GapHistogram`` for percentiles. Counts stop at a quarter of `Int.max` rather than overflow. A value type; its owner guards it.
///
/// ```swift
/// let statistics = auditor.statistics
/// print(statistics.dataLost, "edits lost in", statistics.totalConflicts, "conflicts")
/// ```
public struct ConflictStatistics: Hashable, Sendable {
    /// Which device won over which.
    public struct DevicePair: Hashable, Comparable, Sendable {
        /// The device whose write is shown.
        public let winner: DeviceID
        /// The device whose write is not.
        public let loser: DeviceID

        /// A pair of devices.
        package init(winner: DeviceID, loser: DeviceID) {
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
        package init(type: RecordType, field: FieldName?) {
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
    /// The edits lost, each counted once: those that discarded one of which no earlier conflict had told, ``Conflict/losesEdit``.
    public package(set) var dataLost = 0
    /// Those whose winner may owe its victory to a wrong clock.
    public package(set) var clockSuspect = 0
    /// Those whose winner only put an old value back: ``Conflict/isStale``.
    public package(set) var staleOverwrites = 0
    /// Those whose winner removed the field that the loser edited: ``Conflict/isCleared``.
    public package(set) var clearedFields = 0
    /// Those that lost an edit once more that an earlier one had told of: ``Conflict/isRepeated``.
    public package(set) var repeatedLosses = 0
    /// Those over fields that nobody edits: ``Conflict/isBookkeeping``.
    public package(set) var bookkeeping = 0
    /// Those whose two timestamps are no further apart than the window.
    public package(set) var withinWindow = 0
    /// All others.
    public package(set) var outsideWindow = 0
    /// Writes observed, conflicting or not.
    public package(set) var writesObserved = 0
    /// The writes observed that carried a causal context; nil where that is not known, as of statistics that an earlier version logged.
    public package(set) var writesWithContext: Int? = 0
    /// The edits that writers who had seen them put back, no conflicts and not among them.
    public package(set) var reverts = 0
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
    /// The time of the earliest conflict; nil before any was counted.
    public var firstConflictDate: WallTime? { firstConflictMilliseconds.map(WallTime.init(millisecondsSince1970:)) }
    /// The time of the latest conflict; nil before any was counted.
    public var lastConflictDate: WallTime? { lastConflictMilliseconds.map(WallTime.init(millisecondsSince1970:)) }

    package var firstConflictMilliseconds: Int64?
    package var lastConflictMilliseconds: Int64?

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
        add(1, of: conflict.traits)
        recordTimes(conflict)
    }

    /// Counts conflicts by their traits alone.
    package mutating func add(_ count: Int, of traits: Conflict.Traits) {
        for counter in Self.counters where counter.counts(traits) { self[keyPath: counter.value] += count }
        for breakdown in Self.breakdowns { breakdown.record(count, traits, &self) }
    }

    /// Counts when a conflict came to be and how far apart its writes are.
    mutating func recordTimes(_ conflict: Conflict) {
        gaps.record(milliseconds: conflict.gapMilliseconds)
        let date = conflict.milliseconds
        firstConflictMilliseconds = min(firstConflictMilliseconds ?? date, date)
        lastConflictMilliseconds = max(lastConflictMilliseconds ?? date, date)
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

    /// Counts edits that writers who had seen them put back.
    package mutating func recordReverts(_ count: Int) { reverts = reverts.addingCount(count) }

    /// What is not known of a part is not known of the whole.
    private static func sum(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return nil }
        return left.addingCount(right)
    }

    /// Adds everything that other statistics counted.
    public mutating func merge(_ other: ConflictStatistics) {
        let add = { (left: Int, right: Int) in left.addingCount(right) }
        for counter in Self.counters {
            self[keyPath: counter.value] = self[keyPath: counter.value].addingCount(other[keyPath: counter.value])
        }
        writesObserved = writesObserved.addingCount(other.writesObserved)
        reverts = reverts.addingCount(other.reverts)
        writesWithContext = Self.sum(writesWithContext, other.writesWithContext)
        for breakdown in Self.breakdowns { breakdown.merge(other, &self) }
        byRecordType.merge(other.byRecordType, uniquingKeysWith: add)
        byField.merge(other.byField, uniquingKeysWith: add)
        byWinningDevice.merge(other.byWinningDevice, uniquingKeysWith: add)
        byLosingDevice.merge(other.byLosingDevice, uniquingKeysWith: add)
        byDevicePair.merge(other.byDevicePair, uniquingKeysWith: add)
        gaps.merge(other.gaps)
        if let date = other.firstConflictMilliseconds { firstConflictMilliseconds = min(firstConflictMilliseconds ?? date, date) }
        if let date = other.lastConflictMilliseconds { lastConflictMilliseconds = max(lastConflictMilliseconds ?? date, date) }
    }
}

extension ConflictStatistics {
    /// The counters of conflicts, in the order of a statistics line.
    package static let counters = [
        Counter("total", .extent, \.totalConflicts, Metric("conflicts", "Conflicts found.")) { _ in true },
        Counter(
            "autoResolved", .decision, \.autoResolvedConflicts,
            Metric("auto_resolved_conflicts", "Conflicts that were resolved without a person.")
        ) { $0.resolution.isAutomatic },
        Counter("unresolved", .decision, \.unresolvedConflicts, Metric("unresolved_conflicts", "Conflicts that wait for a decision.")) {
            $0.resolution == .manualPending
        },
        Counter("dataLost", .extent, \.dataLost, Metric("edits_lost", "Edits that conflicts discarded.")) { $0.losesEdit },
        Counter(
            "clockSuspect", .mark, \.clockSuspect,
            Metric("clock_suspect_conflicts", "Conflicts whose winner may owe its victory to a wrong clock.")
        ) { $0.flags[.clockSuspect] },
        Counter(
            "staleOverwrites", .mark, \.staleOverwrites,
            Metric("stale_overwrites", "Conflicts whose winner only put an old value back."),
            Row("an old value put back", under: "Stale overwrites")
        ) { $0.flags[.stale] },
        Counter(
            "clearedFields", .mark, \.clearedFields,
            Metric("cleared_fields", "Conflicts whose winner removed the field that the loser edited."),
            Row("an edited field emptied", under: "Cleared fields")
        ) { $0.flags[.cleared] },
        Counter(
            "repeatedLosses", .mark, \.repeatedLosses,
            Metric("repeated_losses", "Conflicts that discarded an edit once more."),
            Row("an edit lost once more", under: "Edits that were saved again")
        ) { $0.flags[.repeated] },
        Counter(
            "bookkeeping", .mark, \.bookkeeping,
            Metric("bookkeeping_conflicts", "Conflicts over fields that nobody edits."),
            Row("a time or a version that every save moves", under: "Bookkeeping")
        ) { $0.flags[.bookkeeping] },
        Counter(
            "withinWindow", .window, \.withinWindow,
            Metric("conflicts_within_window", "Conflicts whose timestamps are within the window."),
            Row("inside the window", under: "Time window")
        ) { $0.flags[.withinWindow] },
        Counter("outsideWindow", .window, \.outsideWindow, nil, Row("outside the window", under: "Time window")) {
            !$0.flags[.withinWindow]
        },
    ]

    /// The counts by words of fixed lists, in the order of a statistics line.
    package static let breakdowns = [
        Breakdown("kinds", "byKind", "kind", \.byKind, \.kind, "Conflicts by what the two writes were."),
        Breakdown("severities", "bySeverity", "severity", \.bySeverity, \.severity, "Conflicts by what they cost."),
        Breakdown("bases", "byBasis", "basis", \.byBasis, \.basis, "Conflicts by how they are known."),
        Breakdown("reasons", "byReason", "reason", \.byReason, \.reason, "Conflicts by why the winner won."),
    ]

    /// Counts of conflicts by the words of a list: what they are called, where they are kept and which word counts a conflict.
    package struct Breakdown: Sendable {
        /// The key on a statistics line.
        package let key: StaticString
        /// The key of summaries and reports.
        package let summaryKey: StaticString
        /// What a metric calls a word.
        package let label: String
        /// A sentence about the metric.
        package let help: String
        /// The words in their order.
        package let words: [String]
        /// The count of a word, nil where nothing was counted.
        package let count: @Sendable (_ word: String, ConflictStatistics) -> Int?
        /// Sets the count of a word; false where there is no such word.
        package let setCount: @Sendable (_ word: String, Int, inout ConflictStatistics) -> Bool
        fileprivate let record: @Sendable (Int, Conflict.Traits, inout ConflictStatistics) -> Void
        fileprivate let merge: @Sendable (ConflictStatistics, inout ConflictStatistics) -> Void

        fileprivate init<Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
            _ key: StaticString, _ summaryKey: StaticString, _ label: String,
            _ counts: any WritableKeyPath<ConflictStatistics, [Word: Int]> & Sendable,
            _ word: any KeyPath<Conflict.Traits, Word> & Sendable,
            _ help: String
        ) {
            self.key = key
            self.summaryKey = summaryKey
            self.label = label
            self.help = help
            words = Word.allCases.map(\.rawValue)
            count = { text, statistics in Word(rawValue: text).flatMap { statistics[keyPath: counts][$0] } }
            setCount = { text, count, statistics in
                guard let word = Word(rawValue: text) else { return false }
                statistics[keyPath: counts][word] = count
                return true
            }
            record = { count, traits, statistics in statistics[keyPath: counts][traits[keyPath: word], default: 0] += count }
            merge = { other, statistics in
                statistics[keyPath: counts].merge(other[keyPath: counts]) { $0.addingCount($1) }
            }
        }
    }

    /// A count of conflicts: what it is called, where it is kept and which conflicts it counts.
    package struct Counter: Sendable {
        /// What a counter tells of conflicts.
        ///
        /// Metrics come in this order.
        package enum Topic: Sendable, CaseIterable {
            /// How many they are and how many lost an edit. Every row of a report tells it, as `conflicts` and `editsLost`.
            case extent
            /// How far apart their writes are.
            case window
            /// What is marked on them.
            case mark
            /// Who decided them, which can change.
            case decision
        }

        /// The key on a statistics line and, unless every row tells it, of summaries and reports.
        package let key: StaticString
        package let topic: Topic
        package let value: any WritableKeyPath<ConflictStatistics, Int> & Sendable
        /// As a metric, nil where it is none.
        package let metric: Metric?
        /// As a row of a report, nil where none shows it alone.
        package let row: Row?
        /// Whether a conflict counts.
        package let counts: @Sendable (Conflict.Traits) -> Bool

        fileprivate init(
            _ key: StaticString, _ topic: Topic, _ value: any WritableKeyPath<ConflictStatistics, Int> & Sendable, _ metric: Metric? = nil,
            _ row: Row? = nil, counts: @escaping @Sendable (Conflict.Traits) -> Bool
        ) {
            self.key = key
            self.topic = topic
            self.value = value
            self.metric = metric
            self.row = row
            self.counts = counts
        }
    }

    /// The name of a metric behind `syncaudit_`, and a sentence about it.
    package struct Metric: Sendable {
        package let name: String
        package let help: String

        fileprivate init(_ name: String, _ help: String) {
            self.name = name
            self.help = help
        }
    }

    /// The label of a row, and the title above it.
    package struct Row: Sendable {
        package let label: String
        package let title: String

        fileprivate init(_ label: String, under title: String) {
            self.label = label
            self.title = title
        }
    }
}
