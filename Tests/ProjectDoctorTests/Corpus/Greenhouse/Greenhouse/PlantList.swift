import SwiftData
import SwiftUI

struct PlantList: View {
    @Query private var plants: [Plant]
    @Query(sort: \Species.latinName) private var species: [Species]

    var body: some View {
        List(plants) { plant in
            Text(plant.nickname)
            Text(species.first { $0.latinName == plant.speciesName }?.commonName ?? "Unknown")
        }
    }
}
