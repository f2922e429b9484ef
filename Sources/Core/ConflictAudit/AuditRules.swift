public import SyncModel

/// The rules of an audit: what an auditor looks for beyond the decisions of the merge, and what it reports.
///
/// ```swift
/// let rules = AuditRules(window: .seconds(60), uniqueFields: [.init(type: "Card", field: "email")])
/// var auditor = TraceAuditor(auditRules: rules, sink: sink)
/// ```
public struct AuditRules: Sendable {
    /// The treatment of a proven conflict whose timestamps are further apart than the window.
    public enum OutsideWindow: String, Hashable, Sendable, CaseIterable {
        /// It is reported like any other, and labelled.
        case log
        /// It is counted in the statistics only.
        case count
    }

    /// Of which types each put names all fields of its record, be they edited or not, as a form writes it that is saved as a whole.
    public enum WholeRecords: Hashable, Sendable {
        /// Of none: a field that is named was edited.
        case none
        /// Of some.
        case types(Set<RecordType>)
        /// Of all.
        case all

        /// Whether a type is among them.
        package func contains(_ type: RecordType) -> Bool {
            switch self {
            case .none: false
            case .types(let types): types.contains(type)
            case .all: true
            }
        }
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

    /// The window, in whole milliseconds; 0 or more.
    ///
    /// It finds suspects where nothing better is known than timestamps: two writes of different devices at most so far apart. And it labels
    /// the conflicts that are proven: those whose timestamps are as close count as within the window.
    public var window: Duration {
        get { .milliseconds(windowMilliseconds) }
        set { windowMilliseconds = newValue.wholeMilliseconds }
    }

    package var windowMilliseconds: Int64

    /// The treatment of conflicts outside the window.
    public var outsideWindow: OutsideWindow

    /// By how much a device's clock may differ from the hub's, in whole milliseconds; 0 or more.
    ///
    /// A timestamp that lies further ahead of the hub's clock at receipt is suspect, and what was made before another write had been
    /// received for so long had not seen it.
    public var clockTolerance: Duration {
        get { .milliseconds(clockToleranceMilliseconds) }
        set { clockToleranceMilliseconds = newValue.wholeMilliseconds }
    }

    package var clockToleranceMilliseconds: Int64

    /// Fields whose value no two records of their type may share.
    public var uniqueFields: Set<ConflictStatistics.FieldKey>

    /// Fields whose value no two records of one type may share, whichever the type is.
    package var uniqueInAnyType: Set<FieldName> = []

    /// Fields that refer to other records.
    public var references: Set<Reference>

    /// Fields of any type that refer to records of some types.
    package var referencesInAnyType: [FieldName: Set<RecordType>] = [:]

    /// Whether anything is declared that looks across records.
    package var hasConstraints: Bool {
        !(uniqueFields.isEmpty && uniqueInAnyType.isEmpty && references.isEmpty && referencesInAnyType.isEmpty)
    }

    /// The types whose puts are read as the difference to what their writers had seen; used where a trace is audited.
    public var wholeRecords: WholeRecords

    /// The field by whose value a person knows a record, by type: a conflict carries it as ``Conflict/name``.
    public var displayFields: [RecordType: FieldName]

    /// Fields by whose value a person knows a record of any type, the most telling first; that of the type comes before them.
    package var displayFieldsInAnyType: [FieldName] = []

    /// A window of five minutes, everything logged, two seconds' tolerance, no declared constraints, puts of edited fields, records without
    /// names, unless told otherwise.
    public init(
        window: Duration = .seconds(300), outsideWindow: OutsideWindow = .log, clockTolerance: Duration = .seconds(2),
        uniqueFields: Set<ConflictStatistics.FieldKey> = [], references: Set<Reference> = [], wholeRecords: WholeRecords = .none,
        displayFields: [RecordType: FieldName] = [:]
    ) {
        precondition(window >= .zero && clockTolerance >= .zero, "window and clockTolerance are lengths of time, 0 or more")
        windowMilliseconds = window.wholeMilliseconds
        self.outsideWindow = outsideWindow
        clockToleranceMilliseconds = clockTolerance.wholeMilliseconds
        self.uniqueFields = uniqueFields
        self.references = references
        self.wholeRecords = wholeRecords
        self.displayFields = displayFields
    }

    /// What is inferred by these rules of writes that do not say what they had seen.
    package var intervals: IntervalRule { IntervalRule(window: window, tolerance: clockTolerance) }
}
