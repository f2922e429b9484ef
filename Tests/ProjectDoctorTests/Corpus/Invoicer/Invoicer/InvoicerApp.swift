import SwiftUI

@main
struct InvoicerApp: App {
    @StateObject private var watcher = ImportWatcher(CoreDataStack.shared.container.persistentStoreCoordinator)

    var body: some Scene {
        WindowGroup {
            InvoiceList()
                .id(watcher.revision)
                .environment(\.managedObjectContext, CoreDataStack.shared.container.viewContext)
        }
    }
}
