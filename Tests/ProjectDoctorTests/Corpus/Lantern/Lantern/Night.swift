import Foundation
import SwiftData

@Model
final class Night {
    var date: Date = Date.now
    var seeing: Int?
    @Relationship(deleteRule: .cascade, inverse: \Sighting.night) var sightings: [Sighting]?

    init(date: Date) {
        self.date = date
    }
}

@Model
final class Sighting {
    var object: String = ""
    #if DEBUG
        var trace: String = ""
    #endif
    var magnitude: Double
    var night: Night?

    init(object: String, magnitude: Double) {
        self.object = object
        self.magnitude = magnitude
    }
}
