import CoreData

final class CoreDataStack {
    static let shared = CoreDataStack()

    let container: NSPersistentCloudKitContainer

    private init() {
        container = NSPersistentCloudKitContainer(name: "Invoicer")
        let folder = NSPersistentContainer.defaultDirectoryURL()

        let cloud = NSPersistentStoreDescription(url: folder.appendingPathComponent("cloud.sqlite"))
        cloud.configuration = "Cloud"
        cloud.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.org.example.invoicer")
        cloud.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)

        let local = NSPersistentStoreDescription(url: folder.appendingPathComponent("local.sqlite"))
        local.configuration = "Local"
        local.cloudKitContainerOptions = nil

        container.persistentStoreDescriptions = [cloud, local]
        container.loadPersistentStores { description, error in
            if let error { fatalError("\(description): \(error)") }
        }
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    }
}
