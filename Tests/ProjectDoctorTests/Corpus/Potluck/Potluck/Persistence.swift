import CloudKit
import CoreData

final class Persistence {
    static let shared = Persistence()

    let container = NSPersistentCloudKitContainer(name: "Potluck")
    private(set) var sharedStore: NSPersistentStore?

    private init() {
        guard let own = container.persistentStoreDescriptions.first else { fatalError("no description") }
        own.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        own.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        own.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.org.example.potluck")

        guard let others = own.copy() as? NSPersistentStoreDescription, let url = own.url else { fatalError("no copy") }
        others.url = url.deletingLastPathComponent().appendingPathComponent("shared.sqlite")
        let options = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.org.example.potluck")
        options.databaseScope = .shared
        others.cloudKitContainerOptions = options
        container.persistentStoreDescriptions.append(others)

        container.loadPersistentStores { [weak self] description, error in
            if let error { fatalError("\(error)") }
            if description.cloudKitContainerOptions?.databaseScope == .shared, let url = description.url {
                self?.sharedStore = self?.container.persistentStoreCoordinator.persistentStore(for: url)
            }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    func invite(to party: Party) async throws -> CKShare {
        let (_, share, _) = try await container.share([party], to: nil)
        share[CKShare.SystemFieldKey.title] = party.title
        return share
    }
}
