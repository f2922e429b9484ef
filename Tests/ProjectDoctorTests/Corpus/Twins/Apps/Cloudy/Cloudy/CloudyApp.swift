import SwiftData
import SwiftUI

@main
struct CloudyApp: App {
    var body: some Scene {
        WindowGroup { Text("Cloudy") }
            .modelContainer(container)
    }

    private let container: ModelContainer = {
        do {
            return try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .automatic))
        } catch {
            fatalError("\(error)")
        }
    }()
}
