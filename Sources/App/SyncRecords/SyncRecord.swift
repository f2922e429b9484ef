import ConflictAudit
public import SyncLayer
public import SyncMerge
public import SyncModel

/// A record as a struct of its own: what is stored in it are the record's fields, by the names of its coding keys.
///
/// The coding key `id` is that of the identity, which is the record's name and no field. A property that gets another name in Swift keeps
/// its field by a coding key, and so stays one field for all versions of the app. What is new in a later version is optional, or has a
/// value among ``RecordRules/defaults``.
///
/// Dates are written as RFC 3339 to the millisecond, data as base64, UUIDs, URLs and raw values as strings or numbers, a set in order, and
/// a struct within the struct as one field.
///
/// ```swift
/// struct Card: SyncRecord {
///     let id: String
///     var name: String
///     var phone: String?
///     var visits = 0
///     var tags: Set<String> = []
///
///     static let rules = RecordRules(fields: ["visits": .counter, "tags": .set], indexes: ["name"])
/// }
/// ```
public protocol SyncRecord: Codable, Identifiable where ID: Codable {
    /// The type of the records; the struct's name unless it is told.
    static var recordType: RecordType { get }

    /// How fields merge, and what is declared of them; nothing unless it is told.
    static var rules: RecordRules { get }
}

extension SyncRecord {
    /// The struct's name.
    public static var recordType: RecordType { RecordType(String(describing: Self.self)) }

    /// Last writer wins for each field, and nothing else is declared.
    public static var rules: RecordRules { RecordRules() }
}

/// What is declared of a type of records, beside its struct.
///
/// ```swift
/// let rules = RecordRules(fields: ["visits": .counter], indexes: ["name"], references: ["folder": "Folder"])
/// ```
public struct RecordRules: Sendable {
    /// The policies of fields that are not merged as ``whole`` or the replica's standard says.
    public var fields: [FieldName: MergePolicy]

    /// The policy by which one of two concurrent versions of the record is kept as a whole; nil where fields are merged each for itself.
    public var whole: MergePolicy?

    /// The fields that queries may ask about.
    public var indexes: Set<FieldName>

    /// The fields whose value no two records of the type may share: where two devices give one at the same time, that is a conflict.
    public var unique: Set<FieldName>

    /// The fields that hold the identity of another record, with its type: one that was deleted meanwhile is a conflict.
    public var references: [FieldName: RecordType]

    /// The field by whose value a person knows a record.
    public var displayField: FieldName?

    /// The values that fields have where a record was written before they came up, or without them.
    ///
    /// For properties that are not optional: an optional one that is set to nil would show its default. Queries ask about what is stored,
    /// and know no defaults.
    public var defaults: FieldMap

    /// Declares nothing, unless told otherwise.
    public init(
        fields: [FieldName: MergePolicy] = [:], whole: MergePolicy? = nil, indexes: Set<FieldName> = [], unique: Set<FieldName> = [],
        references: [FieldName: RecordType] = [:], displayField: FieldName? = nil, defaults: FieldMap = [:]
    ) {
        self.fields = fields
        self.whole = whole
        self.indexes = indexes
        self.unique = unique
        self.references = references
        self.displayField = displayField
        self.defaults = defaults
    }
}

extension ReplicaConfiguration {
    /// Merges, indexes and audits records as their structs declare it.
    ///
    /// What the configuration says of these types already stays where a struct says nothing.
    ///
    /// ```swift
    /// var configuration = ReplicaConfiguration()
    /// configuration.declare(Card.self, Folder.self)
    /// ```
    public mutating func declare(_ types: any SyncRecord.Type...) {
        for type in types {
            let (name, rules) = (type.recordType, type.rules)
            if let whole = rules.whole { mergeRules.types[name] = .record(whole) }
            if !rules.fields.isEmpty { mergeRules.fields[name, default: [:]].merge(rules.fields) { $1 } }
            if !rules.indexes.isEmpty { indexedFields[name, default: []].formUnion(rules.indexes) }
            auditRules.uniqueFields.formUnion(rules.unique.map { .init(type: name, field: $0) })
            auditRules.references.formUnion(rules.references.map { .init(from: name, field: $0, to: $1) })
            if let field = rules.displayField { auditRules.displayFields[name] = field }
        }
    }
}
