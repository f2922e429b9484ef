import SwiftData
import SwiftUI

struct BottleList: View {
    @Query(sort: \Bottle.vintage) private var bottles: [Bottle]

    var body: some View { List(bottles) { Text($0.label) } }
}
