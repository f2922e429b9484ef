import SwiftData
import SwiftUI

@main
struct KilnApp: App {
    var body: some Scene {
        WindowGroup { FiringList() }
            .modelContainer(container)
    }

    private var container: ModelContainer {
        let schema = Schema([Firing.self, Piece.self])
        let configuration = ModelConfiguration(schema: schema, cloudKitDatabase: .automatic)
        do {
            return try ModelContainer(for: schema, configurations: [configuration])
        } catch {
            fatalError("\(error)")
        }
    }
}
