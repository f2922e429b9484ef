import CoreLocation
import SwiftData

@Model
final class Hike {
    var title: String = ""
    var start: Date = Date()
    var distance: Double = 0
    var difficulty: Difficulty? = Difficulty.easy
    @Relationship(deleteRule: .cascade, inverse: \Waypoint.hike) var waypoints: [Waypoint]? = []

    init(title: String) {
        self.title = title
    }

    var sortedWaypoints: [Waypoint] {
        (waypoints ?? []).sorted { $0.order < $1.order }
    }
}

enum Difficulty: Int, Codable {
    case easy = 1
    case hard = 2
}
