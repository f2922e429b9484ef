package import FileFormats

/// A Core Data model: the current version of an `.xcdatamodeld`.
package struct CoreDataModel: Sendable {
    /// The path of the `.xcdatamodeld`, or of an `.xcdatamodel` on its own.
    package let path: String
    package var entities: [Entity] = []
    /// The entities of each configuration that is marked for CloudKit, by its name; `Default` is all of them.
    package var cloudConfigurations: [String: Set<String>] = [:]

    /// The entities of each configuration, by its name.
    private(set) var configurations: [String: Set<String>] = [:]

    /// Whether it has configurations besides the one of all entities.
    var hasConfigurations: Bool { !configurations.isEmpty }

    /// The name by which a container finds it.
    package var name: String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." })
    }

    /// Reads a model's `contents`.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - path: The model's path.
    package init(_ file: SourceFile, path: String) throws(FormatError) {
        self.path = path
        let lines = LineTable(file)
        var reader = XMLReader(file.bytes)
        var entity: Entity?
        var configuration: String?
        var isForCloudKit = false
        var constraint: (names: [String], location: SourceLocation)?
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes, let offset):
                let tag = Tag(attributes: attributes)
                switch name {
                case "model" where tag.isSet("usedWithCloudKit"): cloudConfigurations["Default"] = []
                case "entity":
                    entity = Entity(
                        name: tag["name"] ?? "", source: .coreData(model: path), parent: tag["parentEntity"],
                        location: lines.location(at: offset))
                case "attribute":
                    if let attribute = Self.attribute(tag, file, lines.location(at: offset)) { entity?.attributes.append(attribute) }
                case "relationship": entity?.relationships.append(Self.relationship(tag, lines.location(at: offset)))
                case "uniquenessConstraint": constraint = ([], lines.location(at: offset))
                case "constraint": if let value = tag["value"] { constraint?.names.append(value) }
                case "configuration":
                    configuration = tag["name"] ?? ""
                    isForCloudKit = tag.isSet("usedWithCloudKit")
                    if let configuration {
                        configurations[configuration] = []
                        if isForCloudKit { cloudConfigurations[configuration] = [] }
                    }
                case "memberEntity":
                    if let configuration, let name = tag["name"] {
                        configurations[configuration]?.insert(name)
                        if isForCloudKit { cloudConfigurations[configuration]?.insert(name) }
                    }
                default: break
                }
            case .end("entity", _):
                if let entity { entities.append(entity) }
                entity = nil
            case .end("uniquenessConstraint", _):
                if let constraint { entity?.constraints.append(constraint) }
                constraint = nil
            case .end("configuration", _): configuration = nil
            default: break
            }
        }
        // One of its own says it more exactly.
        if cloudConfigurations["Default"] != nil {
            cloudConfigurations["Default"] = cloudConfigurations.count > 1 ? nil : Set(entities.map(\.name))
        }
    }

    private struct Tag {
        let attributes: [XMLReader.Attribute]

        subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
        func isSet(_ name: String) -> Bool { self[name] == "YES" }
    }

    /// Nil for one that no store keeps, or that is computed from others.
    private static func attribute(_ tag: Tag, _ file: SourceFile, _ location: SourceLocation) -> Entity.Attribute? {
        if tag.isSet("transient") || tag.isSet("derived") { return nil }
        let isOptional = tag.isSet("optional")
        var attribute = Entity.Attribute(
            name: tag["name"] ?? "", type: type(tag), isOptional: isOptional,
            hasDefault: tag["defaultValueString"] != nil || tag["defaultDateTimeInterval"] != nil,
            isExternal: tag.isSet("allowsExternalBinaryDataStorage"), isEncrypted: tag.isSet("allowsCloudEncryption"),
            location: location, optionalFix: isOptional ? nil : optionalFix(tag, file),
            originalName: tag["elementID"])
        if case .transformable = attribute.type { attribute.content = tag["customClassName"].flatMap(SwiftTypes.collection) }
        return attribute
    }

    private static func optionalFix(_ tag: Tag, _ file: SourceFile) -> TextEdit? {
        guard tag["optional"] == nil, let name = tag.attributes.first(where: { $0.name == "name" }) else { return nil }
        return TextEdit(path: file.path, range: name.offset..<name.offset, text: "optional=\"YES\" ")
    }

    private static func type(_ tag: Tag) -> AttributeType {
        switch tag["attributeType"] {
        case "String": .string
        case "Integer 16", "Integer 32", "Integer 64": .integer
        case "Boolean": .boolean
        case "Double", "Float": .double
        case "Decimal": .decimal
        case "Date": .date
        case "Binary": .data
        case "UUID": .uuid
        case "URI": .url
        case "Transformable": .transformable(tag["valueTransformerName"])
        case "Composite": .structure(tag["elementID"] ?? "composite")
        case nil, "Undefined": .undefined
        case let other?: .other(other)
        }
    }

    private static func relationship(_ tag: Tag, _ location: SourceLocation) -> Entity.Relationship {
        Entity.Relationship(
            name: tag["name"] ?? "", destination: tag["destinationEntity"] ?? "", isToMany: tag.isSet("toMany"),
            isOptional: tag.isSet("optional"), isOrdered: tag.isSet("ordered"), inverse: tag["inverseName"],
            deleteRule: tag["deletionRule"]?.lowercased(), location: location,
            originalName: tag["elementID"])
    }
}
