import SwiftData
import SwiftUI

@main
struct FerryApp: App {
    private static let database = ModelConfiguration.CloudKitDatabase.private("iCloud.org.example.ferry")
    private let container: ModelContainer

    init() {
        do {
            container = try ModelContainer(
                for: Crossing.self, configurations: ModelConfiguration("Ferry", cloudKitDatabase: Self.database))
        } catch {
            fatalError("\(error)")
        }
    }

    var body: some Scene {
        WindowGroup { CrossingTable() }
            .modelContainer(container)
        Settings { Text("Ferry") }
    }
}
