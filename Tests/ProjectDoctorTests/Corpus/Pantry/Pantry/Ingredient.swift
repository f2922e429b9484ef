import Foundation
import SwiftData

@Model
final class Ingredient {
    @Attribute(.unique) var barcode: String = ""
    var name: String = ""
    var amount: Double
    var unit: Unit
    var bestBefore: Date?
    @Attribute(.externalStorage) var photo: Data?
    @Transient var isSelected: Bool = false
    var shelf: Shelf?
    var recipes: [Recipe] = []

    enum Unit: String, Codable {
        case gram, litre, piece
    }

    var isExpired: Bool {
        guard let bestBefore else { return false }
        return bestBefore < .now
    }

    static let lowAmount: Double = 1

    init(barcode: String, name: String, amount: Double, unit: Unit = .piece) {
        self.barcode = barcode
        self.name = name
        self.amount = amount
        self.unit = unit
    }
}
