/// The entities of SwiftData model classes.
enum SwiftDataEntities {
    /// What model classes declare: a property whose type is another model is a relationship, every other one an attribute.
    ///
    /// - Parameters:
    ///   - source: The file that declares the class.
    ///   - models: All model classes of the project.
    ///   - types: All other types of the project, by name.
    static func entity(
        _ model: SwiftFacts.ModelClass, in source: SwiftSource, models: ModelNames, types: SwiftTypes
    ) -> Entity {
        let parent = model.inherits.first { models.names.contains($0) }
        var entity = Entity(
            name: model.name, source: .swiftData, parent: parent, location: source.location(at: model.context.offset))
        for property in model.properties {
            let type = types.resolving(property.type ?? SwiftTypeName.inferred(from: property.initialValue), in: model.name)
            let isOptional = property.type == nil ? property.isOptional : SwiftTypeName.isOptional(type)
            let name = SwiftTypeName(type)
            let isAttribute = property.attribute?.options.contains("transformable") ?? false
            if !isAttribute, let destination = models.model(name) {
                entity.relationships.append(relationship(property, name, isOptional, destination, source))
            } else {
                var attribute = attribute(property, name, isOptional, types, source)
                attribute.content = types.content(of: attribute, in: model.name, declared: name)
                entity.attributes.append(attribute)
            }
        }
        for constraint in model.unique { entity.constraints.append((constraint.names, source.location(at: constraint.offset))) }
        return entity
    }

    private static func relationship(
        _ property: SwiftFacts.Property, _ name: SwiftTypeName, _ isOptional: Bool, _ destination: String, _ source: SwiftSource
    ) -> Entity.Relationship {
        let macro = property.relationship
        return Entity.Relationship(
            name: property.name, destination: destination, isToMany: name.isList, isOptional: isOptional,
            inverse: macro?.inverse.flatMap { $0 == "nil" ? nil : $0 }, isAlone: macro?.inverse == "nil",
            deleteRule: macro?.deleteRule?.lowercased(),
            location: source.location(at: property.offset), originalName: macro?.originalName)
    }

    private static func attribute(
        _ property: SwiftFacts.Property, _ name: SwiftTypeName, _ isOptional: Bool, _ types: SwiftTypes, _ source: SwiftSource
    ) -> Entity.Attribute {
        let macro = property.attribute
        let options = Set(macro?.options ?? [])
        let type: AttributeType = options.contains("transformable") ? .transformable(macro?.transformer) : name.attributeType(types.kinds)
        let fix =
            property.type == nil || isOptional || property.hasDefault
            ? nil : TextEdit(path: source.path, range: property.end..<property.end, text: name.needsParentheses ? "" : "?")
        return Entity.Attribute(
            name: property.name, type: type, isOptional: isOptional, hasDefault: property.hasDefault,
            isUnique: options.contains("unique"), isExternal: options.contains("externalStorage"),
            isEncrypted: options.contains("allowsCloudEncryption"), location: source.location(at: property.offset),
            optionalFix: fix.flatMap { $0.text.isEmpty ? nil : $0 }, originalName: macro?.originalName)
    }
}

/// The names of model classes, and of the types that hold them.
struct ModelNames {
    let names: Set<String>
    private let namespaces: Set<String>

    init(_ models: [SwiftFacts.ModelClass]) {
        names = Set(models.map(\.name))
        namespaces = Set(models.flatMap(\.context.types))
    }

    /// The model class that a type is, or that it is a list of; nil for `Filter.Tag`, where no model is in a `Filter`.
    func model(_ type: SwiftTypeName) -> String? {
        let path = type.path
        guard let last = path.last, names.contains(last) else { return nil }
        return path.count == 1 || namespaces.contains(path[path.count - 2]) ? last : nil
    }
}

/// The text of a Swift type, taken apart as far as sync is concerned.
struct SwiftTypeName: Equatable {
    /// Without the optional around it.
    let text: String

    init(_ text: String) {
        var text = Substring(text)
        while let last = text.last, last == "?" || last == "!" { text = text.dropLast() }
        for prefix in ["Optional<", "Swift.Optional<"] where text.hasPrefix(prefix) && text.hasSuffix(">") {
            text = text.dropFirst(prefix.utf8.count).dropLast()
        }
        self.text = String(text)
    }

