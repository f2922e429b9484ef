// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's Core Data where that is not to be had: the declarations that the adapters use, named and typed as Apple documents them, with as
// much behaviour as their tests need. Objects are kept in memory, and a save posts what a save posts.

@_exported import Foundation

open class NSPropertyDescription: NSObject {
    public var name: String

    public init(name: String) { self.name = name }
}

public final class NSAttributeDescription: NSPropertyDescription {}

public final class NSRelationshipDescription: NSPropertyDescription {}

public final class NSEntityDescription: NSObject {
    public var name: String?
    public var attributesByName: [String: NSAttributeDescription]

    public init(name: String, attributes: [String]) {
        self.name = name
        attributesByName = Dictionary(uniqueKeysWithValues: attributes.map { ($0, NSAttributeDescription(name: $0)) })
    }
}

public final class NSManagedObjectID: NSObject {
    public let entity: NSEntityDescription
    private let name = UUID()

    public init(entity: NSEntityDescription) { self.entity = entity }

    public func uriRepresentation() -> URL { URL(filePath: "/store/\(entity.name ?? "")/\(name)") }
}

open class NSManagedObject: NSObject {
    public let objectID: NSManagedObjectID
    public var entity: NSEntityDescription { objectID.entity }
    public internal(set) weak var managedObjectContext: NSManagedObjectContext?
    var committed: [String: Any] = [:]
    var pending: [String: Any?] = [:]

    init(objectID: NSManagedObjectID) { self.objectID = objectID }

    open func value(forKey key: String) -> Any? { pending[key] ?? committed[key] }

    open func setValue(_ value: Any?, forKey key: String) {
        pending.updateValue(value, forKey: key)
        managedObjectContext?.objectChanged(self)
    }

    /// What was set since the last save, `NSNull` for nil.
    open func changedValues() -> [String: Any] { pending.mapValues { $0 ?? NSNull() } }

    open func committedValues(forKeys keys: [String]?) -> [String: Any] {
        let keys = keys ?? Array(entity.attributesByName.keys)
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, committed[$0] ?? NSNull()) })
    }
}

open class NSManagedObjectContext: NSObject {
    public static let willSaveObjectsNotification = Notification.Name("NSManagedObjectContextWillSaveNotification")
    public static let didSaveObjectsNotification = Notification.Name("NSManagedObjectContextDidSaveNotification")

    public var transactionAuthor: String?
    public private(set) var insertedObjects: Set<NSManagedObject> = []
    public private(set) var updatedObjects: Set<NSManagedObject> = []
    public private(set) var deletedObjects: Set<NSManagedObject> = []
    public var parent: NSManagedObjectContext?
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator?
    private var objects: [NSManagedObjectID: NSManagedObject] = [:]

    public init(coordinator: NSPersistentStoreCoordinator) { persistentStoreCoordinator = coordinator }

    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }

    open func insertObject(_ entity: NSEntityDescription) -> NSManagedObject {
        let object = NSManagedObject(objectID: NSManagedObjectID(entity: entity))
        object.managedObjectContext = self
        objects[object.objectID] = object
        insertedObjects.insert(object)
        return object
    }

    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        if let object = objects[objectID] { return object }
        guard let row = persistentStoreCoordinator?.rows[objectID] else { throw CocoaError(.fileNoSuchFile) }
        let object = NSManagedObject(objectID: objectID)
        object.committed = row
        object.managedObjectContext = self
        objects[objectID] = object
        return object
    }

    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {}

    open func delete(_ object: NSManagedObject) { deletedObjects.insert(object) }

    /// Forgets every object, so that the next fetch reads from the store.
    open func reset() {
        objects = [:]
        (insertedObjects, updatedObjects, deletedObjects) = ([], [], [])
    }

    func objectChanged(_ object: NSManagedObject) {
        if !insertedObjects.contains(object) { updatedObjects.insert(object) }
    }

    open func save() throws {
        NotificationCenter.default.post(name: Self.willSaveObjectsNotification, object: self)
        persistentStoreCoordinator?.commit(self)
        for object in insertedObjects.union(updatedObjects) {
            object.committed = persistentStoreCoordinator?.rows[object.objectID] ?? [:]
            object.pending = [:]
        }
        for object in deletedObjects { objects[object.objectID] = nil }
        (insertedObjects, updatedObjects, deletedObjects) = ([], [], [])
        NotificationCenter.default.post(name: Self.didSaveObjectsNotification, object: self)
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: persistentStoreCoordinator)
    }

    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let request = request as? NSPersistentHistoryChangeRequest else { throw CocoaError(.featureUnsupported) }
        let transactions = persistentStoreCoordinator?.history(after: request.token) ?? []
        return NSPersistentHistoryResult(result: transactions)
    }
}

extension Notification.Name {
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}
