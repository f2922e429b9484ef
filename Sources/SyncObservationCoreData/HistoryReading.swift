#if canImport(CoreData)
    import CoreData
    import Foundation
    import SyncModel
    import SyncObservation

    /// What a store's history has gained since a token, and the values that changed, as far as they can be known.
    struct HistoryReading {
        private struct Property: Hashable {
            let objectID: NSManagedObjectID
            let name: String
        }

        private(set) var transactions: [NSPersistentHistoryTransaction] = []
        private let context: NSManagedObjectContext
        private let identities: RecordIdentities
        /// The last transaction that changed a property, by its number.
        private var lastChanges: [Property: Int64] = [:]
        private var objects: [NSManagedObjectID: (key: RecordKey, fields: FieldMap)] = [:]

        /// Reads the history, then the values, and again what was added meanwhile, so that it is known which values are later ones.
        init(after token: NSPersistentHistoryToken?, in context: NSManagedObjectContext, identities: RecordIdentities) throws {
            self.context = context
            self.identities = identities
            while case let added = try Self.history(after: transactions.last?.token ?? token, in: context), !added.isEmpty {
                transactions += added
                context.reset()
                for transaction in added {
                    for change in transaction.changes ?? [] { note(change, transaction.transactionNumber) }
                }
            }
        }

        private static func history(
            after token: NSPersistentHistoryToken?, in context: NSManagedObjectContext
        ) throws -> [NSPersistentHistoryTransaction] {
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token)) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }

        private mutating func note(_ change: NSPersistentHistoryChange, _ number: Int64) {
            let objectID = change.changedObjectID
            for name in Self.names(change) { lastChanges[Property(objectID: objectID, name: name)] = number }
            objects[objectID] = nil
            // One that has been deleted since is not there.
            guard change.changeType != .delete, let object = try? context.existingObject(with: objectID) else { return }
            objects[objectID] = (identities.key(of: object), object.fields(object.entity.attributesByName.keys))
        }

        private static func names(_ change: NSPersistentHistoryChange) -> [String] {
            change.updatedProperties?.map(\.name) ?? Array(change.changedObjectID.entity.attributesByName.keys)
        }

        /// The name of the record that a change is about; nil where it has been deleted since.
        func key(of change: NSPersistentHistoryChange) -> RecordKey? {
            guard change.changeType == .delete else { return objects[change.changedObjectID]?.key }
            // Of a deleted object the history keeps what the model says is preserved.
            return identities.key(of: change.changedObjectID) { change.tombstone?[$0] }
        }

        /// What a context said that it would save, without the fields that the history does not name; nil where nothing is left.
        func confirmed(_ saved: LocalChange, by change: NSPersistentHistoryChange) -> LocalChange? {
            guard change.changeType == .update, case .put(let fields) = saved.operation, change.updatedProperties != nil else {
                return saved
            }
            let names = Set(Self.names(change))
            var kept = FieldMap()
            for field in fields where names.contains(field.name.rawValue) { kept[field.name] = field.value }
            if kept.isEmpty { return nil }
            var confirmed = saved
            confirmed.operation = .put(kept)
            return confirmed
        }

        /// The record that a change is about and what was done to it; nil where nothing of it is known any more.
        ///
        /// - Parameter namesAll: Whether an update of a record of that type names the attributes that did not change, too.
        func operation(
            of change: NSPersistentHistoryChange, in transaction: NSPersistentHistoryTransaction,
            namesAll: (RecordType) -> Bool = { _ in false }
        ) -> (key: RecordKey, operation: TaggedWrite.Operation)? {
            let objectID = change.changedObjectID
            if change.changeType == .delete { return key(of: change).map { ($0, .delete) } }
            guard let (key, current) = objects[objectID] else { return nil }
            let names = namesAll(key.type) ? Array(objectID.entity.attributesByName.keys) : Self.names(change)
            var fields = FieldMap()
            for name in names where lastChanges[Property(objectID: objectID, name: name)] ?? 0 <= transaction.transactionNumber {
                if let value = current[FieldName(name)] { fields[FieldName(name)] = value }
            }
            return fields.isEmpty ? nil : (key, .put(fields))
        }
    }
#endif
