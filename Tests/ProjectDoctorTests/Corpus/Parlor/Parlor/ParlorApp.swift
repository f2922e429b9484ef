import SwiftData
import SwiftUI

@main
struct ParlorApp: App {
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup { TableList() }
            .modelContainer(Containers.synced)
    }
}