    /// Whether a type may be nil.
    static func isOptional(_ type: String) -> Bool {
        type.hasSuffix("?") || type.hasSuffix("!") || type.hasPrefix("Optional<") || type.hasPrefix("Swift.Optional<")
    }

    /// The name without its generic arguments, and these.
    var parts: (name: String, arguments: [String]) {
        guard let open = text.firstIndex(of: "<"), text.hasSuffix(">") else { return (text, []) }
        var arguments = [""]
        var depth = 0
        for character in text[text.index(after: open)...].dropLast() {
            if "<[(".contains(character) { depth += 1 }
            if ">])".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { arguments.append("") } else { arguments[arguments.count - 1].append(character) }
        }
        return (String(text[..<open]), arguments)
    }

    /// The type of a value that is written out as a literal or a call of an initializer; empty where that is not known.
    static func inferred(from value: String?) -> String {
        guard let value, let first = value.first else { return "" }
        if value.count > 1, first == "\"", value.last == "\"", !value.dropFirst().dropLast().contains("\"") { return "String" }
        if value == "true" || value == "false" { return "Bool" }
        let digits = value.drop { $0 == "-" }
        if digits.first?.isNumber == true, digits.allSatisfy({ $0.isNumber || $0 == "_" || $0 == "." }) {
            return digits.contains(".") ? "Double" : "Int"
        }
        if value == "Date.now" { return "Date" }
        if value.hasPrefix("["), value.hasSuffix("]()") { return String(value.dropLast(2)) }
        // `Date()` and its like, and nothing behind the call.
        let name = value.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = value[name.endIndex...]
        guard name.first?.isUppercase == true, rest.first == "(", rest.firstIndex(of: ")") == rest.indices.last else { return "" }
        return String(name)
    }

    /// Whether a question mark behind it would belong to a part of it alone.
    var needsParentheses: Bool { text.contains("->") || text.hasPrefix("any ") || text.hasPrefix("any") && text.contains("&") }

    /// Whether it is an array or a set.
    var isList: Bool { listElement != nil }

    /// The name of the type itself, or of what a list of it holds, after the names of the types around it.
    var path: [String] { (listElement.map { SwiftTypeName($0).text } ?? text).split(separator: ".").map(String.init) }

    private var listElement: String? {
        if text.hasPrefix("["), text.hasSuffix("]"), !hasColonAtTop { return String(text.dropFirst().dropLast()) }
        for prefix in ["Array<", "Set<", "Swift.Array<", "Swift.Set<", "ContiguousArray<"]
        where text.hasPrefix(prefix) && text.hasSuffix(">") {
            return String(text.dropFirst(prefix.count).dropLast())
        }
        return nil
    }

    private var hasColonAtTop: Bool {
        var depth = 0
        for character in text.dropFirst().dropLast() {
            switch character {
            case "[", "(", "<": depth += 1
            case "]", ")", ">": depth -= 1
            case ":" where depth == 0: return true
            default: break
            }
        }
        return false
    }

    func attributeType(_ types: [String: SwiftFacts.ValueType.Kind]) -> AttributeType {
        // Bytes are one value.
        if let listElement { return ["UInt8", "Int8", "CChar"].contains(listElement) ? .data : .array(listElement) }
        if text.hasPrefix("[") || text.hasPrefix("Dictionary<") { return .dictionary }
        let name = text.split(separator: ".").last.map(String.init) ?? text
        switch name {
        case "String", "Character", "Substring": return .string
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64": return .integer
        case "Bool": return .boolean
        case "Double", "Float", "CGFloat", "TimeInterval", "Float16": return .double
        case "Decimal": return .decimal
        case "Date": return .date
        case "Data": return .data
        case "UUID": return .uuid
        case "URL": return .url
        default: break
        }
        return switch types[name] {
        case .structure?: .structure(name)
        case .enumeration?: .enumeration(name)
        case .otherClass?, nil: .other(text)
        }
    }
}
