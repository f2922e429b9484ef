import SyncBytes
import SyncLines
import SyncModel

extension FieldValue {
    /// The value by which two spellings are compared.
    ///
    /// Text that holds a list or an object of JSON is that list or object, and what databases put around a plain value is taken away.
    ///
    /// - Complexity: O(*n* log *n*) in the bytes.
    var canonical: FieldValue {
        switch self {
        case .string(let text):
            guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
                let value = Self.structure(of: text)
            else { return self }
            return value
        case .object(let object) where object.count == 1: return Self.unwrapped(object) ?? self
        case .object(let object) where object.count == 2: return Self.time(object) ?? self
        default: return self
        }
    }

    /// The plain value where databases have put an object with a key around it; else the value itself.
    var unwrapped: FieldValue { if case .object = self { dynamoDBAttribute ?? canonical } else { self } }

    /// The fields of an object, of text that holds one, of YAML, or of PostgreSQL's hstore, and of a record as Django serializes it; nil
    /// where the value is none of them.
    var openedObject: FieldMap? {
        switch self {
        case .object(let object): return object
        case .array(let elements):
            // Source: the documentation of Django on the serialization formats.
            guard elements.count == 1, let object = elements[0].object, object["model"] != nil else { return nil }
            return object["fields"]?.object
        case .string(let text):
            switch text.utf8.first(where: { $0 > 0x20 }) {
            case UInt8(ascii: "{"): return Self.structure(of: text)?.object
            case UInt8(ascii: "["): return text.contains("\"fields\"") ? Self.structure(of: text)?.openedObject : nil
            case UInt8(ascii: "\""): return HStore.parse(text)
            case UInt8(ascii: "-"): return YAMLMapping.parse(text)
            default: return nil
            }
        default: return nil
        }
    }

    private static func structure(of text: String) -> FieldValue? {
        guard let value = try? JSONParser.parse(text), value.isNested(atMost: WriteLimits.depth) else { return nil }
        return value
    }

    /// A plain value that MongoDB's Extended JSON wraps in an object with a key that begins with a dollar sign.
    private static func unwrapped(_ object: FieldMap) -> FieldValue? {
        let (name, value) = (object[0].name.rawValue, object[0].value)
        switch name {
        case "$oid", "$uuid": return value.string.map(FieldValue.string)
        case "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal":
            return value.string.flatMap { try? JSONParser.parse($0) } ?? value
        case "$date": return unwrappedPlain(value)
        case "$timestamp": return value.object?["t"]
        default: return nil
        }
    }

    /// A time that Firestore wraps in an object of seconds since 1970 and nanoseconds.
    private static func time(_ object: FieldMap) -> FieldValue? {
        guard let seconds = object["_seconds"]?.wholeNumber, let nanoseconds = object["_nanoseconds"]?.wholeNumber,
            (0..<1_000_000_000).contains(nanoseconds)
        else { return nil }
        let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows, WriteLimits.milliseconds.contains(milliseconds) else { return nil }
        return .string(RFC3339.string(milliseconds: milliseconds + nanoseconds / 1_000_000))
    }

    private static func unwrappedPlain(_ value: FieldValue) -> FieldValue {
        guard let inner = value.object, inner.count == 1 else { return value }
        return unwrapped(inner) ?? value
    }

    /// The value of an attribute as DynamoDB types it, such as `{"S":"text"}`; nil where it is none.
    var dynamoDBAttribute: FieldValue? {
        guard case .object(let object) = self, object.count == 1 else { return nil }
        let value = object[0].value
        switch object[0].name.rawValue {
        case "S", "B": return value.string.map(FieldValue.string)
        case "N": return value.string.flatMap { try? JSONParser.parse($0) }
        case "BOOL": if case .bool = value { return value } else { return nil }
        case "NULL": return .some(.null)
        case "SS", "NS", "BS": return value.array.map { .array($0.sorted()) }
        case "L":
            guard let elements = value.array else { return nil }
            let values = elements.compactMap(\.dynamoDBAttribute)
            return values.count == elements.count ? .array(values) : nil
        case "M":
            guard let fields = value.object else { return nil }
            return fields.dynamoDBAttributes.map(FieldValue.object)
        default: return nil
        }
    }
}

extension FieldMap {
    /// The fields where each value is an attribute as DynamoDB types it; nil where one is not.
    var dynamoDBAttributes: FieldMap? {
        var values: [FieldValue] = []
        for field in self {
            guard let value = field.value.dynamoDBAttribute else { return nil }
            values.append(value)
        }
        return FieldMap(sortedNames: sortedNames, values: values)
    }
}
