import CoreData
import SwiftUI

struct DishList: View {
    @FetchRequest(sortDescriptors: [SortDescriptor(\Dish.name)]) private var dishes: FetchedResults<Dish>

    var body: some View { List(dishes) { Text($0.name ?? "") } }
}
