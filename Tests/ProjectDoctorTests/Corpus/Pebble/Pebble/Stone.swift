import Foundation
import SwiftData

@Model
final class Stone {
    @Attribute(.unique) var code: String
    var weight: Double
    var tags: [String] = []
    var viewed: Int = 0
    @Relationship(deleteRule: .deny) var box: Box?

    init(code: String, weight: Double) {
        self.code = code
        self.weight = weight
    }
}

@Model
final class Box {
    var stones: [Stone] = []

    init() {}
}
