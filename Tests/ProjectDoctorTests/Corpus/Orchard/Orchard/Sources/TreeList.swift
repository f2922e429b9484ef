import SwiftData
import SwiftUI

struct TreeList: View {
    @Query(sort: [SortDescriptor(\Tree.row), SortDescriptor(\Tree.variety)]) private var trees: [Tree]

    var body: some View {
        List(trees) { tree in
            Text(tree.variety).badge(tree.harvests?.count ?? 0)
        }
    }
}
