import SwiftData
import SwiftUI

@main
struct LanternApp: App {
    private let container = LanternStore.open()

    init() {
        #if DEBUG
            LanternStore.prepareSchema()
        #endif
    }

    var body: some Scene {
        WindowGroup { NightList() }
            .modelContainer(container)
    }
}
