// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import CoreData

// swiftdata/modelconfiguration, which is Sendable since Xcode 26 and not before
public struct ModelConfiguration: Hashable, Identifiable {
    // swiftdata/modelconfiguration/cloudkitdatabase, which cannot be compared
    public struct CloudKitDatabase: Sendable {
        let identifier: String?

        /// The app's entitlements name no container.
        public static var automatic: CloudKitDatabase { CloudKitDatabase(identifier: nil) }
        public static var none: CloudKitDatabase { CloudKitDatabase(identifier: nil) }

        public static func `private`(_ privateDBName: String) -> CloudKitDatabase { CloudKitDatabase(identifier: privateDBName) }
    }

    public let name: String
    public let url: URL
    public var schema: Schema?
    public let isStoredInMemoryOnly: Bool
    public let allowsSave: Bool
    public let cloudKitDatabase: CloudKitDatabase
    public let cloudKitContainerIdentifier: String?
    public var id: URL { url }

    public init(isStoredInMemoryOnly: Bool = false) {
        self.init("default", url: URL(filePath: "/dev/null"), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.init(name ?? "default", schema: schema, url: url, allowsSave: allowsSave, cloudKitDatabase: cloudKitDatabase)
    }

    private init(
        _ name: String, schema: Schema? = nil, url: URL, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name
        self.schema = schema
        self.url = url
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.cloudKitDatabase = cloudKitDatabase
        cloudKitContainerIdentifier = cloudKitDatabase.identifier
    }

    public static func == (left: ModelConfiguration, right: ModelConfiguration) -> Bool { left.id == right.id && left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

@available(*, unavailable)
extension ModelConfiguration: Sendable {}

// swiftdata/modelcontainer
public class ModelContainer: Equatable, @unchecked Sendable {
    // Sound: tests set nothing once it is made.
    public final let schema: Schema
    public var configurations: Set<ModelConfiguration>
    let coordinator: NSPersistentStoreCoordinator
    let model: NSManagedObjectModel

    public convenience init(for types: any PersistentModel.Type..., configurations: ModelConfiguration...) throws {
        try self.init(for: Schema(types), configurations: configurations)
    }

    public init(for schema: Schema, configurations: [ModelConfiguration]) throws {
        guard let model = NSManagedObjectModel.makeManagedObjectModel(for: schema.types) else { throw CocoaError(.fileReadCorruptFile) }
        self.schema = schema
        self.configurations = Set(configurations)
        self.model = model
        let container = NSPersistentContainer(name: "SwiftData", managedObjectModel: model)
        for configuration in configurations where !configuration.isStoredInMemoryOnly {
            let description = NSPersistentStoreDescription(url: configuration.url)
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
            container.persistentStoreDescriptions.append(description)
        }
        container.loadPersistentStores { _, _ in }
        coordinator = container.persistentStoreCoordinator
    }

    public static func == (left: ModelContainer, right: ModelContainer) -> Bool { left === right }

    /// The store of an entity: that of the configuration whose schema has it.
    func store(of entity: String) -> NSPersistentStore? {
        let configuration =
            configurations.first { $0.schema?.entitiesByName[entity] != nil } ?? configurations.first { $0.schema == nil }
        return coordinator.persistentStores.first { $0.url == configuration?.url }
    }
}

// swiftdata/fetchdescriptor
public struct FetchDescriptor<Model: PersistentModel> {
    public var predicate: Predicate<Model>?

    public init(predicate: Predicate<Model>? = nil) { self.predicate = predicate }
}

// swiftdata/modelcontext
public class ModelContext: Equatable, SendableMetatype {
    public static let willSave = Notification.Name("SwiftDataModelContextWillSave")
    public static let didSave = Notification.Name("SwiftDataModelContextDidSave")

    public private(set) var container: ModelContainer
    public var autosaveEnabled = false
    private let objects: NSManagedObjectContext
    private var registered: [PersistentIdentifier: any PersistentModel] = [:]
    private var rows: [PersistentIdentifier: NSManagedObjectID] = [:]
    private var inserted: [PersistentIdentifier] = []
    private var updated: [PersistentIdentifier] = []
    private var deleted: [PersistentIdentifier] = []

    public init(_ container: ModelContainer) {
        self.container = container
        objects = NSManagedObjectContext(coordinator: container.coordinator)
    }

    public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

    public var hasChanges: Bool { !(inserted + updated + deleted).isEmpty }
    public var insertedModelsArray: [any PersistentModel] { inserted.compactMap { registered[$0] } }
    public var changedModelsArray: [any PersistentModel] { updated.compactMap { registered[$0] } }
    public var deletedModelsArray: [any PersistentModel] { deleted.compactMap { registered[$0] } }

    public func insert<Model: PersistentModel>(_ model: Model) {
        model.values.context = self
        registered[model.persistentModelID] = model
        inserted.append(model.persistentModelID)
    }

    public func delete<Model: PersistentModel>(_ model: Model) { deleted.append(model.persistentModelID) }

    func changed(_ identifier: PersistentIdentifier) {
        if !inserted.contains(identifier), !updated.contains(identifier) { updated.append(identifier) }
    }

    /// The model of a row, as a relationship refers to it.
    func model(of objectID: NSManagedObjectID) -> (any PersistentModel)? {
        if let identifier = rows.first(where: { $0.value == objectID })?.key { return registered[identifier] }
        guard let type = container.schema.types.first(where: { Schema.entityName($0) == objectID.entity.name }) else { return nil }
        return container.coordinator.rows(of: objectID.entity.name ?? "")[objectID].map { register(type, objectID, $0) }
    }

    private func register<Model: PersistentModel>(_ type: Model.Type, _ objectID: NSManagedObjectID, _ row: [String: Any]) -> Model {
        let identifier = PersistentIdentifier(
            entityName: Schema.entityName(for: type), name: objectID.uriRepresentation().absoluteString)
        let model = Model(backingData: Model.createBackingData())
        model.values.identifier = identifier
        for property in Model.schemaMetadata {
            guard let value = row[property.name] else { continue }
            model.values.values[property.name] = property.relationship == nil ? property.read(value) : value
        }
        model.values.changed = []
        model.values.context = self
        registered[identifier] = model
        rows[identifier] = objectID
        return model
    }

    /// How often any context has read the store; not Apple's, for tests that run one by one.
    nonisolated(unsafe) public static var fetches = 0

    public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
        Self.fetches += 1
        let entity = Schema.entityName(for: Model.self)
        for (objectID, row) in container.coordinator.rows(of: entity) {
            let identifier = PersistentIdentifier(entityName: entity, name: objectID.uriRepresentation().absoluteString)
            // What was fetched before is not read again.
            if registered[identifier] == nil { _ = register(Model.self, objectID, row) }
        }
        let models = registered.values.compactMap { $0 as? Model }.filter { !deleted.contains($0.persistentModelID) }
        guard let predicate = descriptor.predicate else { return models }
        return try models.filter { try predicate.evaluate($0) }
    }

    public func save() throws {
        NotificationCenter.default.post(name: Self.willSave, object: self)
        let entities = container.model.entitiesByName
        // Relationships may refer to what is inserted with them.
        var insertions: [(model: any PersistentModel, object: NSManagedObject)] = []
        for model in insertedModelsArray {
            let before = model.persistentModelID
            guard let entity = entities[before.entityName] else { continue }
            let object = objects.insertObject(entity)
            if let store = container.store(of: before.entityName) { objects.assign(object, to: store) }
            let uri = object.objectID.uriRepresentation().absoluteString
            model.values.identifier = PersistentIdentifier(entityName: before.entityName, name: uri)
            registered[before] = nil
            registered[model.persistentModelID] = model
            rows[model.persistentModelID] = object.objectID
            insertions.append((model, object))
        }
        for (model, object) in insertions { try store(model, Array(model.values.values.keys), in: object) }
        for model in changedModelsArray {
            guard let row = rows[model.persistentModelID] else { continue }
            try store(model, Array(model.values.changed), in: objects.existingObject(with: row))
        }
        for identifier in deleted {
            if let row = rows[identifier] { objects.delete(try objects.existingObject(with: row)) }
            registered[identifier] = nil
        }
        (inserted, updated, deleted) = ([], [], [])
        try objects.save()
        objects.reset()
        NotificationCenter.default.post(name: Self.didSave, object: self)
    }

    private func store(_ model: any PersistentModel, _ names: [String], in object: NSManagedObject) throws {
        let properties = Dictionary(uniqueKeysWithValues: type(of: model).schemaMetadata.map { ($0.name, $0) })
        func row(_ related: any PersistentModel) throws -> NSManagedObject? {
            try rows[related.persistentModelID].map { try objects.existingObject(with: $0) }
        }
        for name in names {
            switch model.values.values[name] {
            case let related as any PersistentModel: object.setValue(try row(related), forKey: name)
            case let related as [any PersistentModel]: object.setValue(NSSet(array: try related.compactMap(row)), forKey: name)
            case is NSManagedObjectID, is Set<NSManagedObjectID>: break
            case let value?: object.setValue(properties[name]?.stored(value), forKey: name)
            case nil: object.setValue(nil, forKey: name)
            }
        }
        model.values.changed = []
    }
}
