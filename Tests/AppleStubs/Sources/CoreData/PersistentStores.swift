// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import Foundation

public let NSSQLiteStoreType = "SQLite"
public let NSInMemoryStoreType = "InMemory"

// coredata/nspersistentstore
open class NSPersistentStore: NSObject {
    // In Swift an implicitly unwrapped optional, since Objective-C says nothing of it.
    public var identifier: String? { content.identifier }
    public let type: String
    public let url: URL?
    public var configurationName: String { "PF_DEFAULT_CONFIGURATION_NAME" }
    let content: StoredRows

    init(_ content: StoredRows, type: String, url: URL?) {
        self.content = content
        self.type = type
        self.url = url
    }
}

/// The content of a store, with the history that Core Data keeps of it; coordinators of one file share it.
final class StoredRows: @unchecked Sendable {
    let identifier = UUID().uuidString
    // Sound: reached with `lock` held.
    let lock = NSRecursiveLock()
    var rows: [NSManagedObjectID: [String: Any]] = [:]
    var transactions: [NSPersistentHistoryTransaction] = []

    private static let files = NSLock()
    // Sound: reached with `files` held.
    nonisolated(unsafe) private static var opened: [URL: StoredRows] = [:]

    /// The store of a file, which outlives whoever has opened it.
    static func at(_ url: URL) -> StoredRows {
        files.withLock {
            let store = opened[url] ?? StoredRows()
            opened[url] = store
            return store
        }
    }

    func history(after token: NSPersistentHistoryToken?) -> [NSPersistentHistoryTransaction] {
        lock.withLock { transactions.filter { $0.transactionNumber > token?.numbers[identifier] ?? 0 } }
    }

    func append(_ changes: [NSPersistentHistoryChange], by author: String?) {
        if changes.isEmpty { return }
        let number = Int64(transactions.count + 1)
        transactions.append(
            NSPersistentHistoryTransaction(
                timestamp: Date(timeIntervalSince1970: 1_768_482_000 + Double(number)), changes: changes, transactionNumber: number,
                author: author, storeID: identifier))
    }
}

// coredata/nspersistentstorecoordinator
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    // Sound: tests open stores before they use them from several threads.
    public internal(set) var managedObjectModel: NSManagedObjectModel
    public private(set) var persistentStores: [NSPersistentStore]

    init(_ model: NSManagedObjectModel) {
        managedObjectModel = model
        persistentStores = [NSPersistentStore(StoredRows(), type: NSSQLiteStoreType, url: URL(filePath: "/tmp/Store.sqlite"))]
    }

    /// Not Apple's: has other stores, of those types and at those locations.
    public func open(_ files: [(type: String, url: URL)]) {
        persistentStores = files.map { NSPersistentStore(.at($0.url), type: $0.type, url: $0.url) }
    }

    /// Not Apple's: the rows of an entity, in every store.
    public func rows(of entity: String) -> [NSManagedObjectID: [String: Any]] {
        var found: [NSManagedObjectID: [String: Any]] = [:]
        for store in persistentStores {
            store.content.lock.withLock { found.merge(store.content.rows.filter { $0.key.entity.name == entity }) { $1 } }
        }
        return found
    }

    func row(_ objectID: NSManagedObjectID) -> [String: Any]? {
        for store in persistentStores {
            if let row = store.content.lock.withLock({ store.content.rows[objectID] }) { return row }
        }
        return nil
    }

    func commit(_ context: NSManagedObjectContext) {
        for store in persistentStores {
            let content = store.content
            func isHere(_ object: NSManagedObject) -> Bool {
                // A file may be open twice.
                object.objectID.persistentStore?.content === content || content.rows[object.objectID] != nil
            }
            content.lock.lock()
            defer { content.lock.unlock() }
            var changes: [NSPersistentHistoryChange] = []
            for object in context.insertedObjects where isHere(object) {
                content.rows[object.objectID] = object.stored.compactMapValues(\.self)
                changes.append(NSPersistentHistoryChange(object.objectID, .insert))
            }
            for object in context.updatedObjects where isHere(object) && !context.deletedObjects.contains(object) {
                for (key, value) in object.stored { content.rows[object.objectID]?[key] = value }
                let updated = object.pending.keys.compactMap { object.entity.propertiesByName[$0] }
                changes.append(NSPersistentHistoryChange(object.objectID, .update, updated: Set(updated)))
            }
            for object in context.deletedObjects where isHere(object) {
                let preserved = object.entity.attributesByName.filter { $0.value.preservesValueInHistoryOnDeletion }
                let tombstone = (content.rows[object.objectID] ?? [:]).filter { preserved[$0.key] != nil }
                content.rows[object.objectID] = nil
                changes.append(NSPersistentHistoryChange(object.objectID, .delete, tombstone: tombstone))
            }
            content.append(changes, by: context.transactionAuthor)
        }
    }
}
