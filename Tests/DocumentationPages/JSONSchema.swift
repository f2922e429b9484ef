import SyncBytes
package import SyncModel

/// As much of JSON Schema, draft 2020-12, as the schema of lines is written in.
///
/// What a schema says in a word that is not known here is refused, so that nothing it asks for is passed over in silence.
package struct JSONSchema {
    /// A schema that cannot be used.
    package struct Refusal: Error, Hashable {
        package let problem: String
    }

    private let root: FieldValue
    /// The schema and every schema in it, in the order in which they were prepared; those that are referred to may come later.
    private var nodes: [Node] = []
    private var numbers: [String: Int] = [:]
    private var propertyPointers: [String] = []
    private var metNumbers: Set<Int> = []

    private static let annotations: Set<FieldName> = ["$schema", "$id", "$defs", "title", "description"]

    package init(_ text: String) throws {
        root = try JSONParser.parse(text)
        _ = try prepare(root, "#")
    }

    /// What is wrong with a value, a sentence each.
    package mutating func problems(with value: FieldValue) -> [String] {
        var findings = Findings(isTold: true)
        check(value, 0, .root, &findings)
        return findings.problems
    }

    /// The value at a pointer such as `#/$defs/kind`.
    package subscript(pointer: String) -> FieldValue? {
        pointer.split(separator: "/").dropFirst().reduce(root) { $0?.object?[FieldName(String($1))] }
    }

    /// All properties that the schema names, as pointers; conditions only repeat them.
    package var properties: Set<String> {
        Set(propertyPointers.filter { pointer in !["/if/", "/then/", "/else/"].contains { pointer.contains($0) } })
    }

    /// The properties that values had so far, as pointers into the schema.
    package var metProperties: Set<String> { Set(metNumbers.map { propertyPointers[$0] }) }

    // MARK: Reading

    private struct Node {
        /// Whether the schema allows everything or nothing; nil where its words decide.
        var isAllowed: Bool?
        var words: [(pointer: String, word: Word)] = []
    }

    private enum Word {
        case type(@Sendable (FieldValue) -> Bool)
        case const(FieldValue)
        case `enum`([FieldValue])
        case reference(String)
        case allOf([Int])
        case oneOf([Int])
        case condition(Int, then: Int?, otherwise: Int?)
        case pattern(Regex<AnyRegexOutput>)
        case minLength(Int64)
        case minimum(Int64)
        case maximum(Int64)
        case minItems(Int64)
        case maxItems(Int64)
        case required([FieldName])
        case dependentRequired([(name: FieldName, others: [FieldName])])
        case propertyNames(Int)
        case properties([(name: FieldName, property: Int, node: Int)])
        case additionalProperties(Int, besides: Set<FieldName>)
        case prefixItems([Int])
        case items(Int, from: Int)
    }

    private static let types: [String: @Sendable (FieldValue) -> Bool] = [
        "object": { $0.object != nil }, "array": { $0.array != nil }, "string": { $0.string != nil }, "integer": { $0.integer != nil },
        "boolean": { if case .bool = $0 { true } else { false } },
    ]

    /// Prepares a schema and every schema in it.
    ///
    /// - Returns: Its number.
    private mutating func prepare(_ schema: FieldValue, _ pointer: String) throws(Refusal) -> Int {
        let number = nodes.count
        nodes.append(Node())
        numbers[pointer] = number
        if case .bool(let isAllowed) = schema {
            nodes[number].isAllowed = isAllowed
            return number
        }
        guard let object = schema.object else { throw Refusal(problem: "\(pointer) is no schema") }
        for word in object where !["then", "else"].contains(word.name) {
            let inside = "\(pointer)/\(word.name)"
            if word.name == "$defs" { for (name, part) in members(word.value) { _ = try prepare(part, "\(inside)/\(name)") } }
            if Self.annotations.contains(word.name) { continue }
            guard let prepared = try prepareWord(word, object, pointer) else { throw Refusal(problem: "\(inside) is not known") }
            nodes[number].words.append((inside, prepared))
        }
        return number
    }

    private func members(_ value: FieldValue) -> [(name: FieldName, value: FieldValue)] {
        (value.object ?? [:]).map { ($0.name, $0.value) }
    }

    private func names(_ value: FieldValue) -> [FieldName]? {
        let names = value.array?.map(\.string)
        return names.flatMap { names in names.contains(nil) ? nil : names.compactMap { $0.map { FieldName($0) } } }
    }

    private mutating func prepareAll(_ value: FieldValue, _ pointer: String) throws(Refusal) -> [Int]? {
        guard let schemas = value.array else { return nil }
        var numbers: [Int] = []
        for (index, schema) in schemas.enumerated() { numbers.append(try prepare(schema, "\(pointer)/\(index)")) }
        return numbers
    }

    /// - Returns: Nil where the word is not known, or its value not what it must be.
    private mutating func prepareWord(_ word: FieldMap.Element, _ schema: FieldMap, _ pointer: String) throws(Refusal) -> Word? {
        let (value, inside) = (word.value, "\(pointer)/\(word.name)")
        switch word.name {
        case "type": return value.string.flatMap { Self.types[$0] }.map { .type($0) }
        case "const": return .const(value)
        case "enum": return value.array.map { .enum($0) }
        case "$ref": return value.string.flatMap { self[$0] == nil ? nil : .reference($0) }
        case "allOf": return try prepareAll(value, inside).map { .allOf($0) }
        case "oneOf": return try prepareAll(value, inside).map { .oneOf($0) }
        case "if":
            let condition = try prepare(value, inside)
            var branches: [Int?] = []
            for name in ["then", "else"] as [FieldName] {
                if let branch = schema[name] { branches.append(try prepare(branch, "\(pointer)/\(name)")) } else { branches.append(nil) }
            }
            return .condition(condition, then: branches[0], otherwise: branches[1])
        case "pattern":
            guard let text = value.string else { return nil }
            do { return .pattern(try Regex(text)) } catch { throw Refusal(problem: "\(text) is no pattern: \(error)") }
        case "minLength": return value.integer.map { .minLength($0) }
        case "minimum": return value.integer.map { .minimum($0) }
        case "maximum": return value.integer.map { .maximum($0) }
        case "minItems": return value.integer.map { .minItems($0) }
        case "maxItems": return value.integer.map { .maxItems($0) }
        default: return try preparePartsWord(word, schema, inside)
        }
    }

    /// The words that speak of the members of objects and arrays.
    private mutating func preparePartsWord(_ word: FieldMap.Element, _ schema: FieldMap, _ inside: String) throws(Refusal) -> Word? {
        let value = word.value
        switch word.name {
        case "required": return names(value).map { .required($0) }
        case "dependentRequired":
            guard value.object != nil else { return nil }
            var dependents: [(name: FieldName, others: [FieldName])] = []
            for (name, others) in members(value) {
                guard let others = names(others) else { return nil }
                dependents.append((name, others))
            }
            return .dependentRequired(dependents)
        case "propertyNames": return .propertyNames(try prepare(value, inside))
        case "properties":
            guard value.object != nil else { return nil }
            var properties: [(name: FieldName, property: Int, node: Int)] = []
            for (name, part) in members(value) {
                propertyPointers.append("\(inside)/\(name)")
                properties.append((name, propertyPointers.count - 1, try prepare(part, "\(inside)/\(name)")))
            }
            return .properties(properties)
        case "additionalProperties":
            return .additionalProperties(try prepare(value, inside), besides: Set((schema["properties"]?.object ?? [:]).names))
        case "prefixItems": return try prepareAll(value, inside).map { .prefixItems($0) }
        case "items": return .items(try prepare(value, inside), from: schema["prefixItems"]?.array?.count ?? 0)
        default: return nil
        }
    }

    // MARK: Checking

    /// Where in a value a check has come to.
    private indirect enum Path {
        case root
        case member(FieldName, of: Path)
        case element(Int, of: Path)

        var text: String {
            switch self {
            case .root: ""
            case .member(let name, let object): "\(object.text)/\(name)"
            case .element(let index, let array): "\(array.text)/\(index)"
            }
        }
    }

    private struct Findings {
        /// Whether sentences are made; a condition only asks whether there is anything.
        let isTold: Bool
        private(set) var problems: [String] = []
        private(set) var isEmpty = true

        init(isTold: Bool) { self.isTold = isTold }

        mutating func add(_ problem: @autoclosure () -> String) {
            isEmpty = false
            if isTold { problems.append(problem()) }
        }
    }

    private mutating func isValid(_ value: FieldValue, _ node: Int, _ path: Path) -> Bool {
        var findings = Findings(isTold: false)
        check(value, node, path, &findings)
        return findings.isEmpty
    }

    private mutating func check(_ value: FieldValue, _ number: Int, _ path: Path, _ findings: inout Findings) {
        let node = nodes[number]
        if node.isAllowed == false { findings.add("\(path.text) must not be there") }
        for (pointer, word) in node.words {
            if !check(value, word, path, &findings) { findings.add("\(path.text): \(pointer) is not kept by \(value)") }
        }
    }

    /// - Returns: False where the word is not kept and nothing was said of it yet.
    private mutating func check(_ value: FieldValue, _ word: Word, _ path: Path, _ findings: inout Findings) -> Bool {
        switch word {
        case .type(let isOf): return isOf(value)
        case .const(let constant): return value == constant
        case .enum(let values): return values.contains(value)
        case .reference(let pointer):
            guard let target = numbers[pointer] else { return false }
            check(value, target, path, &findings)
        case .allOf(let parts): for part in parts { check(value, part, path, &findings) }
        case .oneOf(let parts):
            var count = 0
            for part in parts where isValid(value, part, path) { count += 1 }
            return count == 1
        case .condition(let condition, let then, let otherwise):
            if let branch = isValid(value, condition, path) ? then : otherwise { check(value, branch, path, &findings) }
        case .pattern(let pattern): return value.string.map { $0.firstMatch(of: pattern) != nil } ?? true
        case .minLength(let length): return value.string.map { $0.unicodeScalars.count >= length } ?? true
        case .minimum(let minimum): return value.integer.map { $0 >= minimum } ?? true
        case .maximum(let maximum): return value.integer.map { $0 <= maximum } ?? true
        case .minItems(let count): return value.array.map { $0.count >= count } ?? true
        case .maxItems(let count): return value.array.map { $0.count <= count } ?? true
        default: checkParts(value, word, path, &findings)
        }
        return true
    }

    private mutating func checkParts(_ value: FieldValue, _ word: Word, _ path: Path, _ findings: inout Findings) {
        if let elements = value.array {
            switch word {
            case .prefixItems(let parts):
                for (index, part) in zip(elements.indices, parts) { check(elements[index], part, .element(index, of: path), &findings) }
            case .items(let part, let first):
                for index in elements.indices.dropFirst(first) { check(elements[index], part, .element(index, of: path), &findings) }
            default: break
            }
        }
        guard let object = value.object else { return }
        switch word {
        case .required(let names): checkNames(names, object, path, &findings)
        case .dependentRequired(let dependents):
            for (name, others) in dependents where object[name] != nil { checkNames(others, object, path, &findings) }
        case .propertyNames(let part):
            for name in object.names { check(.string(name.rawValue), part, .member(name, of: path), &findings) }
        case .properties(let properties):
            for (name, property, part) in properties {
                guard let member = object[name] else { continue }
                metNumbers.insert(property)
                check(member, part, .member(name, of: path), &findings)
            }
        case .additionalProperties(let part, let named):
            for member in object where !named.contains(member.name) {
                check(member.value, part, .member(member.name, of: path), &findings)
            }
        default: break
        }
    }

    private func checkNames(_ names: [FieldName], _ object: FieldMap, _ path: Path, _ findings: inout Findings) {
        for name in names where object[name] == nil { findings.add("\(path.text)/\(name) is missing") }
    }
}
