import SwiftUI

@main
struct PotluckApp: App {
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            DishList().environment(\.managedObjectContext, Persistence.shared.container.viewContext)
        }
    }
}
