import SyncBytes

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
    ///
    /// - Complexity: O(*n*) in the length of the values.
    public static func < (left: FieldValue, right: FieldValue) -> Bool { left.order(to: right) < 0 }

    /// Less than, equal to or greater than zero as the value sorts before, with or after another.
    ///
    /// Equal elements are compared once: whether each precedes the other would be asked twice at every depth.
    private func order(to other: FieldValue) -> Int {
        switch (self, other) {
        case (.bool(let mine), .bool(let theirs)): (mine ? 1 : 0) - (theirs ? 1 : 0)
        case (.number(let mine), .number(let theirs)): mine == theirs ? 0 : mine < theirs ? -1 : 1
        case (.string(let mine), .string(let theirs)): mine.compareBytes(with: theirs)
        case (.array(let mine), .array(let theirs)):
            zip(mine, theirs).lazy.map { $0.order(to: $1) }.first { $0 != 0 } ?? mine.count - theirs.count
        case (.object(let mine), .object(let theirs)):
            zip(mine, theirs).lazy.map { mine, theirs in
                mine.name == theirs.name ? mine.value.order(to: theirs.value) : mine.name < theirs.name ? -1 : 1
            }.first { $0 != 0 } ?? mine.count - theirs.count
        default: rank - other.rank
        }
    }

    /// The position of the value's kind in that order.
    package var rank: Int {
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
