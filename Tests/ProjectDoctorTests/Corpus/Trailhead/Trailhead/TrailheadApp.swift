import SwiftData
import SwiftUI

@main
struct TrailheadApp: App {
    var body: some Scene {
        WindowGroup {
            HikeList()
        }
        .modelContainer(for: [Hike.self, Waypoint.self])
    }
}
