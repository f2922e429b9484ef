#if canImport(CoreData)
    import CoreData
    import SyncObservation

    /// What contexts of this process save, from before the save until the history names it.
    struct SavedValues {
        private var staged: [ObjectIdentifier: [NSManagedObjectID: LocalChange]] = [:]
        private var saved: [NSManagedObjectID: [LocalChange]] = [:]

        /// Remembers what a context is about to save, instead of what it tried to save before and did not.
        mutating func willSave(_ context: ObjectIdentifier, _ changes: [NSManagedObjectID: LocalChange]) { staged[context] = changes }

        mutating func didSave(_ context: ObjectIdentifier) {
            for (objectID, change) in staged.removeValue(forKey: context) ?? [:] { saved[objectID, default: []].append(change) }
        }

        /// The earliest save of an object that the history has not named.
        mutating func next(of objectID: NSManagedObjectID) -> LocalChange? {
            guard let change = saved[objectID]?.first else { return nil }
            saved[objectID]?.removeFirst()
            if saved[objectID]?.isEmpty == true { saved[objectID] = nil }
            return change
        }
    }
#endif
