import AtlasModels
import SwiftData

/// The container of the app.
public enum AtlasStore {
    static let cloud = ModelConfiguration.CloudKitDatabase.private("iCloud.org.example.atlas")

    /// The container of the app.
    public static let shared: ModelContainer = {
        let schema = Schema([MapSheet.self, Annotation.self, Author.self])
        let configuration = ModelConfiguration("Atlas", schema: schema, cloudKitDatabase: cloud)
        do {
            return try ModelContainer(for: schema, configurations: configuration)
        } catch {
            fatalError("\(error)")
        }
    }()
}
