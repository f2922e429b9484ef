import CoreData
import SwiftUI

struct BoatList: View {
    @FetchRequest(sortDescriptors: [SortDescriptor(\Boat.name)]) private var boats: FetchedResults<Boat>

    var body: some View { List(boats) { Text($0.name ?? "") } }
}
