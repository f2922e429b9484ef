import SwiftData
import SwiftUI

@main
struct ShatteredApp: App {
    private let container: ModelContainer = {
        let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.org.example.shattered"))
        do {
            return try ModelContainer(for: Shard.self, Vessel.self, configurations: configuration)
        } catch {
            fatalError("\(error)")
        }
    }()

    var body: some Scene {
        WindowGroup { ShardList() }
            .modelContainer(container)
    }
}
