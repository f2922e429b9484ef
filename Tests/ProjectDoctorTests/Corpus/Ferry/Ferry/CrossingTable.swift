import SwiftData
import SwiftUI

struct CrossingTable: View {
    @Query(sort: \Crossing.departs) private var crossings: [Crossing]

    var body: some View {
        Table(crossings) {
            TableColumn("Departs") { Text($0.departs, style: .time) }
            TableColumn("Route") { Text($0.route.rawValue) }
        }
    }
}
