import SwiftData
import SwiftUI

struct BlockList: View {
    @Query private var blocks: [Block]

    var body: some View { List(blocks) { Text($0.serial) } }
}
