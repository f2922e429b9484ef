/// The types that a project declares besides its models, and what its code puts into properties.
struct SwiftTypes {
    private(set) var kinds: [String: SwiftFacts.ValueType.Kind] = [:]
    private var aliases: [String: SwiftFacts.Alias] = [:]
    /// The values that are encoded into properties, by the names of these.
    private var encodings: [String: [SwiftFacts.Encoding]] = [:]
    /// The types of properties of Core Data classes, by class and name.
    private var managed: [String: String] = [:]

    init(_ sources: [SwiftSource]) {
        for type in sources.flatMap(\.facts.valueTypes) { kinds[type.name] = kinds[type.name] ?? type.kind }
        for (name, alias) in sources.flatMap(\.facts.aliases) {
            aliases[name] = aliases[name].map { $0 == alias ? alias : SwiftFacts.Alias() } ?? alias
        }
        for encoding in sources.flatMap(\.facts.encodings) { encodings[encoding.property, default: []].append(encoding) }
        for property in sources.flatMap(\.facts.managed) { managed[property.owner + "." + property.name] = property.type }
    }

    /// The type that another one is by its name, optionals around it kept.
    ///
    /// A few steps are enough and end where they go in a circle.
    ///
    /// - Parameter owner: The class in which the type is written.
    func resolving(_ type: String, in owner: String) -> String {
        var type = type
        for _ in 0..<4 {
            let (name, arguments) = SwiftTypeName(type).parts
            let ends = name.split(separator: ".").suffix(2).joined(separator: ".")
            guard let alias = aliases[owner + "." + name] ?? aliases[ends], !alias.type.isEmpty, kinds[name] == nil,
                alias.parameters.count == arguments.count
            else { break }
            let other = Self.replacing(alias.parameters, with: arguments, in: alias.type)
            if other.utf8.count > 1024 { break }
            type = SwiftTypeName.isOptional(type) && !SwiftTypeName.isOptional(other) ? "Optional<\(other)>" : other
        }
        return type
    }

    /// A type with names in it replaced.
    private static func replacing(_ names: [String], with types: [String], in type: String) -> String {
        if names.isEmpty { return type }
        let values = Dictionary(zip(names, types)) { first, _ in first }
        var (result, word) = ("", "")
        for character in type + " " {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                result += values[word] ?? word
                result.append(character)
                word = ""
            }
        }
        return String(result.dropLast())
    }

    // MARK: Contents

    /// What a transformer or an encoder puts into an attribute; nil where no code tells.
    ///
    /// - Parameter type: The type of the property, where it is declared in Swift.
    func content(of attribute: Entity.Attribute, in entity: String, declared type: SwiftTypeName?) -> AttributeType? {
        switch attribute.type {
        case .transformable:
            let name = type ?? managed[entity + "." + attribute.name].map { SwiftTypeName($0) }
            return name.flatMap { Self.collection($0.text) }
        case .data:
            // The entity's own code says it best.
            let all = encodings[attribute.name, default: []]
            let own = all.filter { $0.owner == entity }
            let others = attribute.name == "data" ? [] : all.filter(\.isMember)
            guard let encoding = (own.isEmpty ? others : own).max(by: { ($0.type == nil ? 0 : 1) < ($1.type == nil ? 0 : 1) }) else {
                return nil
            }
            return .structure(encoding.type.map { SwiftTypeName($0).text } ?? "that is encoded")
        default: return nil
        }
    }

    /// The list or dictionary that a class or type is.
    static func collection(_ type: String) -> AttributeType? {
        switch type {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet": return .array("values")
        case "NSDictionary", "NSMutableDictionary": return .dictionary
        default: break
        }
        switch SwiftTypeName(type).attributeType([:]) {
        case .array(let element): return .array(element)
        case .dictionary: return .dictionary
        default: return nil
        }
    }
}
