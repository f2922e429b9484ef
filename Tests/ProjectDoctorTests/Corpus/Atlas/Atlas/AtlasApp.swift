import AtlasModels
import AtlasStore
import SwiftData
import SwiftUI

@main
struct AtlasApp: App {
    var body: some Scene {
        WindowGroup { MapList() }
            .modelContainer(AtlasStore.shared)
    }
}

struct MapList: View {
    @Query(sort: \MapSheet.title) private var sheets: [MapSheet]

    var body: some View { List(sheets) { Text($0.title) } }
}
