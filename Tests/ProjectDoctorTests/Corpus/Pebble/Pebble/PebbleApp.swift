import SwiftData
import SwiftUI

@main
struct PebbleApp: App {
    var body: some Scene {
        WindowGroup { StoneList() }
            .modelContainer(for: Stone.self)
    }
}
