public import SyncModel

/// A question for the records of one type whose fields have certain values, in some order.
///
/// A store answers it by an index of each field that is asked about, so it reads no other records: name these fields in
/// ``ReplicaConfiguration/indexedFields``.
///
/// ```swift
/// let query = RecordQuery("Card", where: [.atLeast("visits", 3)], order: .descending("visits"), limit: 20)
/// for record in try replica.records(matching: query) { print(record.fields) }
/// ```
public struct RecordQuery: Hashable, Sendable {
    /// The type of the records.
    public var type: RecordType

    /// What all of them fulfil.
    public var filters: [FieldFilter]

    /// Their order; nil for that of their identities.
    public var order: FieldOrder?

    /// How many at most; 0 or more, nil for all.
    public var limit: Int?

    /// Asks for records.
    ///
    /// - Precondition: `limit` is 0 or more.
    public init(_ type: RecordType, where filters: [FieldFilter] = [], order: FieldOrder? = nil, limit: Int? = nil) {
        precondition(limit ?? 0 >= 0, "a limit is 0 or more")
        self.type = type
        self.filters = filters
        self.order = order
        self.limit = limit
    }
}

/// The order of records by the value of a field, those of one value by their identities.
///
/// A field that is not there comes first, then false, true, numbers, strings by their UTF-8 bytes, arrays and objects.
///
/// ```swift
/// let newest = RecordQuery("Card", order: .descending("edited"), limit: 10)
/// ```
public struct FieldOrder: Hashable, Sendable {
    /// The field.
    public let field: FieldName

    /// Whether the greatest value comes first; those of one value are then in descending order of identity.
    public let isDescending: Bool

    /// From the least value on.
    public static func ascending(_ field: FieldName) -> FieldOrder { FieldOrder(field: field, isDescending: false) }

    /// From the greatest value on.
    public static func descending(_ field: FieldName) -> FieldOrder { FieldOrder(field: field, isDescending: true) }
}

/// A condition on the value of a field.
///
/// Values are compared with those of their own kind: a number is neither less nor greater than a string. A field that is not there has the
/// value null.
///
/// ```swift
/// let query = RecordQuery("Card", where: [.equals("archived", false), .hasPrefix("name", "Jo")])
/// ```
public struct FieldFilter: Hashable, Sendable {
    /// The field.
    public let field: FieldName

    let condition: Condition

    enum Condition: Hashable, Sendable {
        case equals(FieldValue)
        case lessThan(FieldValue)
        case atMost(FieldValue)
        case greaterThan(FieldValue)
        case atLeast(FieldValue)
        case hasPrefix(String)
    }

    /// The field has a value; null for one that is not there.
    public static func equals(_ field: FieldName, _ value: FieldValue) -> FieldFilter {
        FieldFilter(field: field, condition: .equals(value))
    }

    /// The field has a lesser value.
    public static func lessThan(_ field: FieldName, _ value: FieldValue) -> FieldFilter {
        FieldFilter(field: field, condition: .lessThan(value))
    }

    /// The field has a value or a lesser one.
    public static func atMost(_ field: FieldName, _ value: FieldValue) -> FieldFilter {
        FieldFilter(field: field, condition: .atMost(value))
    }

    /// The field has a greater value.
    public static func greaterThan(_ field: FieldName, _ value: FieldValue) -> FieldFilter {
        FieldFilter(field: field, condition: .greaterThan(value))
    }

    /// The field has a value or a greater one.
    public static func atLeast(_ field: FieldName, _ value: FieldValue) -> FieldFilter {
        FieldFilter(field: field, condition: .atLeast(value))
    }

    /// The field is a string that begins with another, by its UTF-8 bytes.
    public static func hasPrefix(_ field: FieldName, _ prefix: String) -> FieldFilter {
        FieldFilter(field: field, condition: .hasPrefix(prefix))
    }

    /// Whether a record's fields fulfil the condition.
    public func matches(_ fields: FieldMap) -> Bool {
        let value = fields[field] ?? .null
        switch condition {
        case .equals(let wanted): return value == wanted
        case .lessThan(let bound): return value.rank == bound.rank && value < bound
        case .atMost(let bound): return value.rank == bound.rank && value <= bound
        case .greaterThan(let bound): return value.rank == bound.rank && value > bound
        case .atLeast(let bound): return value.rank == bound.rank && value >= bound
        case .hasPrefix(let prefix): return value.string?.utf8.starts(with: prefix.utf8) ?? false
        }
    }
}
