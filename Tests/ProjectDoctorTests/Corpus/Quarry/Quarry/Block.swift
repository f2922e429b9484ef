import Foundation
import SwiftData

@Model
final class Block {
    var serial: String = UUID().uuidString
    var mass: Measurement<UnitMass>?
    var cut: Date = Date.distantPast
    var faces: Int = 6
    var parent: Block?
    @Relationship(inverse: \Block.parent) var pieces: [Block]? = []

    init(cut: Date) {
        self.cut = cut
    }
}
