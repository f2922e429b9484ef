import SwiftUI

@main
struct BeaconApp: App {
    @State private var places = PlaceStore()

    var body: some Scene {
        WindowGroup {
            List(places.all) { Text($0.name) }
                .task { places.sync.start() }
        }
    }
}
