#if canImport(SwiftData)
    import CoreData
    import Foundation
    import SwiftData

    /// A second look at the store file that SwiftData keeps, by Core Data, which shows the history on every system; nothing is saved
    /// through it.
    struct StoreHistory: Sendable {
        // Sound: a container's own properties do not change once its store is loaded, and contexts may be made on any thread.
        private nonisolated(unsafe) let container: NSPersistentContainer

        /// Opens the file of a store that SwiftData has opened.
        ///
        /// - Throws: ``SwiftDataAuditError``, or what Core Data throws.
        init(url: URL, types: [any PersistentModel.Type]) throws {
            guard let model = NSManagedObjectModel.makeManagedObjectModel(for: types) else {
                throw SwiftDataAuditError("SwiftData makes no model of \(types): name every model class of the container")
            }
            let description = NSPersistentStoreDescription(url: url)
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
            description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
            // A model that is not the container's must be an error, and no reason to change the file.
            description.shouldMigrateStoreAutomatically = false
            description.shouldInferMappingModelAutomatically = false
            let container = NSPersistentContainer(name: "SyncObservation", managedObjectModel: model)
            container.persistentStoreDescriptions = [description]
            var failure: (any Error)?
            // Returns when the store is loaded, as the description does not ask for anything else.
            container.loadPersistentStores { _, error in failure = error }
            if let failure { throw failure }
            guard let identifier = container.persistentStoreCoordinator.persistentStores.first?.identifier, !identifier.isEmpty else {
                throw SwiftDataAuditError("the store '\(url.lastPathComponent)' has no identifier, although Core Data has opened it")
            }
            self.identifier = identifier
            self.url = url
            unsafe self.container = container
        }

        /// The store's identifier, which the mirroring's events name.
        let identifier: String
        /// Where its database is.
        let url: URL

        func newContext() -> NSManagedObjectContext { unsafe container.newBackgroundContext() }
    }

    /// What keeps a SwiftData store from being audited.
    public struct SwiftDataAuditError: Error, Sendable, CustomStringConvertible {
        /// A sentence that names the value and the remedy, without its full stop.
        public let description: String

        init(_ description: String) { self.description = description }
    }
#endif
