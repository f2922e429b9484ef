import SwiftData
import SwiftUI

@main
struct PantryApp: App {
    let container: ModelContainer

    init() {
        let schema = Schema([Ingredient.self, Shelf.self, Recipe.self])
        let configuration = ModelConfiguration("Pantry", schema: schema, cloudKitDatabase: .private("iCloud.org.example.pantry"))
        do {
            container = try ModelContainer(for: schema, configurations: configuration)
        } catch {
            fatalError("The pantry does not open: \(error)")
        }
    }

    var body: some Scene {
        WindowGroup { ShelfList() }
            .modelContainer(container)
    }
}
