#if canImport(CoreData)
    import CoreData
    import Foundation
    import SyncModel
    import SyncObservation
    import SyncObservationFoundation

    /// What a store's history has gained since a token, and the values that changed, as far as they can be known.
    struct HistoryReading {
        private struct Property: Hashable {
            let objectID: NSManagedObjectID
            let name: String
        }

        private struct TransactionName: Hashable {
            let store: String
            let number: Int64
        }

        private(set) var transactions: [NSPersistentHistoryTransaction] = []
        /// How far the history was read; nil where it has gained nothing.
        private(set) var token: NSPersistentHistoryToken?
        private let context: NSManagedObjectContext
        private let reading: ManagedObjectReading
        private let namesAll: (RecordType) -> Bool
        /// The last transaction that changed a property, by its number.
        private var lastChanges: [Property: Int64] = [:]
        private var objects: [NSManagedObjectID: (key: RecordKey, fields: FieldMap)] = [:]
        private var relationships: [NSManagedObjectID: Set<String>] = [:]

        /// Reads the history, then the values, and again what was added meanwhile, so that it is known which values are later ones.
        ///
        /// - Parameters:
        ///   - token: How far it was read before.
        ///   - context: What to read in.
        ///   - store: The identifier of the store whose transactions count; nil for every store of the context.
        ///   - reading: Reads the values.
        ///   - namesAll: Whether an update of a record of that type names the properties that did not change, too.
        init(
            after token: NSPersistentHistoryToken?, in context: NSManagedObjectContext, of store: String?, reading: ManagedObjectReading,
            namesAll: @escaping (RecordType) -> Bool
        ) throws {
            self.context = context
            self.reading = reading
            self.namesAll = namesAll
            let stores = context.persistentStoreCoordinator?.persistentStores.filter { store == nil || $0.identifier == store }
            var known: Set<TransactionName> = []
            while true {
                // A token may say nothing of other stores, whose transactions then come again.
                let added = try Self.history(after: self.token ?? token, of: stores, in: context).filter {
                    known.insert(TransactionName(store: $0.storeID, number: $0.transactionNumber)).inserted
                }
                guard let last = added.last else { break }
                self.token = last.token
                transactions += added
                context.reset()
                for transaction in added {
                    for change in transaction.changes ?? [] { note(change, transaction.transactionNumber) }
                }
            }
        }

        private static func history(
            after token: NSPersistentHistoryToken?, of stores: [NSPersistentStore]?, in context: NSManagedObjectContext
        ) throws -> [NSPersistentHistoryTransaction] {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            // A token is of one store, and so are the numbers of transactions.
            request.affectedStores = stores
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }

        private mutating func note(_ change: NSPersistentHistoryChange, _ number: Int64) {
            let objectID = change.changedObjectID
            for name in Self.names(change) { lastChanges[Property(objectID: objectID, name: name)] = number }
            objects[objectID] = nil
            // One that has been deleted since is not there.
            guard change.changeType != .delete, let object = try? context.existingObject(with: objectID) else { return }
            let key = reading.identities.key(of: object)
            // A relationship is read where it is needed: the records at its other end are read with it.
            let all = object.entity.relationshipsByName.keys
            let needed = namesAll(key.type) ? Set(all) : Set(Self.names(change)).intersection(all)
            let named = relationships[objectID, default: []].union(needed)
            relationships[objectID] = named
            objects[objectID] = (key, reading.fields(Array(object.entity.attributesByName.keys) + named, of: object))
        }

        private static func names(_ change: NSPersistentHistoryChange) -> [String] {
            change.updatedProperties?.map(\.name) ?? Array(change.changedObjectID.entity.propertiesByName.keys)
        }

        /// The name of the record that a change is about; nil where it has been deleted, and the history does not keep its name.
        func key(of change: NSPersistentHistoryChange) -> RecordKey? {
            guard change.changeType == .delete else { return objects[change.changedObjectID]?.key }
            // Of a deleted object the history keeps what the model says is preserved.
            let entity = change.changedObjectID.entity.name ?? ""
            let attribute = reading.identities.attribute(of: entity)
            return reading.identities.key(of: entity, FieldValue(attribute: change.tombstone?[attribute]))
        }

        /// What a context said that it would save, without the fields that the history does not name, and with those that only the store
        /// tells; nil where nothing is left.
        func confirmed(
            _ saved: LocalChange, by change: NSPersistentHistoryChange, adding stored: FieldMap = FieldMap()
        ) -> LocalChange? {
            guard case .put(let fields) = saved.operation else { return saved }
            let names = change.changeType == .update ? change.updatedProperties.map { Set($0.map(\.name)) } : nil
            var kept = FieldMap()
            for field in fields where names?.contains(field.name.rawValue) ?? true { kept[field.name] = field.value }
            // Where the store has another form of a value, that is what other devices will compare.
            for field in stored { kept[field.name] = field.value }
            if kept.isEmpty { return nil }
            var confirmed = saved
            confirmed.operation = .put(kept)
            return confirmed
        }

        /// The record that a change is about and what was done to it; nil where nothing of it is known any more.
        ///
        /// - Parameter isArrival: Whether an update may name the properties that did not change, too.
        func operation(
            of change: NSPersistentHistoryChange, in transaction: NSPersistentHistoryTransaction, isArrival: Bool = false
        ) -> (key: RecordKey, operation: TaggedWrite.Operation)? {
            let objectID = change.changedObjectID
            if change.changeType == .delete { return key(of: change).map { ($0, .delete) } }
            guard let (key, current) = objects[objectID] else { return nil }
            let names = isArrival && namesAll(key.type) ? Array(objectID.entity.propertiesByName.keys) : Self.names(change)
            var fields = FieldMap()
            for name in names where lastChanges[Property(objectID: objectID, name: name)] ?? 0 <= transaction.transactionNumber {
                if let value = current[FieldName(name)] { fields[FieldName(name)] = value }
            }
            return fields.isEmpty ? nil : (key, .put(fields))
        }
    }
#endif
