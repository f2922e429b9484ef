import SwiftData
import SwiftUI

struct HikeList: View {
    @Query(sort: \Hike.start, order: .reverse) private var hikes: [Hike]
    @Environment(\.modelContext) private var context

    var body: some View {
        NavigationStack {
            List {
                ForEach(hikes) { hike in
                    LabeledContent(hike.title, value: hike.start.formatted())
                }
                .onDelete { offsets in
                    offsets.map { hikes[$0] }.forEach(context.delete)
                }
            }
        }
    }
}

#Preview {
    HikeList()
        .modelContainer(for: [Hike.self, Waypoint.self], inMemory: true)
}
