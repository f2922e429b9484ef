import Foundation
import SwiftData

@Model
final class Shard {
    var found: Date = Date.now
    var layer: Int
    var vessel: Vessel?

    init(layer: Int) {
        self.layer = layer
    }
}

@Model
final class Vessel {
    var name: String?
    @Relationship(inverse: \Shard.vessel) var shards: [Shard]

    init(name: String) {
        self.name = name
        shards = []
    }
}
