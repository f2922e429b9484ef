// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import Foundation

public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

// coredata/nspersistentcloudkitcontaineroptions
open class NSPersistentCloudKitContainerOptions: NSObject {
    public let containerIdentifier: String

    public init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
}

// coredata/nspersistentstoredescription
open class NSPersistentStoreDescription: NSObject {
    public var url: URL?
    public var shouldMigrateStoreAutomatically = true
    public var shouldInferMappingModelAutomatically = true
    public var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?
    public private(set) var options: [String: NSObject] = [:]

    public init(url: URL) { self.url = url }

    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }
}

// coredata/nspersistentcontainer
open class NSPersistentContainer: NSObject {
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    public let managedObjectModel: NSManagedObjectModel
    public var persistentStoreDescriptions: [NSPersistentStoreDescription] = []

    /// Not Apple's.
    public convenience override init() { self.init(name: "Container", managedObjectModel: NSManagedObjectModel()) }

    public init(name: String, managedObjectModel: NSManagedObjectModel) {
        self.managedObjectModel = managedObjectModel
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel)
    }

    /// A store that another model was made for is not opened, where it may not be changed.
    open func loadPersistentStores(completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {
        persistentStoreCoordinator.open(persistentStoreDescriptions.compactMap { $0.url }.map { (NSSQLiteStoreType, $0) })
        for description in persistentStoreDescriptions {
            guard let url = description.url else { continue }
            let entities = Set(StoredRows.at(url).rows.keys.compactMap(\.entity.name))
            let isCompatible = entities.isSubset(of: managedObjectModel.entitiesByName.keys)
            let isTracked = description.options[NSPersistentHistoryTrackingKey] != nil
            block(description, isCompatible && isTracked ? nil : CocoaError(.fileReadCorruptFile))
        }
    }

    open func newBackgroundContext() -> NSManagedObjectContext { NSManagedObjectContext(coordinator: persistentStoreCoordinator) }
}

// coredata/nspersistentcloudkitcontainer
open class NSPersistentCloudKitContainer: NSPersistentContainer {
    public static let eventChangedNotification = Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
    public static let eventNotificationUserInfoKey = "NSPersistentCloudKitContainerEvent"

    // coredata/nspersistentcloudkitcontainer/eventtype
    public enum EventType: Int, Sendable {
        case setup = 0
        case `import`
        case export
    }

    // coredata/nspersistentcloudkitcontainer/event; of a class that nobody but Core Data makes
    open class Event: NSObject {
        public let identifier: UUID
        public let storeIdentifier: String
        public let type: EventType
        public let startDate: Date
        public let endDate: Date?
        public let succeeded: Bool
        public let error: (any Error)?

        /// Not Apple's.
        public init(
            _ identifier: UUID, _ type: EventType, store: String = "", started: Date, ended: Date? = nil, succeeded: Bool = false,
            error: (any Error)? = nil
        ) {
            self.identifier = identifier
            storeIdentifier = store
            self.type = type
            startDate = started
            endDate = ended
            self.succeeded = succeeded
            self.error = error
        }
    }
}
