import SwiftData
import SwiftUI

typealias Event = AlmanacSchemaV2.Event
typealias Season = AlmanacSchemaV2.Season

@main
struct AlmanacApp: App {
    private let container: ModelContainer = {
        let schema = Schema(versionedSchema: AlmanacSchemaV2.self)
        let configuration = ModelConfiguration(schema: schema, cloudKitDatabase: .automatic)
        do {
            return try ModelContainer(for: schema, migrationPlan: AlmanacMigrations.self, configurations: [configuration])
        } catch {
            fatalError(error.localizedDescription)
        }
    }()

    var body: some Scene {
        WindowGroup { EventList() }
            .modelContainer(container)
    }
}
