import Foundation
import SwiftData

@Model
final class Tree {
    var variety: String = ""
    var row: Int = 0
    var planted: Date?
    @Relationship(deleteRule: .cascade, inverse: \Harvest.tree) var harvests: [Harvest]?

    init(variety: String, row: Int) {
        self.variety = variety
        self.row = row
    }
}

@Model
final class Harvest {
    var kilograms: Double = 0
    var day: Date
    var tree: Tree?

    init(kilograms: Double, day: Date) {
        self.kilograms = kilograms
        self.day = day
    }
}
