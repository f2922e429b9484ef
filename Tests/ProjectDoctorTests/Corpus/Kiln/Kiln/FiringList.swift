import SwiftData
import SwiftUI

struct FiringList: View {
    @Query(sort: \Firing.begun) private var firings: [Firing]
    @Environment(\.modelContext) private var context

    var body: some View {
        List(firings) { firing in
            Text(firing.cone)
        }
        .overlay { if firings.isEmpty { ContentUnavailableView("No firings", systemImage: "flame") } }
    }
}
