import SwiftData
import SwiftUI

@main
struct DeskApp: App {
    var body: some Scene {
        WindowGroup { Text("Desk") }
            .modelContainer(for: Note.self)
    }
}
