import SwiftData
import SwiftUI

struct ShardList: View {
    @Query(sort: \Shard.layer) private var shards: [Shard]

    var body: some View { List(shards) { Text("Layer \($0.layer)") } }
}
