import SyncLines
import SyncModel

/// As much of JSON Schema, draft 2020-12, as the schema of lines is written in.
///
/// What a schema says in a word that is not known here is refused, so that nothing it asks for is passed over in silence.
struct JSONSchema {
    /// A schema that cannot be used.
    struct Refusal: Error, Hashable {
        let problem: String
    }

    let root: FieldValue
    private var patterns: [String: Regex<AnyRegexOutput>] = [:]

    /// The properties that values had so far, as pointers into the schema.
    private(set) var metProperties: Set<String> = []

    private static let annotations: Set<FieldName> = ["$schema", "$id", "$defs", "title", "description"]

    init(_ text: String) throws {
        root = try JSONParser.parse(text)
        try prepare(root, "#")
    }

    /// What is wrong with a value, a sentence each.
    mutating func problems(with value: FieldValue) -> [String] {
        check(value, root, Place(value: "", schema: "#"))
    }

    /// The value at a pointer such as `#/$defs/kind`.
    subscript(pointer: String) -> FieldValue? {
        pointer.split(separator: "/").dropFirst().reduce(root) { $0?.object?[FieldName(String($1))] }
    }

    /// All properties that the schema names, as pointers; conditions only repeat them.
    var properties: Set<String> {
        var names: Set<String> = []
        func collect(_ schema: FieldValue, _ pointer: String) {
            for word in schema.object ?? [:] where !["if", "then", "else"].contains(word.name) {
                for (name, part) in Self.parts(word) {
                    let path = "\(pointer)/\(word.name)\(name)"
                    if word.name == "properties" { names.insert(path) }
                    collect(part, path)
                }
            }
        }
        collect(root, "#")
        return names
    }

    // MARK: Reading

    /// The schemas within a word of a schema, each with the end of its pointer.
    private static func parts(_ word: FieldMap.Element) -> [(pointer: String, schema: FieldValue)] {
        switch word.name {
        case "properties", "$defs": (word.value.object ?? [:]).map { ("/\($0.name)", $0.value) }
        case "allOf", "oneOf", "prefixItems": (word.value.array ?? []).enumerated().map { ("/\($0.offset)", $0.element) }
        case "additionalProperties", "propertyNames", "items", "if", "then", "else": [("", word.value)]
        default: []
        }
    }

    private mutating func prepare(_ schema: FieldValue, _ pointer: String) throws(Refusal) {
        if case .bool = schema { return }
        guard let object = schema.object else { throw Refusal(problem: "\(pointer) is no schema") }
        for word in object {
            guard try prepareWord(word) else { throw Refusal(problem: "\(pointer)/\(word.name) is not known") }
            for (name, part) in Self.parts(word) { try prepare(part, "\(pointer)/\(word.name)\(name)") }
        }
    }

    /// Whether a word is known and its value what it must be.
    private mutating func prepareWord(_ word: FieldMap.Element) throws(Refusal) -> Bool {
        switch word.name {
        case "properties": return word.value.object != nil
        case "allOf", "oneOf", "prefixItems", "enum": return word.value.array != nil
        case "additionalProperties", "propertyNames", "items", "if", "then", "else", "const": return true
        case "type": return word.value.string.map(Self.types.keys.contains) ?? false
        case "required": return word.value.array.map { $0.allSatisfy { $0.string != nil } } ?? false
        case "dependentRequired": return word.value.object.map { $0.allSatisfy { $0.value.array != nil } } ?? false
        case "minimum", "maximum", "minItems", "maxItems", "minLength": return word.value.integer != nil
        case "$ref": return word.value.string.map { self[$0] != nil } ?? false
        case "pattern":
            guard let text = word.value.string else { return false }
            do { patterns[text] = try Regex(text) } catch { throw Refusal(problem: "\(text) is no pattern: \(error)") }
            return true
        default: return Self.annotations.contains(word.name)
        }
    }

    // MARK: Checking

    /// Where a check has come to.
    private struct Place {
        var value: String
        var schema: String

        func inValue(_ step: some CustomStringConvertible) -> Place { Place(value: "\(value)/\(step)", schema: schema) }
        func inSchema(_ steps: String) -> Place { Place(value: value, schema: "\(schema)/\(steps)") }
    }

