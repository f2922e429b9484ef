import Foundation
import SwiftData

enum SharedStore {
    static let group = "group.org.example.tempo"

    static let container: ModelContainer = {
        let schema = Schema([Session.self, Rehearsal.self])
        let configuration = ModelConfiguration(
            "Tempo", schema: schema, groupContainer: .identifier(group), cloudKitDatabase: .private("iCloud.org.example.tempo"))
        do {
            return try ModelContainer(for: schema, configurations: configuration)
        } catch {
            fatalError("\(error)")
        }
    }()
}
