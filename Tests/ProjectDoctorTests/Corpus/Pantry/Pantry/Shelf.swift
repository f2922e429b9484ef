import Foundation
import SwiftData

@Model
final class Shelf {
    var title: String = "Shelf"
    var position: Int = 0
    @Relationship(deleteRule: .deny, inverse: \Ingredient.shelf) var ingredients: [Ingredient]?
    @Relationship var favourite: Recipe?

    init(title: String, position: Int) {
        self.title = title
        self.position = position
    }
}
