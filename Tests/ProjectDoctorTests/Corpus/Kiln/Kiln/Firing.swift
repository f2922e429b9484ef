import Foundation
import SwiftData

@Model
final class Firing {
    var begun: Date = Date.now
    var cone: String = "06"
    @Relationship(deleteRule: .deny, inverse: \Piece.firing) var pieces: [Piece]?

    init(cone: String) {
        self.cone = cone
    }
}

@Model
final class Piece {
    var name: String = ""
    var glaze: Glaze = Glaze.none
    var maker: Maker?
    var firing: Firing?

    init(name: String) {
        self.name = name
    }
}

enum Glaze: String, Codable, CaseIterable {
    case none, celadon, tenmoku
}

struct Maker: Codable, Hashable {
    var name: String
    var studio: String
}
