import SwiftData
import SwiftUI

@main
struct TempoWatchApp: App {
    var body: some Scene {
        WindowGroup { WatchList() }
            .modelContainer(container)
    }

    private let container: ModelContainer = {
        let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.org.example.tempo.watch"))
        do {
            return try ModelContainer(for: Session.self, Rehearsal.self, configurations: configuration)
        } catch {
            fatalError("\(error)")
        }
    }()
}

struct WatchList: View {
    @Query private var sessions: [Session]

    var body: some View { List(sessions) { Text($0.piece) } }
}
