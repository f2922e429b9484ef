import Foundation
import SwiftData

enum AlmanacMigrations: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [AlmanacSchemaV1.self, AlmanacSchemaV2.self] }
    static var stages: [MigrationStage] { [toSeasons] }

    static let toSeasons = MigrationStage.custom(
        fromVersion: AlmanacSchemaV1.self, toVersion: AlmanacSchemaV2.self, willMigrate: nil,
        didMigrate: { context in
            let spring = AlmanacSchemaV2.Season(name: "Spring")
            context.insert(spring)
            for event in try context.fetch(FetchDescriptor<AlmanacSchemaV2.Event>()) { event.season = spring }
            try context.save()
        })
}
