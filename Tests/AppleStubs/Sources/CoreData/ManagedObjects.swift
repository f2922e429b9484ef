// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// Objects are kept in memory, and a save posts what a save posts.

import Foundation

// coredata/nsmanagedobjectid
open class NSManagedObjectID: NSObject {
    public let entity: NSEntityDescription
    /// Nil of a temporary one.
    public internal(set) weak var persistentStore: NSPersistentStore?
    private let name = UUID()

    init(entity: NSEntityDescription) { self.entity = entity }

    open func uriRepresentation() -> URL { URL(filePath: "/store/\(entity.name ?? "")/\(name)") }
}

// coredata/nsmanagedobject
open class NSManagedObject: NSObject {
    public let objectID: NSManagedObjectID
    public var entity: NSEntityDescription { objectID.entity }
    public internal(set) weak var managedObjectContext: NSManagedObjectContext?
    var committed: [String: Any] = [:]
    var pending: [String: Any?] = [:]

    init(objectID: NSManagedObjectID) { self.objectID = objectID }

    open func value(forKey key: String) -> Any? { resolved(pending[key] ?? committed[key]) }

    open func setValue(_ value: Any?, forKey key: String) {
        pending.updateValue(value, forKey: key)
        managedObjectContext?.objectChanged(self)
    }

    /// What was set since the last save, `NSNull` for nil.
    open func changedValues() -> [String: Any] { pending.mapValues { $0 ?? NSNull() } }

    open func committedValues(forKeys keys: [String]?) -> [String: Any] {
        let keys = keys ?? Array(entity.propertiesByName.keys)
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, committed[$0].flatMap(resolved) ?? NSNull()) })
    }

    /// A store holds the identifiers of related objects.
    private func resolved(_ value: Any?) -> Any? {
        switch value {
        case let related as NSManagedObjectID: try? managedObjectContext?.existingObject(with: related)
        case let related as Set<NSManagedObjectID>:
            NSSet(array: related.compactMap { try? managedObjectContext?.existingObject(with: $0) })
        default: value
        }
    }

    /// What a store holds of what was set.
    var stored: [String: Any?] {
        pending.mapValues { value -> Any? in
            switch value {
            case let related as NSManagedObject: related.objectID
            case let related as NSSet: Set(related.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID })
            default: value
            }
        }
    }
}

// coredata/nsmanagedobjectcontext
open class NSManagedObjectContext: NSObject {
    public static let willSaveObjectsNotification = Notification.Name("NSManagedObjectContextWillSaveNotification")
    public static let didSaveObjectsNotification = Notification.Name("NSManagedObjectContextDidSaveNotification")

    public var transactionAuthor: String?
    public private(set) var insertedObjects: Set<NSManagedObject> = []
    public private(set) var updatedObjects: Set<NSManagedObject> = []
    public private(set) var deletedObjects: Set<NSManagedObject> = []
    public var parent: NSManagedObjectContext?
    public private(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    private var objects: [NSManagedObjectID: NSManagedObject] = [:]
    private var assigned: [NSManagedObjectID: NSPersistentStore] = [:]

    /// Not Apple's.
    public init(coordinator: NSPersistentStoreCoordinator) { persistentStoreCoordinator = coordinator }

    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }

    /// Not Apple's: what `NSManagedObject(entity:insertInto:)` does.
    open func insertObject(_ entity: NSEntityDescription) -> NSManagedObject {
        let object = NSManagedObject(objectID: NSManagedObjectID(entity: entity))
        object.managedObjectContext = self
        objects[object.objectID] = object
        insertedObjects.insert(object)
        return object
    }

    open func assign(_ object: Any, to store: NSPersistentStore) {
        if let object = object as? NSManagedObject { assigned[object.objectID] = store }
    }

    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        if let object = objects[objectID] { return object }
        guard let row = persistentStoreCoordinator?.row(objectID) else { throw CocoaError(.fileNoSuchFile) }
        let object = NSManagedObject(objectID: objectID)
        object.committed = row
        object.managedObjectContext = self
        objects[objectID] = object
        return object
    }

    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        for object in objects where object.objectID.persistentStore == nil {
            object.objectID.persistentStore = assigned[object.objectID] ?? persistentStoreCoordinator?.persistentStores.first
        }
    }

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
        try obtainPermanentIDs(for: Array(insertedObjects))
        persistentStoreCoordinator?.commit(self)
        for object in insertedObjects.union(updatedObjects) {
            object.committed = persistentStoreCoordinator?.row(object.objectID) ?? [:]
            object.pending = [:]
        }
        for object in deletedObjects { objects[object.objectID] = nil }
        (insertedObjects, updatedObjects, deletedObjects) = ([], [], [])
        NotificationCenter.default.post(name: Self.didSaveObjectsNotification, object: self)
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: persistentStoreCoordinator)
    }

    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let request = request as? NSPersistentHistoryChangeRequest else { throw CocoaError(.featureUnsupported) }
        let stores = request.affectedStores ?? persistentStoreCoordinator?.persistentStores ?? []
        let transactions = stores.flatMap { $0.content.history(after: request.token) }
        return NSPersistentHistoryResult(result: transactions)
    }
}

extension Notification.Name {
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}
