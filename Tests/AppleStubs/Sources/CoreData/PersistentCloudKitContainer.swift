// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

open class NSPersistentContainer: NSObject {
    public let persistentStoreCoordinator = NSPersistentStoreCoordinator()

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
        public let type: EventType
        public let startDate: Date
        public let endDate: Date?
        public let succeeded: Bool
        public let error: (any Error)?

        public init(
            _ identifier: UUID, _ type: EventType, started: Date, ended: Date? = nil, succeeded: Bool = false, error: (any Error)? = nil
        ) {
            self.identifier = identifier
            self.type = type
            startDate = started
            endDate = ended
            self.succeeded = succeeded
            self.error = error
        }
    }
}
