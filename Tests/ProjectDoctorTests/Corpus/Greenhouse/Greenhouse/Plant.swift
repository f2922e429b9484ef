import Foundation
import SwiftData

@Model
final class Plant {
    var nickname: String = ""
    var planted: Date = Date.now
    var speciesName: String = ""
    var bed: Bed?
    @Relationship(deleteRule: .cascade, inverse: \Reading.plant) var readings: [Reading]?

    init(nickname: String) {
        self.nickname = nickname
    }
}

@Model
final class Bed {
    var label: String
    @Relationship(inverse: \Plant.bed) var plants: [Plant]

    init(label: String) {
        self.label = label
        plants = []
    }
}

@Model
final class Reading {
    var moisture: Double = 0
    var taken: Date = Date(timeIntervalSinceReferenceDate: 0)
    var plant: Plant?

    init(moisture: Double) {
        self.moisture = moisture
    }
}
