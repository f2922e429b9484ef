import Foundation
import SwiftData

enum Containers {
    static let synced = make("Tables", of: [Table.self, Guest.self], in: preferred)
    static let statistics = make("Statistics", of: [Visit.self], in: .none)

    private static let identifier = "iCloud.org.example.parlor"

    private static var preferred: ModelConfiguration.CloudKitDatabase {
        ProcessInfo.processInfo.arguments.contains("-offline") ? .none : .private(identifier)
    }

    private static func make(
        _ name: String, of types: [any PersistentModel.Type], in database: ModelConfiguration.CloudKitDatabase
    ) -> ModelContainer {
        let schema = Schema(types)
        let configuration = ModelConfiguration(name, schema: schema, cloudKitDatabase: database)
        do {
            return try ModelContainer(for: schema, configurations: configuration)
        } catch {
            preconditionFailure("\(name): \(error)")
        }
    }
}
