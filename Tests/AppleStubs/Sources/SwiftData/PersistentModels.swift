// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's SwiftData where that is not to be had: the declarations that the adapter uses, named and typed as Apple documents them, with as much
// behaviour as its tests need. There is no `@Model`: a macro needs a compiler plug-in, so that models write out what it would add. A context keeps what it has
// fetched, however the store changes; it saves the properties that were set. The page beside each type is below developer.apple.com/documentation/.

import CoreData
@_exported import Foundation
public import Observation

// swiftdata/persistentidentifier
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
    public let entityName: String
    let name: String

    public struct ID: Hashable, Sendable { let name: String }

    public var id: ID { ID(name: name) }
    public var storeIdentifier: String? { "store" }

    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool { left.name < right.name }
}

// swiftdata/backingdata
public protocol BackingData<Model> {
    associatedtype Model: PersistentModel

    var persistentModelID: PersistentIdentifier? { get set }
    func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value
    mutating func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value)
}

// swiftdata/persistentmodel, which is a SendableMetatype since Xcode 26
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    init(backingData: any BackingData<Self>)

    var persistentBackingData: any BackingData<Self> { get set }
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
}

extension PersistentModel {
    public static func createBackingData<Model: PersistentModel>() -> some BackingData<Model> { StoredValues<Model>() }

    public var persistentModelID: PersistentIdentifier { values.identifier }
    public var id: PersistentIdentifier { persistentModelID }
    public var modelContext: ModelContext? { values.context }
    public var hasChanges: Bool { !values.changed.isEmpty }

    public func getValue<Value: Decodable>(forKey key: KeyPath<Self, Value>) -> Value { persistentBackingData.getValue(forKey: key) }

    public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value?>) -> Value? {
        persistentBackingData.getValue(forKey: key)
    }

    public func getValue<Value: RelationshipCollection>(forKey key: KeyPath<Self, Value>) -> Value {
        persistentBackingData.getValue(forKey: key)
    }

    public func setValue<Value: Encodable>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
        persistentBackingData.setValue(forKey: key, to: newValue)
    }

    public func setValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value?>, to newValue: Value?) {
        persistentBackingData.setValue(forKey: key, to: newValue)
    }

    public func setValue<Value: RelationshipCollection>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
        persistentBackingData.setValue(forKey: key, to: newValue)
    }

    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    var values: ModelValues {
        guard let values = persistentBackingData as? ModelValues else { fatalError("a model of another store") }
        return values
    }
}

// swiftdata/relationshipcollection
public protocol RelationshipCollection {
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: RelationshipCollection {
    public typealias PersistentElement = Wrapped.PersistentElement
}

private protocol Wrapping { var content: Any? { get } }

extension Optional: Wrapping { fileprivate var content: Any? { flatMap { unwrapped($0) } } }

private func unwrapped(_ value: Any) -> Any? { if let value = value as? any Wrapping { value.content } else { value } }

/// The values of a model, by the names of its attributes.
class ModelValues {
    var identifier: PersistentIdentifier
    var values: [String: Any] = [:]
    var changed: Set<String> = []
    weak var context: ModelContext?

    init(entity: String) { identifier = PersistentIdentifier(entityName: entity, name: "temporary \(UUID())") }
}

private final class StoredValues<Model: PersistentModel>: ModelValues, BackingData {
    init() {
        super.init(entity: Schema.entityName(for: Model.self))
        for property in Model.schemaMetadata { values[property.name] = property.defaultValue.flatMap { unwrapped($0) } }
    }

    var persistentModelID: PersistentIdentifier? {
        get { identifier }
        set { if let newValue { identifier = newValue } }
    }

    func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value {
        switch values[name(of: key)] {
        case let related as NSManagedObjectID: if let model = context?.model(of: related) as? Value { return model }
        case let related as Set<NSManagedObjectID>:
            if let models = related.compactMap({ context?.model(of: $0) }) as? Value { return models }
        case let value: if let value = value as? Value { return value }
        }
        // What no value was given is nil.
        guard let value = Optional<Any>.none as? Value else { fatalError("\(key) has no value") }
        return value
    }

    func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
        let name = name(of: key)
        values[name] = unwrapped(newValue)
        changed.insert(name)
        context?.changed(identifier)
    }

    private func name(of key: PartialKeyPath<Model>) -> String {
        guard let property = Model.schemaMetadata.first(where: { $0.keypath == key }) else { fatalError("\(key) is not stored") }
        return property.name
    }
}
