import Foundation
import SwiftData

/// Downloaded again whenever the catalogue has a new version.
@Model
final class Species {
    @Attribute(.unique) var latinName: String
    var commonName: String
    var minimumTemperature: Double
    var vendors: [Vendor]

    init(latinName: String, commonName: String, minimumTemperature: Double) {
        self.latinName = latinName
        self.commonName = commonName
        self.minimumTemperature = minimumTemperature
        vendors = []
    }
}

@Model
final class Vendor {
    @Attribute(.unique) var code: Int
    @Relationship(inverse: \Species.vendors) var species: [Species]

    init(code: Int) {
        self.code = code
        species = []
    }
}
