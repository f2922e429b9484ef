#if canImport(CoreData)
    public import CoreData
    public import Dispatch
    import Foundation
    package import SyncModel
    public import SyncObservation
    import SyncObservationFoundation

    /// Tells an observer of local saves and of arrivals in a Core Data store that is mirrored to CloudKit, and fills in stamps before every
    /// save.
    ///
    /// Who saved what comes from the store's persistent history, which needs `NSPersistentHistoryTrackingKey`; that it has grown, from the
    /// notification that `NSPersistentStoreRemoteChangeNotificationPostOptionKey` turns on. The history names the properties that changed
    /// and not their values. Values of local saves are taken while they are saved; values of arrivals are read from the store, where a
    /// later change may have replaced them: then the field is left out of the arrival.
    ///
    /// Observed are attributes whose values can be compared, a relationship to one record by the key of that record, and a relationship to
    /// many whose inverse is to many, too, as a set of keys. Dates that every save sets, such as `dateModified`, are not. What is not
    /// observed, and which deletes have no name, the observer's sink is told once.
    ///
    /// ```swift
    /// let coreData = CoreDataObserver(observer: observer, context: { container.newBackgroundContext() }, token: savedToken)
    /// coreData.start()
    /// ```
    ///
    /// Thread-safe. The history is read on the queue, one reading at a time.
    public final class CoreDataObserver: @unchecked Sendable {
        // Sound: `saves` and `registrations` are reached with `lock` held, `token` on `queue` alone, and everything else is Sendable.

        /// What is called back.
        public struct Callbacks: Sendable {
            /// Keeps how far the history was read, for the next start.
            public var keepToken: @Sendable (Data) -> Void = { _ in }
            /// Gets what the observer or Core Data throws.
            public var fails: @Sendable (any Error) -> Void = { _ in }

            /// Callbacks that do nothing.
            public init() {}
        }

        private let observer: SyncObserver
        private let reading: ManagedObjectReading
        private var identities: RecordIdentities { reading.identities }
        private let storeIdentifier: String?
        private let fromStore: [RecordType: Set<FieldName>]
        private let context: @Sendable () -> NSManagedObjectContext
        private let store: ObjectIdentifier?
        private let queue: DispatchQueue
        private let callbacks: Callbacks
        private let lock = NSLock()
        private var saves = SavedValues()
        private var registrations: [NotificationRegistration] = []
        private var token: NSPersistentHistoryToken?

        /// An observer that has not started.
        ///
        /// - Parameters:
        ///   - observer: Is told of saves and arrivals.
        ///   - identities: The attributes by which records are named.
        ///   - context: Makes a context to read in, such as a container's background context.
        ///   - token: How far the history was read, as it was given to be kept; nil to read all of it. What was told before is not counted
        ///     again.
        ///   - queue: Where the history is read; a serial queue.
        ///   - callbacks: What is called back.
        ///   - storeIdentifier: The store whose transactions count, where contexts have several; their numbers are a store's own.
        public convenience init(
            observer: SyncObserver, identities: RecordIdentities = RecordIdentities(),
            context: @escaping @Sendable () -> NSManagedObjectContext, token: Data? = nil,
            queue: DispatchQueue = DispatchQueue(label: "SyncObservation.CoreData"), callbacks: Callbacks = Callbacks(),
            storeIdentifier: String? = nil
        ) {
            self.init(
                observer: observer, identities: identities, context: context, token: token, queue: queue, callbacks: callbacks,
                storeIdentifier: storeIdentifier, fromStore: [:])
        }

        /// The same with fields whose values the store tells after a save, by the entity's name.
        package init(
            observer: SyncObserver, identities: RecordIdentities, context: @escaping @Sendable () -> NSManagedObjectContext, token: Data?,
            queue: DispatchQueue = DispatchQueue(label: "SyncObservation.CoreData"), callbacks: Callbacks, storeIdentifier: String?,
            fromStore: [RecordType: Set<FieldName>]
        ) {
            self.observer = observer
            reading = ManagedObjectReading(identities: identities, observer: observer)
            self.storeIdentifier = storeIdentifier
            self.fromStore = fromStore
            self.context = context
            store = context().persistentStoreCoordinator.map(ObjectIdentifier.init)
            self.queue = queue
            self.callbacks = callbacks
            self.token = token.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0) }
        }

        deinit { stop() }

        /// Begins to fill in stamps and to read the history, at first what has been added since the token.
        public func start() {
            let registrations = [
                observe(NSManagedObjectContext.willSaveObjectsNotification) { observer, notification in
                    if let context = notification.object as? NSManagedObjectContext { observer.willSave(context) }
                },
                observe(NSManagedObjectContext.didSaveObjectsNotification) { observer, notification in
                    if let context = notification.object as? NSManagedObjectContext {
                        observer.lock.withLock { observer.saves.didSave(ObjectIdentifier(context)) }
                    }
                },
                observe(.NSPersistentStoreRemoteChange) { observer, _ in
                    observer.queue.async { [weak observer] in observer?.readHistoryNow() }
                },
            ]
            lock.withLock { self.registrations += registrations }
            queue.async { [weak self] in
                self?.prepareStamps()
                self?.tellGaps()
                self?.readHistoryNow()
            }
        }

        private func tellGaps() {
            guard let coordinator = context().persistentStoreCoordinator else { return }
            let model = coordinator.managedObjectModel
            let store = coordinator.persistentStores.first { storeIdentifier == nil || $0.identifier == storeIdentifier }
            let entities = store.flatMap { model.entities(forConfigurationName: $0.configurationName) } ?? model.entities
            reading.tellUnnamed(entities)
        }

        private func prepareStamps() {
            do { try observer.prepareStamps() } catch { callbacks.fails(error) }
        }

        /// Stops listening.
        public func stop() {
            let registrations = lock.withLock { () -> [NotificationRegistration] in
                defer { self.registrations = [] }
                return self.registrations
            }
            // They end with their last reference, outside of the lock.
            withExtendedLifetime(registrations) {}
        }

        /// Reads what the history has gained, and returns when the observer has been told.
        ///
        /// Must not be called on the queue.
        public func readHistory() { queue.sync { readHistoryNow() } }

        private func observe(
            _ name: Notification.Name, _ body: @escaping @Sendable (CoreDataObserver, Notification) -> Void
        ) -> NotificationRegistration {
            NotificationRegistration(name) { [weak self] notification in
                if let self { body(self, notification) }
            }
        }

        // MARK: Saving

        /// Fills in the stamps, and remembers the values that are about to be saved.
        private func willSave(_ context: NSManagedObjectContext) {
            // A context with a parent saves into that, and other stores of the app are not this observer's.
            guard context.parent == nil, context.persistentStoreCoordinator.map(ObjectIdentifier.init) == store,
                !HistoryAuthor.isMirroring(context.transactionAuthor)
            else { return }
            do {
                // The history names them by these.
                try context.obtainPermanentIDs(for: Array(context.insertedObjects))
                let isOfStore = { [storeIdentifier] (object: NSManagedObject) in
                    storeIdentifier == nil || object.objectID.persistentStore?.identifier == storeIdentifier
                }
                var puts: [(object: NSManagedObject, change: LocalChange)] = []
                for object in context.insertedObjects.union(context.updatedObjects).subtracting(context.deletedObjects)
                where isOfStore(object) {
                    let isNew = context.insertedObjects.contains(object)
                    let names = Array(object.changedValues().keys)
                    let committed = object.committedValues(forKeys: Array(object.entity.attributesByName.keys))
                    let fields = reading.fields(names, of: object)
                    if fields.isEmpty { continue }
                    let snapshot = isNew ? FieldMap() : reading.fields(committed.keys, of: object) { committed[$0] }
                    puts.append((object, LocalChange(identities.key(of: object), .put(fields), snapshot: snapshot, isNew: isNew)))
                }
                var changes: [SavedValues.Name: LocalChange] = [:]
                for (put, stamps) in zip(puts, try observer.stamps(for: puts.map(\.change))) {
                    for stamp in stamps { put.object.setValue(stamp.value.string, forKey: stamp.name.rawValue) }
                    changes[.object(put.object.objectID)] = put.change.adding(stamps)
                }
                for object in context.deletedObjects where isOfStore(object) {
                    changes[.object(object.objectID)] = LocalChange(identities.key(of: object), .delete)
                }
                lock.withLock { saves.willSave(ObjectIdentifier(context), changes) }
            } catch {
                callbacks.fails(error)
            }
        }

        /// Remembers what a context that Core Data does not show is about to save, stamps included, by the names of the records.
        package func willSave(_ changes: [LocalChange], by context: ObjectIdentifier) {
            let named = changes.map { (SavedValues.Name.record($0.key), $0) }
            lock.withLock { saves.willSave(context, Dictionary(named) { _, last in last }) }
        }

        /// Takes note that such a context has saved what it was about to.
        package func didSave(by context: ObjectIdentifier) { lock.withLock { saves.didSave(context) } }

        // MARK: History

        private func readHistoryNow() {
            do {
                let context = context()
                try context.performAndWait {
                    // What the history does not insert was there before it, or before its beginning was removed.
                    if token == nil { try observer.storeHoldsOlderRecords() }
                    let namesAll = { [configuration = observer.configuration] (type: RecordType) in
                        if case .recordStamp = configuration.level(of: type) { true } else { false }
                    }
                    let reading = try HistoryReading(
                        after: token, in: context, of: storeIdentifier, reading: reading, namesAll: namesAll)
                    for transaction in reading.transactions { try tell(transaction, reading) }
                    guard let last = reading.token else { return }
                    token = last
                    let data = try NSKeyedArchiver.archivedData(withRootObject: last, requiringSecureCoding: true)
                    callbacks.keepToken(data)
                }
            } catch {
                callbacks.fails(error)
            }
        }

        private func tell(_ transaction: NSPersistentHistoryTransaction, _ reading: HistoryReading) throws {
            let time = WallTime(transaction.timestamp)
            let number = transaction.transactionNumber
            if transaction.author == HistoryAuthor.importer {
                let arrivals = (transaction.changes ?? []).compactMap { change in
                    reading.operation(of: change, in: transaction, isArrival: true).map {
                        Arrival($0.key, $0.operation, transaction: number, isNew: change.changeType == .insert)
                    }
                }
                try observer.arrived(arrivals, at: time)
            } else if !HistoryAuthor.isMirroring(transaction.author) {
                let changes = (transaction.changes ?? []).compactMap { change in
                    let stored = reading.operation(of: change, in: transaction)
                    // What another process saved is known by the history alone.
                    return savedHere(change, stored?.operation, reading)
                        ?? stored.map { LocalChange($0.key, $0.operation, isNew: change.changeType == .insert) }
                }
                try observer.saved(changes, transaction: number, at: time)
            }
        }

        /// What a context of this process saved by a change; nil where none did.
        ///
        /// - Parameter stored: The change by the values in the store, as far as none is a later one.
        private func savedHere(
            _ change: NSPersistentHistoryChange, _ stored: TaggedWrite.Operation?, _ reading: HistoryReading
        ) -> LocalChange? {
            let key = reading.key(of: change)
            let type = RecordType(change.changedObjectID.entity.name ?? "")
            let doubtful = fromStore[type] ?? []
            let saved = lock.withLock {
                saves.next(of: .object(change.changedObjectID)) { $0.fits(stored, besides: doubtful) }
                    ?? key.flatMap { saves.next(of: .record($0)) { $0.fits(stored, besides: doubtful) } }
                    ?? (key == nil && change.changeType == .delete ? saves.nextDelete(of: type) : nil)
            }
            var added = FieldMap()
            if case .put(let fields)? = stored {
                for field in fields where doubtful.contains(field.name) { added[field.name] = field.value }
            }
            return saved.flatMap { reading.confirmed($0, by: change, adding: added) }
        }
    }

    extension LocalChange {
        /// Whether nothing that is known of the store speaks against it.
        ///
        /// - Parameter doubtful: Fields that the store may show in another form.
        fileprivate func fits(_ stored: TaggedWrite.Operation?, besides doubtful: Set<FieldName>) -> Bool {
            switch (operation, stored) {
            case (.put(let mine), .put(let theirs)):
                mine.allSatisfy { doubtful.contains($0.name) || theirs[$0.name] == nil || theirs[$0.name] == $0.value }
            case (.delete, .delete), (_, nil): true
            default: false
            }
        }

        /// The put with more fields.
        package func adding(_ stamps: FieldMap) -> LocalChange {
            guard case .put(var fields) = operation else { return self }
            for stamp in stamps { fields[stamp.name] = stamp.value }
            var change = self
            change.operation = .put(fields)
            return change
        }
    }

    /// Who writes the transactions of a store's history.
    enum HistoryAuthor {
        /// The author of what the mirroring fetched from CloudKit.
        static let importer = "NSCloudKitMirroringDelegate.import"

        /// Whether the mirroring wrote it itself, for whatever reason.
        static func isMirroring(_ author: String?) -> Bool { author?.hasPrefix("NSCloudKitMirroringDelegate.") ?? false }
    }
#endif
