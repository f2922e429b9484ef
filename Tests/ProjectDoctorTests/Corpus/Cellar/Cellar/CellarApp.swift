import SwiftData
import SwiftUI

@main
struct CellarApp: App {
    private let container = CellarStore.open()

    var body: some Scene {
        WindowGroup { BottleList() }
            .modelContainer(container)
    }
}
