#if canImport(CoreData)
    import CoreData
    import SyncModel
    import SyncObservation

    /// What contexts of this process save, from before the save until the history names it.
    struct SavedValues {
        /// What a saved object is known by.
        enum Name: Hashable {
            case object(NSManagedObjectID)
            /// Contexts that Core Data does not show have identifiers of their own.
            case record(RecordKey)
        }

        private var staged: [ObjectIdentifier: [Name: LocalChange]] = [:]
        private var saved: [Name: [LocalChange]] = [:]

        /// Remembers what a context is about to save, instead of what it tried to save before and did not.
        mutating func willSave(_ context: ObjectIdentifier, _ changes: [Name: LocalChange]) { staged[context] = changes }

        mutating func didSave(_ context: ObjectIdentifier) {
            for (name, change) in staged.removeValue(forKey: context) ?? [:] { saved[name, default: []].append(change) }
        }

        /// One of the deletes of a type, by contexts that Core Data does not show, that the history has not named.
        mutating func nextDelete(of type: RecordType) -> LocalChange? {
            func isOne(_ name: Name, _ operation: TaggedWrite.Operation?) -> Bool {
                if case .record(let key) = name { key.type == type && operation == .delete } else { false }
            }
            let name =
                saved.first { isOne($0.key, $0.value.last?.operation) }?.key
                ?? staged.values.lazy.compactMap { $0.first { isOne($0.key, $0.value.operation) }?.key }.first
            return name.flatMap { next(of: $0) { $0.operation == .delete } }
        }

        /// The earliest save of an object that the history has not named and that fits; what came before it and does not fit was never
        /// saved.
        ///
        /// The history may have grown before the context says that it has saved.
        mutating func next(of name: Name, where fits: (LocalChange) -> Bool) -> LocalChange? {
            if let index = saved[name]?.firstIndex(where: fits), let change = saved[name]?[index] {
                saved[name]?.removeFirst(index + 1)
                if saved[name]?.isEmpty == true { saved[name] = nil }
                return change
            }
            saved[name] = nil
            for (context, changes) in staged {
                if let change = changes[name], fits(change) {
                    staged[context]?[name] = nil
                    return change
                }
            }
            return nil
        }
    }
#endif
