import Foundation
import SwiftData

@Model
final class Table {
    var number: Int = 0
    var seats: Int
    @Relationship(deleteRule: .nullify, inverse: \Guest.table) var guests: [Guest]?

    init(number: Int, seats: Int) {
        self.number = number
        self.seats = seats
    }
}

@Model
final class Guest {
    var name: String = ""
    var note: String?
    var table: Table?

    init(name: String) {
        self.name = name
    }
}
