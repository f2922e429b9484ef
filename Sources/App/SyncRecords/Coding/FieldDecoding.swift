import SyncModel

/// What `Decodable` reads of values as fields hold them.
enum FieldDecoding {
    /// The value that was written as another.
    ///
    /// - Throws: `DecodingError` where it is of another type.
    static func value<Value: Decodable>(_ type: Value.Type, from value: FieldValue, at path: [any CodingKey] = []) throws -> Value {
        try FieldForms.plain(type, from: value, path) ?? Value(from: DecodingNode(value: value, codingPath: path))
    }
}

private struct DecodingNode: Decoder {
    let value: FieldValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let fields = value.object else { throw FieldForms.mismatch([String: Any].self, value, codingPath) }
        return KeyedDecodingContainer(KeyedDecoding(fields: fields, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw FieldForms.mismatch([Any].self, value, codingPath) }
        return UnkeyedDecoding(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoding(value: value, codingPath: codingPath) }
}

private struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: FieldMap
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.names.compactMap { Key(stringValue: $0.rawValue) } }

    func contains(_ key: Key) -> Bool { fields[FieldName(key.stringValue)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try FieldDecoding.value(type, from: value(key), at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try node(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try node(key).unkeyedContainer() }

    func superDecoder() throws -> any Decoder { DecodingNode(value: fields["super"] ?? .null, codingPath: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try node(key) }

    private func node(_ key: Key) throws -> DecodingNode { DecodingNode(value: try value(key), codingPath: codingPath + [key]) }

    private func value(_ key: Key) throws -> FieldValue {
        guard let value = fields[FieldName(key.stringValue)] else {
            throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "there is no such field"))
        }
        return value
    }
}

private struct UnkeyedDecoding: UnkeyedDecodingContainer {
    let elements: [FieldValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [FieldValue], codingPath: [any CodingKey]) { (self.elements, self.codingPath) = (elements, codingPath) }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try peek(Never?.self) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try FieldDecoding.value(type, from: peek(type), at: codingPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try node().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try node().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try node() }

    private mutating func node() throws -> DecodingNode {
        let node = DecodingNode(value: try peek((any Decoder).self), codingPath: codingPath)
        currentIndex += 1
        return node
    }

    private func peek(_ type: Any.Type) throws -> FieldValue {
        guard currentIndex < elements.count else {
            throw DecodingError.valueNotFound(
                type, DecodingError.Context(codingPath: codingPath, debugDescription: "there are only \(elements.count) elements"))
        }
        return elements[currentIndex]
    }
}

private struct SingleValueDecoding: SingleValueDecodingContainer {
    let value: FieldValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try FieldDecoding.value(type, from: value, at: codingPath) }
}
