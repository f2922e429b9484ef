// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's SwiftData where that is not to be had: the declarations that the adapter uses, named and typed as Apple documents them, with as much
// behaviour as its tests need. There is no `@Model`: a macro needs a compiler plug-in, so that models write out what it would add. A context keeps what it has
// fetched, however the store changes; it saves the attributes that were set.

import CoreData
@_exported import Foundation
public import Observation

public struct PersistentIdentifier: Hashable, Comparable, Codable, Sendable {
    public let entityName: String
    let name: String

    public var storeIdentifier: String? { "store" }

    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool { left.name < right.name }
}

public protocol BackingData<Model> {
    associatedtype Model: PersistentModel

    var persistentModelID: PersistentIdentifier? { get set }
    func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value
    mutating func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value)
}

public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    init(backingData: any BackingData<Self>)

    var persistentBackingData: any BackingData<Self> { get set }
    static var schemaMetadata: [Schema.PropertyMetadata] { get }
}

extension PersistentModel {
    public static func createBackingData<Model: PersistentModel>() -> any BackingData<Model> { StoredValues<Model>() }

    public var persistentModelID: PersistentIdentifier { values.identifier }
    public var id: PersistentIdentifier { persistentModelID }
    public var modelContext: ModelContext? { values.context }
    public var hasChanges: Bool { !values.changed.isEmpty }

    public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value { persistentBackingData.getValue(forKey: key) }

    public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
        persistentBackingData.setValue(forKey: key, to: newValue)
    }

    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    var values: ModelValues {
        guard let values = persistentBackingData as? ModelValues else { fatalError("a model of another store") }
        return values
    }
}

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
        for property in Model.schemaMetadata { values[property.name] = property.defaultValue }
    }

    var persistentModelID: PersistentIdentifier? {
        get { identifier }
        set { if let newValue { identifier = newValue } }
    }

    func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value {
        if let value = values[name(of: key)] as? Value { return value }
        // What no value was given is nil.
        guard let value = Optional<Any>.none as? Value else { fatalError("\(key) has no value") }
        return value
    }

    func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
        let name = name(of: key)
        values[name] = newValue
        changed.insert(name)
        context?.changed(identifier)
    }

    private func name(of key: PartialKeyPath<Model>) -> String {
        guard let property = Model.schemaMetadata.first(where: { $0.keypath == key }) else { fatalError("\(key) is not stored") }
        return property.name
    }
}

public final class Schema: Sendable {
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        let defaultValue: Any?

        public init<Model: PersistentModel, Value>(
            name: String, keypath: KeyPath<Model, Value>, defaultValue: Value? = nil, metadata: Any? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
        }
    }

    let types: [any PersistentModel.Type]

    public init(_ types: [any PersistentModel.Type]) { self.types = types }

    public static func entityName(for type: any PersistentModel.Type) -> String { "\(type)" }
}

extension NSManagedObjectModel {
    public static func makeManagedObjectModel(
        for types: [any PersistentModel.Type], mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        let model = managedObjectModel ?? NSManagedObjectModel()
        for type in types {
            let name = Schema.entityName(for: type)
            model.entitiesByName[name] = NSEntityDescription(name: name, attributes: type.schemaMetadata.map(\.name))
        }
        return model
    }
}
