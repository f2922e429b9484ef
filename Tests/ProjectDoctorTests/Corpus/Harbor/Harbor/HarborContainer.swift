import CoreData

/// Keeps the store in the folder of the group.
final class HarborContainer: NSPersistentCloudKitContainer, @unchecked Sendable {
    override class func defaultDirectoryURL() -> URL {
        super.defaultDirectoryURL().appendingPathComponent("Harbor", isDirectory: true)
    }

    override init(name: String, managedObjectModel model: NSManagedObjectModel) {
        super.init(name: name, managedObjectModel: model)
        persistentStoreDescriptions.first?.cloudKitContainerOptions =
            NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.org.example.harbor")
    }
}

enum HarborStore {
    static let container: NSPersistentContainer = {
        let container = HarborContainer(name: "Harbor")
        container.loadPersistentStores { _, error in
            if let error { fatalError("\(error)") }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
        return container
    }()

    static func preview() -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Harbor")
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        return container
    }
}
