import SyncBytes
import SyncLayer
import SyncMerge
import SyncModel

/// What lies between a struct and a record.
enum RecordCoding {
    private static let identity: FieldName = "id"

    static func key<Value: SyncRecord>(of id: Value.ID, _ type: Value.Type) throws -> RecordKey {
        switch try wrapping("the identity of \(type.recordType)", { try FieldEncoding.value(of: id) }) {
        case .string(let text): RecordKey(type: type.recordType, id: RecordID(text))
        case .number(let number): RecordKey(type: type.recordType, id: RecordID(number.text))
        case let other:
            throw SyncLayerError(
                .invalidValue,
                "the identity of \(type.recordType) is \(other.description.shortened), and must be a string or a number")
        }
    }

    /// The fields of a struct: its identity is the record's, and what is nil is left out.
    static func fields<Value: SyncRecord>(of value: Value) throws -> FieldMap {
        let encoded = try wrapping("\(Value.recordType)", { try FieldEncoding.value(of: value) })
        guard var fields = encoded.object?.withoutNulls else {
            throw SyncLayerError(
                .invalidValue, "\(Value.recordType) is written as \(encoded.description.shortened): a record has named fields")
        }
        if let id = fields[identity], try id == FieldEncoding.value(of: value.id) { fields[identity] = nil }
        return fields
    }

    static func value<Value: SyncRecord>(of record: Record) throws -> Value {
        var fields = Value.rules.defaults.isEmpty ? record.fields : record.fields.filled(from: Value.rules.defaults)
        if fields[identity] == nil { fields[identity] = identityValue(record.key.id.rawValue, Value.ID.self) }
        return try wrapping("\(record.key)", { try FieldDecoding.value(Value.self, from: .object(fields)) })
    }

    /// An identity as the struct has it.
    private static func identityValue<ID: Decodable>(_ text: String, _ type: ID.Type) -> FieldValue {
        if type == String.self || (try? FieldDecoding.value(type, from: .string(text))) != nil { return .string(text) }
        guard case .number(let number)? = try? JSONParser.parse(text) else { return .string(text) }
        return .number(number)
    }

    /// Sees to it that a struct's rules are those by which the replica merges.
    static func requireRules<Value: SyncRecord>(of type: Value.Type, in rules: MergeRules) throws {
        let (name, declared) = (type.recordType, type.rules)
        for (field, policy) in declared.fields where rules.policyName(for: name, field: field) != policy.name {
            throw notDeclared(name, "the field \(field.rawValue.quoted)", policy.name, rules.policyName(for: name, field: field))
        }
        if let whole = declared.whole, case .fields = rules.scope(for: name) {
            throw notDeclared(name, "the record", whole.name, rules.policyName(for: name, field: nil))
        }
    }

    private static func notDeclared(_ type: RecordType, _ what: String, _ wanted: String, _ actual: String) -> SyncLayerError {
        SyncLayerError(
            .rulesDiffer,
            "the rules of \(type) give \(what) the policy \(wanted), and the replica merges by \(actual): call declare(\(type).self) on its "
                + "configuration")
    }

    /// Says of what the standard library's coding errors tell.
    private static func wrapping<Result>(_ what: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SyncLayerError {
            throw error
        } catch {
            throw SyncLayerError(.invalidValue, "\(what): \(problem(error))", underlying: error)
        }
    }

    private static func problem(_ error: any Error) -> String {
        func location(_ path: [any CodingKey]) -> String {
            path.isEmpty ? "the struct" : "the property \(path.map(\.stringValue).joined(separator: ".").quoted)"
        }
        // The value in it is another device's.
        func said(_ text: String) -> String { String(text.prefix(300)).escaped(for: .terminal) }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "\(location(context.codingPath + [key])) has no value in the record: make it optional, or give it one in the struct's "
                + "RecordRules.defaults"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            return "\(location(context.codingPath)) cannot be read: \(said(context.debugDescription))"
        case EncodingError.invalidValue(_, let context):
            return "\(location(context.codingPath)) cannot be written: \(said(context.debugDescription))"
        default: return said("\(error)")
        }
    }
}
