// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import Foundation

// coredata/nspersistentstorerequest
open class NSPersistentStoreRequest: NSObject {
    public var affectedStores: [NSPersistentStore]?
}

// coredata/nspersistentstoreresult
open class NSPersistentStoreResult: NSObject {}

// coredata/nspersistenthistorytoken
open class NSPersistentHistoryToken: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    /// How far each store was read.
    let numbers: [String: Int64]

    init(numbers: [String: Int64]) { self.numbers = numbers }

    public required init?(coder: NSCoder) {
        guard let store = coder.decodeObject(of: NSString.self, forKey: "store") else { return nil }
        numbers = [store as String: coder.decodeInt64(forKey: "number")]
    }

    open func encode(with coder: NSCoder) {
        for (store, number) in numbers {
            coder.encode(store as NSString, forKey: "store")
            coder.encode(number, forKey: "number")
        }
    }
}

// coredata/nspersistenthistorychangerequest
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    let token: NSPersistentHistoryToken?

    private init(token: NSPersistentHistoryToken?) { self.token = token }

    public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(token: token)
    }
}

// coredata/nspersistenthistoryresult
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    public let result: Any?

    init(result: Any?) { self.result = result }
}

// coredata/nspersistenthistorytransaction
open class NSPersistentHistoryTransaction: NSObject {
    public let timestamp: Date
    public let changes: [NSPersistentHistoryChange]?
    public let transactionNumber: Int64
    public let author: String?
    public let storeID: String
    /// Of its own store alone.
    public var token: NSPersistentHistoryToken { NSPersistentHistoryToken(numbers: [storeID: transactionNumber]) }

    init(timestamp: Date, changes: [NSPersistentHistoryChange], transactionNumber: Int64, author: String?, storeID: String) {
        self.storeID = storeID
        self.timestamp = timestamp
        self.changes = changes
        self.transactionNumber = transactionNumber
        self.author = author
    }
}

// coredata/nspersistenthistorychangetype
public enum NSPersistentHistoryChangeType: Int, Sendable {
    case insert = 0
    case update
    case delete
}

// coredata/nspersistenthistorychange
open class NSPersistentHistoryChange: NSObject {
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
