// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import CoreData

// swiftdata/schema
public final class Schema: Sendable {
    // swiftdata/schema/propertymetadata
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        let defaultValue: Any?
        let relationship: Relationship?
        /// Not Apple's: whether it is a date, and how the store has the value.
        let isDate: Bool
        let stored: (Any) -> Any
        let read: (Any) -> Any?

        public init<Model: PersistentModel, Value>(
            name: String, keypath: KeyPath<Model, Value>, defaultValue: Value? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            relationship = metadata as? Relationship ?? Relationship(Value.self)
            isDate = Value.self == Date.self || Value.self == Date?.self
            isPreserved = (metadata as? Attribute)?.options.contains(.preserveValueOnDeletion) ?? false
            stored = { storedForm($0) }
            read = { readForm($0, as: Value.self) }
        }

        let isPreserved: Bool
    }

    // swiftdata/schemaproperty
    public protocol SchemaProperty {}

    // swiftdata/schema/attribute
    public final class Attribute: SchemaProperty {
        public struct Option: Equatable, Sendable {
            let name: String
            public static var preserveValueOnDeletion: Option { Option(name: "preserveValueOnDeletion") }
        }

        let options: [Option]

        public init(_ options: Option...) { self.options = options }
    }

    // swiftdata/schema/relationship
    public final class Relationship: SchemaProperty {
        let isToMany: Bool
        let target: any PersistentModel.Type
        let inverse: AnyKeyPath?

        public init<Model: PersistentModel>(to target: Model.Type, isToMany: Bool, inverse: AnyKeyPath? = nil) {
            (self.isToMany, self.target, self.inverse) = (isToMany, target, inverse)
        }

        init?(_ type: Any.Type) {
            guard let related = type as? any Related.Type else { return nil }
            guard let target = related.target else { return nil }
            (self.isToMany, self.target, inverse) = (related.isToMany, target, nil)
        }
    }

    // swiftdata/schema/entity
    public final class Entity: Sendable {
        public let name: String

        init(name: String) { self.name = name }
    }

    let types: [any PersistentModel.Type]
    public var entities: [Entity] { types.map { Entity(name: Schema.entityName($0)) } }
    public var entitiesByName: [String: Entity] { Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) }) }

    public init(_ types: [any PersistentModel.Type]) { self.types = types }

    public static func entityName<Model: PersistentModel>(for type: Model.Type) -> String { "\(type)" }

    static func entityName(_ type: any PersistentModel.Type) -> String { "\(type)" }
}

/// What a relationship is of.
private protocol Related {
    static var target: (any PersistentModel.Type)? { get }
    static var isToMany: Bool { get }
}

extension Optional: Related {
    fileprivate static var target: (any PersistentModel.Type)? {
        (Wrapped.self as? any PersistentModel.Type) ?? (Wrapped.self as? any Related.Type)?.target
    }
    fileprivate static var isToMany: Bool { (Wrapped.self as? any Related.Type)?.isToMany ?? false }
}

extension Array: Related {
    fileprivate static var target: (any PersistentModel.Type)? { Element.self as? any PersistentModel.Type }
    fileprivate static var isToMany: Bool { true }
}

/// An enumeration is stored as its raw value, and a structure as its parts.
private func storedForm(_ value: Any) -> Any {
    switch value {
    case is String, is Int, is Bool, is Double, is Date, is UUID, is Data: value
    case let value as any Encodable:
        (try? JSONEncoder().encode(value)).flatMap { try? JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) } ?? value
    default: value
    }
}

private func readForm<Value>(_ value: Any, as type: Value.Type) -> Any? {
    if let value = value as? Value { return value }
    guard let type = type as? any Decodable.Type,
        let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    else { return nil }
    return try? JSONDecoder().decode(type, from: data)
}

extension NSManagedObjectModel {
    public static func makeManagedObjectModel(
        for entityTypes: [any PersistentModel.Type], mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        let model = managedObjectModel ?? NSManagedObjectModel()
        for type in entityTypes {
            let attributes = type.schemaMetadata.filter { $0.relationship == nil }
            model.entities.append(
                NSEntityDescription(
                    name: Schema.entityName(type), attributes: attributes.map(\.name), dates: Set(attributes.filter(\.isDate).map(\.name)),
                    preserved: Set(attributes.filter(\.isPreserved).map(\.name))))
        }
        let entities = model.entitiesByName
        var relationships: [AnyKeyPath: NSRelationshipDescription] = [:]
        for type in entityTypes {
            for property in type.schemaMetadata {
                guard let relationship = property.relationship, let target = entities[Schema.entityName(relationship.target)] else {
                    continue
                }
                relationships[property.keypath] = entities[Schema.entityName(type)]?.relate(
                    property.name, to: target, isToMany: relationship.isToMany)
            }
        }
        for property in entityTypes.flatMap({ $0.schemaMetadata }) {
            guard let inverse = property.relationship?.inverse.flatMap({ relationships[$0] }) else { continue }
            relationships[property.keypath]?.inverseRelationship = inverse
            inverse.inverseRelationship = relationships[property.keypath]
        }
        return model
    }
}
