import SwiftData
import SwiftUI

struct ShelfList: View {
    @Query(sort: \Shelf.position) private var shelves: [Shelf]
    @Environment(\.modelContext) private var context

    var body: some View {
        List(shelves) { shelf in
            Section(shelf.title) {
                ForEach(shelf.ingredients ?? []) { ingredient in
                    Text(ingredient.name)
                }
            }
        }
        .toolbar {
            Button("Add") { context.insert(Shelf(title: "New", position: shelves.count)) }
        }
    }
}
