import SyncModel

/// Values as fields hold them: what `Encodable` writes, as JSON values and not as text.
enum FieldEncoding {
    /// The value that is written for another.
    ///
    /// - Throws: `EncodingError` where it cannot be written as JSON: a number that is none, a date out of the years 0 to 9999.
    static func value<Value: Encodable>(of value: Value, at path: [any CodingKey] = []) throws -> FieldValue {
        if let plain = try FieldForms.plain(value, path) { return plain }
        let node = EncodingNode(path)
        try value.encode(to: node)
        let encoded = node.value
        // Equal values must be written alike, and of these the elements come in any order.
        guard let unordered = value as? any UnorderedElements, let elements = encoded.array else { return encoded }
        return .array(unordered.sorted(elements))
    }
}

/// A collection whose elements come in any order.
private protocol UnorderedElements {
    func sorted(_ elements: [FieldValue]) -> [FieldValue]
}

extension Set: UnorderedElements {
    fileprivate func sorted(_ elements: [FieldValue]) -> [FieldValue] { elements.sorted() }
}

extension Dictionary: UnorderedElements {
    /// Keys that are no strings and no integers are written as elements, each with its value behind it.
    fileprivate func sorted(_ elements: [FieldValue]) -> [FieldValue] {
        guard elements.count == 2 * count else { return elements }
        return stride(from: 0, to: elements.count, by: 2).sorted { elements[$0] < elements[$1] }.flatMap { elements[$0...$0 + 1] }
    }
}

/// One value while it is being encoded.
private final class EncodingNode: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var content: Content = .single(.null)

    private enum Content {
        case single(FieldValue)
        case keyed(KeyedValues)
        case unkeyed(ElementValues)
    }

    init(_ path: [any CodingKey]) { codingPath = path }

    var value: FieldValue {
        switch content {
        case .single(let value): value
        case .keyed(let values): .object(values.fields)
        case .unkeyed(let values): .array(values.slots.map(\.value))
        }
    }

    func set(_ value: FieldValue) { content = .single(value) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // Asked a second time, as by a class and its superclass, it goes on in the same object.
        if case .keyed(let values) = content { return KeyedEncodingContainer(KeyedEncoding(values: values, codingPath: codingPath)) }
        let values = KeyedValues()
        content = .keyed(values)
        return KeyedEncodingContainer(KeyedEncoding(values: values, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .unkeyed(let values) = content { return UnkeyedEncoding(values: values, codingPath: codingPath) }
        let values = ElementValues()
        content = .unkeyed(values)
        return UnkeyedEncoding(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoding(node: self, codingPath: codingPath) }
}

/// A value that is known, or one that somebody still has in hand.
private enum EncodedSlot {
    case known(FieldValue)
    case open(EncodingNode)

    var value: FieldValue {
        switch self {
        case .known(let value): value
        case .open(let node): node.value
        }
    }
}

private final class KeyedValues {
    var names: [FieldName] = []
    var slots: [EncodedSlot] = []

    func set(_ slot: EncodedSlot, for key: some CodingKey) {
        names.append(FieldName(key.stringValue))
        slots.append(slot)
    }

    /// Of what was written twice, the last.
    var fields: FieldMap {
        var order = names.indices.sorted { names[$0] == names[$1] ? $0 < $1 : names[$0] < names[$1] }
        order = order.indices.filter { $0 + 1 == order.count || names[order[$0]] != names[order[$0 + 1]] }.map { order[$0] }
        return FieldMap(sortedNames: order.map { names[$0] }, values: order.map { slots[$0].value })
    }
}

private final class ElementValues {
    var slots: [EncodedSlot] = []
}

private struct IndexKey: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}

private struct SuperKey: CodingKey {
    let stringValue = "super"
    let intValue: Int? = nil
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

private struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let values: KeyedValues
    let codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) { values.set(.known(.null), for: key) }

    // It is the one for each of the standard library's types as well.
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let plain = try FieldForms.plain(value, codingPath, key)
        values.set(.known(try plain ?? FieldEncoding.value(of: value, at: codingPath + [key])), for: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        open(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { open(key).unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { open(SuperKey()) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { open(key) }

    private func open(_ key: some CodingKey) -> EncodingNode {
        let node = EncodingNode(codingPath + [key])
        values.set(.open(node), for: key)
        return node
    }
}

private struct UnkeyedEncoding: UnkeyedEncodingContainer {
    let values: ElementValues
    let codingPath: [any CodingKey]
    var count: Int { values.slots.count }
    private var path: [any CodingKey] { codingPath + [IndexKey(intValue: count)] }

    init(values: ElementValues, codingPath: [any CodingKey]) { (self.values, self.codingPath) = (values, codingPath) }

    mutating func encodeNil() { values.slots.append(.known(.null)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        values.slots.append(.known(try FieldEncoding.value(of: value, at: path)))
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        open().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { open().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { open() }

    private func open() -> EncodingNode {
        let node = EncodingNode(path)
        values.slots.append(.open(node))
        return node
    }
}

private struct SingleValueEncoding: SingleValueEncodingContainer {
    let node: EncodingNode
    let codingPath: [any CodingKey]

    mutating func encodeNil() { node.set(.null) }

    mutating func encode<Value: Encodable>(_ value: Value) throws { node.set(try FieldEncoding.value(of: value, at: codingPath)) }
}
