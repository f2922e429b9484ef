import SwiftUI

@main
struct TempoApp: App {
    var body: some Scene {
        WindowGroup { SessionList() }
            .modelContainer(SharedStore.container)
    }
}
