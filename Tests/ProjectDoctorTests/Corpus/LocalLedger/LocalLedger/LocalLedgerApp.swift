import SwiftData
import SwiftUI

@main
struct LocalLedgerApp: App {
    private let container = Storage.makeContainer()

    var body: some Scene {
        WindowGroup { EntryList() }
            .modelContainer(container)
    }
}
