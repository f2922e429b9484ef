public import SyncModel

/// What an auditor looks for beyond what the merge decides, and what it reports.
public struct AuditRules: Sendable {
    /// What becomes of a proven conflict whose timestamps are further apart than the window.
    public enum OutsideWindow: String, Hashable, Sendable, CaseIterable {
        /// It is reported like any other, and labelled.
        case log
        /// It is counted in the statistics only.
        case count
    }

    /// A field that refers to a record of another type by its identity.
    public struct Reference: Hashable, Sendable {
        /// The field that refers.
        public let from: ConflictStatistics.FieldKey
        /// The type of the record referred to.
        public let to: RecordType

        /// Declares a reference.
        public init(from type: RecordType, field: FieldName, to target: RecordType) {
            from = ConflictStatistics.FieldKey(type: type, field: field)
            to = target
        }
    }

    /// How far apart the timestamps of a conflict may be for it to count as within the window, in milliseconds; 0 or more.
    public var window: Int64

    /// What becomes of conflicts outside the window.
    public var outsideWindow: OutsideWindow

    /// How far ahead of the hub's clock at receipt a timestamp may lie before it is suspect, in milliseconds; 0 or more.
    public var clockTolerance: Int64

    /// Fields whose value no two records of their type may share.
    public var uniqueFields: Set<ConflictStatistics.FieldKey>

    /// Fields that refer to other records.
    public var references: Set<Reference>

    /// A window of five minutes, everything logged, two seconds' tolerance, no declared constraints, unless told otherwise.
    public init(
        window: Int64 = 300_000, outsideWindow: OutsideWindow = .log, clockTolerance: Int64 = 2000,
        uniqueFields: Set<ConflictStatistics.FieldKey> = [], references: Set<Reference> = []
    ) {
        precondition(window >= 0 && clockTolerance >= 0, "window and clockTolerance are lengths of time, 0 or more")
        self.window = window
        self.outsideWindow = outsideWindow
        self.clockTolerance = clockTolerance
        self.uniqueFields = uniqueFields
        self.references = references
    }
}
