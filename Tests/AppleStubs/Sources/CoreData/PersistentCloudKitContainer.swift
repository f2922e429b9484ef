// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
public let NSSQLiteStoreType = "SQLite"
public let NSInMemoryStoreType = "InMemory"
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

public final class NSManagedObjectModel: NSObject {
    public var entitiesByName: [String: NSEntityDescription] = [:]
}

public final class NSPersistentStoreDescription: NSObject {
    public var url: URL?
    public var shouldMigrateStoreAutomatically = true
    public var shouldInferMappingModelAutomatically = true
    public private(set) var options: [String: NSObject] = [:]

    public init(url: URL) { self.url = url }

    public func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }
}

open class NSPersistentContainer: NSObject {
    public let persistentStoreCoordinator = NSPersistentStoreCoordinator()
    public let managedObjectModel: NSManagedObjectModel
    public var persistentStoreDescriptions: [NSPersistentStoreDescription] = []

    public convenience override init() { self.init(name: "Container", managedObjectModel: NSManagedObjectModel()) }

    public init(name: String, managedObjectModel: NSManagedObjectModel) { self.managedObjectModel = managedObjectModel }

    /// A store that another model was made for is not opened, where it may not be changed.
    open func loadPersistentStores(completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {
        for description in persistentStoreDescriptions {
            guard let url = description.url else { continue }
            persistentStoreCoordinator.open(url)
            let entities = Set(persistentStoreCoordinator.rows.keys.compactMap(\.entity.name))
            let isCompatible = entities.isSubset(of: managedObjectModel.entitiesByName.keys)
            let isTracked = description.options[NSPersistentHistoryTrackingKey] != nil
            block(description, isCompatible && isTracked ? nil : CocoaError(.fileReadCorruptFile))
        }
    }

    open func newBackgroundContext() -> NSManagedObjectContext { NSManagedObjectContext(coordinator: persistentStoreCoordinator) }
}

open class NSPersistentCloudKitContainer: NSPersistentContainer {
    public static let eventChangedNotification = Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
    public static let eventNotificationUserInfoKey = "NSPersistentCloudKitContainerEvent"

    public enum EventType: Int, Sendable {
        case setup = 0
        case `import`
        case export
    }

    public final class Event: NSObject {
        public let identifier: UUID
        public let storeIdentifier: String
        public let type: EventType
        public let startDate: Date
        public let endDate: Date?
        public let succeeded: Bool
        public let error: (any Error)?

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
