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

/// The store, with the history that Core Data keeps of it.
public final class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    // Sound in tests, which use a store from one thread.
    var rows: [NSManagedObjectID: [String: Any]] = [:]
    private var transactions: [NSPersistentHistoryTransaction] = []
    /// The attributes that stay in the tombstone of a deleted object.
    public var preservedAfterDeletion: Set<String> = []

    func commit(_ context: NSManagedObjectContext) {
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
        let number = Int64(transactions.count + 1)
        transactions.append(
            NSPersistentHistoryTransaction(
                timestamp: Date(timeIntervalSince1970: 1_768_482_000 + Double(number)), changes: changes, transactionNumber: number,
                author: context.transactionAuthor))
    }

    func history(after token: NSPersistentHistoryToken?) -> [NSPersistentHistoryTransaction] {
        transactions.filter { $0.transactionNumber > token?.number ?? 0 }
    }
}
