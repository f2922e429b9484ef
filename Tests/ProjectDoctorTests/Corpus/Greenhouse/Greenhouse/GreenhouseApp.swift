import SwiftData
import SwiftUI

@main
struct GreenhouseApp: App {
    @State private var store = GreenhouseStore()

    var body: some Scene {
        WindowGroup { PlantList() }
            .modelContainer(store.container)
    }
}
