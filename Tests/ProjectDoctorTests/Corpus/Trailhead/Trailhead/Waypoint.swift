import CoreLocation
import SwiftData

@Model
final class Waypoint {
    var latitude: Double = 0
    var longitude: Double = 0
    var order: Int = 0
    var photo: Data
    var hike: Hike?

    init(latitude: Double, longitude: Double, order: Int) {
        self.latitude = latitude
        self.longitude = longitude
        self.order = order
        photo = Data()
    }
}

struct Region: Codable {
    var name: String
    var radius: Double
}
