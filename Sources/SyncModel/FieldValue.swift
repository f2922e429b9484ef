/// The value of a field: any JSON value.
///
/// Writing ``null`` removes the field; removal is a write like any other. Strings are equal when their bytes are, numbers when their
/// decimal values are.
///
/// ```swift
/// let value: FieldValue = ["tags": ["customer", "vip"], "visits": 2]
/// print(value.object?["visits"]?.integer ?? 0)  // 2
/// ```
public enum FieldValue: Hashable, Sendable {
    /// The field is removed.
    case null
    /// True or false.
    case bool(Bool)
    /// A number, exact.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// Values in order.
    case array([FieldValue])
    /// Values by name.
    case object(FieldMap)

    /// Whether both values are equal.
    public static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let mine), .bool(let theirs)): mine == theirs
        case (.number(let mine), .number(let theirs)): mine == theirs
        case (.string(let mine), .string(let theirs)): mine.hasSameBytes(as: theirs)
        case (.array(let mine), .array(let theirs)): mine == theirs
        case (.object(let mine), .object(let theirs)): mine == theirs
        default: false
        }
    }

    /// The string of a string value, nil for every other.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The exact whole number of a number value, nil for every other.
    public var integer: Int64? {
        if case .number(let number) = self { number.integer } else { nil }
    }

    /// The fields of an object value, nil for every other.
    public var object: FieldMap? {
        if case .object(let map) = self { map } else { nil }
    }

    /// The elements of an array value, nil for every other.
    public var array: [FieldValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension FieldValue: Comparable {
    /// Orders values of every kind: null, false, true, numbers by value, strings by UTF-8 bytes, arrays and objects element by element.
    public static func < (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.bool(let mine), .bool(let theirs)): !mine && theirs
        case (.number(let mine), .number(let theirs)): mine < theirs
        case (.string(let mine), .string(let theirs)): mine.utf8Precedes(theirs)
        case (.array(let mine), .array(let theirs)): mine.lexicographicallyPrecedes(theirs)
        case (.object(let mine), .object(let theirs)):
            mine.lexicographicallyPrecedes(theirs) { $0.name == $1.name ? $0.value < $1.value : $0.name < $1.name }
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .number: 2
        case .string: 3
        case .array: 4
        case .object: 5
        }
    }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

    /// A number.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(FieldValue.number) ?? .null }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Values in order.
    public init(arrayLiteral elements: FieldValue...) { self = .array(elements) }

    /// Values by name.
    ///
    /// Where a name occurs twice, the last value counts.
    public init(dictionaryLiteral pairs: (FieldName, FieldValue)...) {
        var map = FieldMap()
        for (name, value) in pairs { map[name] = value }
        self = .object(map)
    }
}
