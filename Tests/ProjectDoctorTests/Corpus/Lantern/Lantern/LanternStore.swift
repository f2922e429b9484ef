import CoreData
import Foundation
import SwiftData

enum LanternStore {
    static let identifier = "iCloud.org.example.lantern"

    static func open() -> ModelContainer {
        let schema = Schema([Night.self, Sighting.self])
        #if DEBUG
            let names = Schema([Night.self, Sighting.self, Fixture.self])
            let configuration = ModelConfiguration(schema: names, isStoredInMemoryOnly: true)
            do {
                return try ModelContainer(for: names, configurations: configuration)
            } catch {
                fatalError("\(error)")
            }
        #else
            let cloud = ModelConfiguration(schema: schema, cloudKitDatabase: .private(identifier))
            if let container = try? ModelContainer(for: schema, configurations: cloud) {
                return container
            }
            let local = ModelConfiguration("Fallback", schema: schema, cloudKitDatabase: .none)
            do {
                return try ModelContainer(for: schema, configurations: local)
            } catch {
                fatalError("\(error)")
            }
        #endif
    }

    /// Run once from Xcode, after a change of the models.
    static func prepareSchema() {
        guard ProcessInfo.processInfo.arguments.contains("-schema") else { return }
        guard let model = NSManagedObjectModel.makeManagedObjectModel(for: [Night.self, Sighting.self]) else { return }
        let container = NSPersistentCloudKitContainer(name: "Schema", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.cloudKitContainerOptions = .init(containerIdentifier: identifier)
        container.loadPersistentStores { _, error in
            if let error { print(error) }
        }
        try? container.initializeCloudKitSchema()
    }
}
