import Foundation
import SwiftData

@Model
final class Crossing {
    var departs: Date = Date.now
    var passengers: Int? = nil
    var route: Route = Route.north

    init(departs: Date) {
        self.departs = departs
    }
}

enum Route: String, Codable {
    case north, south
}
