// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

open class NSPersistentStoreRequest: NSObject {}

open class NSPersistentStoreResult: NSObject {}

public final class NSPersistentHistoryToken: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    let number: Int64

    init(number: Int64) { self.number = number }

    public init?(coder: NSCoder) { number = coder.decodeInt64(forKey: "number") }

    public func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    let token: NSPersistentHistoryToken?

    private init(token: NSPersistentHistoryToken?) { self.token = token }

    public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(token: token)
    }
}

public final class NSPersistentHistoryResult: NSPersistentStoreResult {
    public let result: Any?

    init(result: Any?) { self.result = result }
}

public final class NSPersistentHistoryTransaction: NSObject {
    public let timestamp: Date
    public let changes: [NSPersistentHistoryChange]?
    public let transactionNumber: Int64
    public let author: String?
    public var token: NSPersistentHistoryToken { NSPersistentHistoryToken(number: transactionNumber) }

    init(timestamp: Date, changes: [NSPersistentHistoryChange], transactionNumber: Int64, author: String?) {
        self.timestamp = timestamp
        self.changes = changes
        self.transactionNumber = transactionNumber
        self.author = author
    }
}

public enum NSPersistentHistoryChangeType: Int, Sendable {
    case insert = 0
    case update
    case delete
}

public final class NSPersistentHistoryChange: NSObject {
    public let changedObjectID: NSManagedObjectID
    public let changeType: NSPersistentHistoryChangeType
    public let tombstone: [AnyHashable: Any]?
    public let updatedProperties: Set<NSPropertyDescription>?

    init(
        _ objectID: NSManagedObjectID, _ type: NSPersistentHistoryChangeType, tombstone: [AnyHashable: Any]? = nil,
        updated: Set<NSPropertyDescription>? = nil
    ) {
        changedObjectID = objectID
        changeType = type
        self.tombstone = tombstone
        updatedProperties = updated
    }
}

/// A store, with the history that Core Data keeps of it; coordinators of one file share it.
final class StoredRows: @unchecked Sendable {
    let identifier = UUID().uuidString
    // Sound: reached with `lock` held.
    let lock = NSRecursiveLock()
    var rows: [NSManagedObjectID: [String: Any]] = [:]
    var transactions: [NSPersistentHistoryTransaction] = []
    var preservedAfterDeletion: Set<String> = []

    private static let files = NSLock()
    nonisolated(unsafe) private static var opened: [URL: StoredRows] = [:]

    /// The store of a file, which outlives whoever has opened it.
    static func at(_ url: URL) -> StoredRows {
        files.withLock {
            let store = opened[url] ?? StoredRows()
            opened[url] = store
            return store
        }
    }
}

public final class NSPersistentStore: NSObject {
    public let identifier: String?
    public let type: String
    public let url: URL?

    init(identifier: String, type: String, url: URL?) {
        self.identifier = identifier
        self.type = type
        self.url = url
    }
}

public final class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    private(set) var store: StoredRows

    /// The files of the stores and their types; all show the same rows.
    public var files: [(type: String, url: URL)] = [(NSSQLiteStoreType, URL(filePath: "/tmp/Store.sqlite"))]

    public var persistentStores: [NSPersistentStore] {
        files.map { NSPersistentStore(identifier: store.identifier, type: $0.type, url: $0.url) }
    }

    init(store: StoredRows = StoredRows()) { self.store = store }

    /// The attributes that stay in the tombstone of a deleted object.
    public var preservedAfterDeletion: Set<String> {
        get { store.preservedAfterDeletion }
        set { store.preservedAfterDeletion = newValue }
    }

    var rows: [NSManagedObjectID: [String: Any]] {
        get { store.lock.withLock { store.rows } }
        set { store.lock.withLock { store.rows = newValue } }
    }

    /// The rows of an entity.
    public func rows(of entity: String) -> [NSManagedObjectID: [String: Any]] { rows.filter { $0.key.entity.name == entity } }

    /// Opens the store of a file instead.
    func open(_ url: URL) { store = .at(url) }

    func commit(_ context: NSManagedObjectContext) {
        store.lock.lock()
        defer { store.lock.unlock() }
        var changes: [NSPersistentHistoryChange] = []
        for object in context.insertedObjects {
            rows[object.objectID] = object.pending.compactMapValues(\.self)
            changes.append(NSPersistentHistoryChange(object.objectID, .insert))
        }
        for object in context.updatedObjects where !context.deletedObjects.contains(object) {
            for (key, value) in object.pending { rows[object.objectID]?[key] = value }
            let updated = object.pending.keys.compactMap { object.entity.attributesByName[$0] as NSPropertyDescription? }
            changes.append(NSPersistentHistoryChange(object.objectID, .update, updated: Set(updated)))
        }
        for object in context.deletedObjects {
            let tombstone = (rows[object.objectID] ?? [:]).filter { preservedAfterDeletion.contains($0.key) }
            rows[object.objectID] = nil
            changes.append(NSPersistentHistoryChange(object.objectID, .delete, tombstone: tombstone))
        }
        if changes.isEmpty { return }
        let number = Int64(store.transactions.count + 1)
        store.transactions.append(
            NSPersistentHistoryTransaction(
                timestamp: Date(timeIntervalSince1970: 1_768_482_000 + Double(number)), changes: changes, transactionNumber: number,
                author: context.transactionAuthor))
    }

    func history(after token: NSPersistentHistoryToken?) -> [NSPersistentHistoryTransaction] {
        store.lock.withLock { store.transactions.filter { $0.transactionNumber > token?.number ?? 0 } }
    }
}
