import SwiftData
import SwiftUI

struct StoneList: View {
    @Query private var stones: [Stone]

    var body: some View {
        List(stones) { stone in
            Text(stone.code).onTapGesture { stone.view() }
        }
    }
}
