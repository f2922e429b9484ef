// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import CoreData

public struct ModelConfiguration: Hashable, Sendable {
    public struct CloudKitDatabase: Hashable, Sendable {
        let name: String

        public static let automatic = CloudKitDatabase(name: "automatic")
        public static let none = CloudKitDatabase(name: "none")

        public static func `private`(_ name: String) -> CloudKitDatabase { CloudKitDatabase(name: name) }
    }

    public let name: String
    public let url: URL
    public let isStoredInMemoryOnly: Bool
    public let cloudKitDatabase: CloudKitDatabase

    public init(isStoredInMemoryOnly: Bool) {
        name = "default"
        url = URL(filePath: "/dev/null")
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        cloudKitDatabase = .automatic
    }

    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        self.url = url
        isStoredInMemoryOnly = false
        self.cloudKitDatabase = cloudKitDatabase
    }
}

public final class ModelContainer: Sendable {
    public let schema: Schema
    public let configurations: Set<ModelConfiguration>
    let coordinator: NSPersistentStoreCoordinator
    nonisolated(unsafe) let model: NSManagedObjectModel

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
}

public struct FetchDescriptor<Model: PersistentModel> {
    public var predicate: Predicate<Model>?

    public init(predicate: Predicate<Model>? = nil) { self.predicate = predicate }
}

public final class ModelContext {
    public static let willSave = Notification.Name("SwiftDataModelContextWillSave")
    public static let didSave = Notification.Name("SwiftDataModelContextDidSave")

    public let container: ModelContainer
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

    /// How often any context has read the store; not Apple's, for tests that run one by one.
    nonisolated(unsafe) public static var fetches = 0

    public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
        Self.fetches += 1
        let entity = Schema.entityName(for: Model.self)
        for (objectID, row) in container.coordinator.rows(of: entity) {
            let identifier = PersistentIdentifier(entityName: entity, name: objectID.uriRepresentation().absoluteString)
            // What was fetched before is not read again.
            guard registered[identifier] == nil else { continue }
            let model = Model(backingData: Model.createBackingData())
            model.values.identifier = identifier
            model.values.values = row
            model.values.changed = []
            model.values.context = self
            registered[identifier] = model
            rows[identifier] = objectID
        }
        let models = registered.values.compactMap { $0 as? Model }.filter { !deleted.contains($0.persistentModelID) }
        guard let predicate = descriptor.predicate else { return models }
        return try models.filter { try predicate.evaluate($0) }
    }

    public func save() throws {
        NotificationCenter.default.post(name: Self.willSave, object: self)
        let entities = container.model.entitiesByName
        for model in insertedModelsArray {
            let before = model.persistentModelID
            guard let entity = entities[before.entityName] else { continue }
            let object = objects.insertObject(entity)
            for (key, value) in model.values.values { object.setValue(value, forKey: key) }
            let uri = object.objectID.uriRepresentation().absoluteString
            model.values.identifier = PersistentIdentifier(entityName: before.entityName, name: uri)
            registered[before] = nil
            registered[model.persistentModelID] = model
            rows[model.persistentModelID] = object.objectID
            model.values.changed = []
        }
        for model in changedModelsArray {
            guard let row = rows[model.persistentModelID] else { continue }
            let object = try objects.existingObject(with: row)
            for key in model.values.changed { object.setValue(model.values.values[key], forKey: key) }
            model.values.changed = []
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
}
