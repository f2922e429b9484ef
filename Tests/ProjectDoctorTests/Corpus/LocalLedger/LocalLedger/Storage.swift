import Foundation
import SwiftData

enum Storage {
    static func makeContainer() -> ModelContainer {
        let schema = Schema([Entry.self, Account.self])
        let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: false, cloudKitDatabase: .none)
        do {
            return try ModelContainer(for: schema, configurations: [configuration])
        } catch {
            fatalError("\(error)")
        }
    }

    /// A copy of the store for the user, in iCloud Drive.
    static func exportCopy(of store: URL) throws {
        guard let drive = FileManager.default.url(forUbiquityContainerIdentifier: nil) else { return }
        let target = drive.appending(path: "Documents/Ledger.backup")
        try FileManager.default.copyItem(at: store, to: target)
    }
}
