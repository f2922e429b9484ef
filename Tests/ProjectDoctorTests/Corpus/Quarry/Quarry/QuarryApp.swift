import CoreData
import SwiftData
import SwiftUI

@main
struct QuarryApp: App {
    private let container: ModelContainer = {
        let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.org.example.quarry"))
        do {
            return try ModelContainer(for: Block.self, configurations: configuration)
        } catch {
            fatalError("\(error)")
        }
    }()

    var body: some Scene {
        WindowGroup {
            BlockList()
                .onReceive(NotificationCenter.default.publisher(for: .NSPersistentStoreRemoteChange)) { _ in }
        }
        .modelContainer(container)
    }
}
