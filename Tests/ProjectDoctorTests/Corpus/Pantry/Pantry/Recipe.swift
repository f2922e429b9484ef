import Foundation
import SwiftData

@Model
final class Recipe {
    var id = UUID()
    var name = ""
    var servings = 2
    var createdAt: Date = Date.now
    @Relationship(inverse: \Ingredient.recipes) var ingredients: [Ingredient]?

    init(name: String) {
        self.name = name
    }
}
