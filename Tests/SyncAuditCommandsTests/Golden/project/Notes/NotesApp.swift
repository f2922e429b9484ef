import SwiftData
import SwiftUI

@main
struct NotesApp: App {
    let container: ModelContainer?

    init() {
        let cloud = ModelConfiguration(for: Note.self, cloudKitDatabase: .private("iCloud.example.note"))
        let cache = ModelConfiguration("cache", schema: Schema([CachedPage.self]), cloudKitDatabase: .none)
        container = try? ModelContainer(for: Note.self, CachedPage.self, configurations: cloud, cache)
    }

    func read(_ note: Note) { note.reads += 1 }
}
