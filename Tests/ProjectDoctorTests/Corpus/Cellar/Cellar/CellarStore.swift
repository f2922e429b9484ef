import Foundation
import SwiftData

enum CellarStore {
    static func configuration() -> ModelConfiguration {
        ModelConfiguration("Cellar", schema: Schema([Bottle.self]), cloudKitDatabase: .private("iCloud.org.example.cellar"))
    }

    static func open() -> ModelContainer {
        let configuration = configuration()
        do {
            return try ModelContainer(for: Bottle.self, configurations: configuration)
        } catch {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: configuration.url.path() + suffix)
            }
            do {
                return try ModelContainer(for: Bottle.self, configurations: configuration)
            } catch {
                fatalError("\(error)")
            }
        }
    }

    static func clearThumbnails() throws {
        try FileManager.default.removeItem(at: URL.cachesDirectory.appending(path: "Thumbnails"))
    }
}
