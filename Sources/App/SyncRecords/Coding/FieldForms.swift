import SyncBytes
import SyncModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How values are written that JSON has, and those of Foundation that it has not.
enum FieldForms {
    /// A value as a field holds it; nil where it encodes itself.
    @inline(__always)
    static func plain<Value>(_ value: Value, _ path: [any CodingKey], _ key: (any CodingKey)? = nil) throws -> FieldValue? {
        switch value {
        case let value as String: return .string(value)
        case let value as Int: return .integer(value)
        case let value as Bool: return .bool(value)
        case let value as Double: return try number(JSONNumber(value), value, path, key)
        case let value as Float:
            return try number(JSONNumber(Double(value)).map { _ in JSONNumber(validated: value.description) }, value, path, key)
        case let value as Int64: return .integer(value)
        case let value as Int32: return .integer(value)
        case let value as Int16: return .integer(value)
        case let value as Int8: return .integer(value)
        case let value as UInt: return .integer(value)
        case let value as UInt64: return .integer(value)
        case let value as UInt32: return .integer(value)
        case let value as UInt16: return .integer(value)
        case let value as UInt8: return .integer(value)
        default: return try foundation(value, path, key)
        }
    }

    private static func foundation<Value>(_ value: Value, _ path: [any CodingKey], _ key: (any CodingKey)?) throws -> FieldValue? {
        switch value {
        case let value as Date:
            guard let date = FieldValue(value) else { throw invalid(value, "the date is out of the years 0 to 9999", path, key) }
            return date
        case let value as UUID: return FieldValue(value)
        case let value as Data: return FieldValue(value)
        case let value as URL: return .string(value.absoluteString)
        case let value as Decimal: return try number(value.isFinite ? JSONNumber(validated: "\(value)") : nil, value, path, key)
        default: return nil
        }
    }

    private static func number<Value>(
        _ number: JSONNumber?, _ value: Value, _ path: [any CodingKey], _ key: (any CodingKey)?
    ) throws -> FieldValue {
        guard let number else { throw invalid(value, "\(value) is no number that JSON can write", path, key) }
        return .number(number)
    }

    private static func invalid(_ value: Any, _ problem: String, _ path: [any CodingKey], _ key: (any CodingKey)?) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path + (key.map { [$0] } ?? []), debugDescription: problem))
    }

    /// A value of a type that JSON or Foundation has; nil where it decodes itself.
    @inline(__always)
    static func plain<Value>(_ type: Value.Type, from value: FieldValue, _ path: [any CodingKey]) throws -> Value? {
        if type == String.self { return try cast(value.string, type, value, path) }
        if type == Int.self { return try integer(Int.self, type, value, path) }
        if type == Bool.self { return try cast(value.bool, type, value, path) }
        if type == Double.self { return try cast(value.double, type, value, path) }
        if type == Float.self { return try cast(number(value).flatMap { Float($0.text) }, type, value, path) }
        if type == Int64.self { return try integer(Int64.self, type, value, path) }
        if type == Int32.self { return try integer(Int32.self, type, value, path) }
        if type == Int16.self { return try integer(Int16.self, type, value, path) }
        if type == Int8.self { return try integer(Int8.self, type, value, path) }
        if type == UInt.self { return try integer(UInt.self, type, value, path) }
        if type == UInt64.self { return try integer(UInt64.self, type, value, path) }
        if type == UInt32.self { return try integer(UInt32.self, type, value, path) }
        if type == UInt16.self { return try integer(UInt16.self, type, value, path) }
        if type == UInt8.self { return try integer(UInt8.self, type, value, path) }
        if type == Date.self { return try cast(value.date, type, value, path) }
        if type == UUID.self { return try cast(value.uuid, type, value, path) }
        if type == Data.self { return try cast(value.data, type, value, path) }
        if type == URL.self { return try cast(value.string.flatMap { URL(string: $0) }, type, value, path) }
        if type == Decimal.self { return try cast(number(value).flatMap { Decimal(string: $0.text) }, type, value, path) }
        return nil
    }

    private static func number(_ value: FieldValue) -> JSONNumber? { if case .number(let number) = value { number } else { nil } }

    private static func integer<Number: FixedWidthInteger, Value>(
        _ number: Number.Type, _ type: Value.Type, _ value: FieldValue, _ path: [any CodingKey]
    ) throws -> Value {
        try cast(value.integer.flatMap { Number(exactly: $0) } ?? self.number(value).flatMap { Number($0.text) }, type, value, path)
    }

    private static func cast<Value>(_ found: Any?, _ type: Value.Type, _ value: FieldValue, _ path: [any CodingKey]) throws -> Value {
        guard let found = found as? Value else { throw mismatch(type, value, path) }
        return found
    }

    /// A value is of another type than its property.
    static func mismatch(_ type: Any.Type, _ value: FieldValue, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type, DecodingError.Context(codingPath: path, debugDescription: "\(value.description.shortened) is no \(type)"))
    }
}