    private static let types: [String: @Sendable (FieldValue) -> Bool] = [
        "object": { $0.object != nil }, "array": { $0.array != nil }, "string": { $0.string != nil }, "integer": { $0.integer != nil },
        "boolean": { if case .bool = $0 { true } else { false } },
    ]

    private mutating func check(_ value: FieldValue, _ schema: FieldValue, _ place: Place) -> [String] {
        if case .bool(let isAllowed) = schema { return isAllowed ? [] : ["\(place.value) must not be there"] }
        guard let schema = schema.object else { return [] }
        var problems: [String] = []
        for word in schema { problems += check(value, word, schema, place) }
        return problems
    }

    private mutating func check(_ value: FieldValue, _ word: FieldMap.Element, _ schema: FieldMap, _ place: Place) -> [String] {
        let inside = place.inSchema(word.name.rawValue)
        func unless(_ isRight: Bool) -> [String] { isRight ? [] : ["\(place.value): \(inside.schema) is not kept by \(value)"] }
        switch word.name {
        case "type": return unless(Self.types[word.value.string ?? ""]?(value) ?? false)
        case "const": return unless(value == word.value)
        case "enum": return unless(word.value.array?.contains(value) ?? false)
        case "$ref":
            let target = word.value.string ?? ""
            return check(value, self[target] ?? false, Place(value: place.value, schema: target))
        case "allOf":
            return Self.parts(word).flatMap { check(value, $0.schema, inside.inSchema(String($0.pointer.dropFirst()))) }
        case "oneOf": return unless(Self.parts(word).count { check(value, $0.schema, inside).isEmpty } == 1)
        case "if":
            let branch: FieldName = check(value, word.value, inside).isEmpty ? "then" : "else"
            return check(value, schema[branch] ?? true, place.inSchema(branch.rawValue))
        case "pattern":
            guard let text = value.string, let pattern = patterns[word.value.string ?? ""] else { return [] }
            return unless(text.firstMatch(of: pattern) != nil)
        case "minLength": return unless(value.string.map { $0.unicodeScalars.count >= word.value.integer ?? 0 } ?? true)
        case "minimum": return unless(value.integer.map { $0 >= word.value.integer ?? 0 } ?? true)
        case "maximum": return unless(value.integer.map { $0 <= word.value.integer ?? 0 } ?? true)
        case "minItems": return unless(value.array.map { $0.count >= word.value.integer ?? 0 } ?? true)
        case "maxItems": return unless(value.array.map { $0.count <= word.value.integer ?? 0 } ?? true)
        default: return checkParts(value, word, schema, inside)
        }
    }

    /// The words that speak of the members of objects and arrays.
    private mutating func checkParts(_ value: FieldValue, _ word: FieldMap.Element, _ schema: FieldMap, _ place: Place) -> [String] {
        var problems: [String] = []
        if let object = value.object {
            func missing(_ names: FieldValue?) -> [String] {
                (names?.array ?? []).compactMap(\.string).filter { object[FieldName($0)] == nil }.map { "\(place.value)/\($0) is missing" }
            }
            switch word.name {
            case "required": problems += missing(word.value)
            case "dependentRequired":
                for dependent in word.value.object ?? [:] where object[dependent.name] != nil { problems += missing(dependent.value) }
            case "propertyNames":
                for name in object.names { problems += check(.string(name.rawValue), word.value, place.inValue(name)) }
            case "properties":
                for property in word.value.object ?? [:] {
                    guard let member = object[property.name] else { continue }
                    let inside = place.inValue(property.name).inSchema(property.name.rawValue)
                    metProperties.insert(inside.schema)
                    problems += check(member, property.value, inside)
                }
            case "additionalProperties":
                let named = schema["properties"]?.object ?? [:]
                for member in object where named[member.name] == nil {
                    problems += check(member.value, word.value, place.inValue(member.name))
                }
            default: break
            }
        }
        if let elements = value.array {
            let first = schema["prefixItems"]?.array ?? []
            for (index, element) in elements.enumerated() {
                if word.name == "prefixItems", index < first.count { problems += check(element, first[index], place.inValue(index)) }
                if word.name == "items", index >= first.count { problems += check(element, word.value, place.inValue(index)) }
            }
        }
        return problems
    }
}
