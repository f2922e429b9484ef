import SwiftData

@MainActor
final class OrchardData {
    static let shared = OrchardData()
    static let cloudContainer = "iCloud.org.example.orchards"

    let container: ModelContainer

    private init() {
        let schema = Schema([Tree.self, Harvest.self])
        let configuration = ModelConfiguration(schema: schema, cloudKitDatabase: .private(Self.cloudContainer))
        do {
            container = try ModelContainer(for: schema, configurations: [configuration])
        } catch {
            fatalError("\(error)")
        }
    }
}
