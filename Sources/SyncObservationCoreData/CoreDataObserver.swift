#if canImport(CoreData)
    public import CoreData
    public import Dispatch
    import Foundation
    package import SyncModel
    public import SyncObservation

    /// Tells an observer of local saves and of arrivals in a Core Data store that is mirrored to CloudKit, and fills in stamps before every
    /// save.
    ///
    /// Who saved what comes from the store's persistent history, which needs `NSPersistentHistoryTrackingKey`; that it has grown, from the
    /// notification that `NSPersistentStoreRemoteChangeNotificationPostOptionKey` turns on. The history names the properties that changed
    /// and not their values. Values of local saves are taken while they are saved; values of arrivals are read from the store, where a
    /// later change may have replaced them: then the field is left out of the arrival. Attributes are observed, relationships are not.
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
        private let identities: RecordIdentities
        private let context: @Sendable () -> NSManagedObjectContext
        private let store: ObjectIdentifier?
        private let queue: DispatchQueue
        private let callbacks: Callbacks
        private let lock = NSLock()
        private var saves = SavedValues()
        private var registrations: [any NSObjectProtocol] = []
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
        public init(
            observer: SyncObserver, identities: RecordIdentities = RecordIdentities(),
            context: @escaping @Sendable () -> NSManagedObjectContext, token: Data? = nil,
            queue: DispatchQueue = DispatchQueue(label: "SyncObservation.CoreData"), callbacks: Callbacks = Callbacks()
        ) {
            self.observer = observer
            self.identities = identities
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
                self?.readHistoryNow()
            }
        }

        private func prepareStamps() {
            do { try observer.prepareStamps() } catch { callbacks.fails(error) }
        }

        /// Stops listening.
        public func stop() {
            let registrations = lock.withLock { () -> [any NSObjectProtocol] in
                defer { self.registrations = [] }
                return self.registrations
            }
            for registration in registrations { NotificationCenter.default.removeObserver(registration) }
        }

        /// Reads what the history has gained, and returns when the observer has been told.
        ///
        /// Must not be called on the queue.
        public func readHistory() { queue.sync { readHistoryNow() } }

        private func observe(
            _ name: Notification.Name, _ body: @escaping @Sendable (CoreDataObserver, Notification) -> Void
        ) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
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
                var puts: [(object: NSManagedObject, change: LocalChange)] = []
                for object in context.insertedObjects.union(context.updatedObjects).subtracting(context.deletedObjects) {
                    let isNew = context.insertedObjects.contains(object)
                    let names = Array(object.changedValues().keys)
                    let committed = object.committedValues(forKeys: nil)
                    let fields = object.fields(names)
                    if fields.isEmpty { continue }
                    let snapshot = isNew ? FieldMap() : FieldMap(committed.keys, of: object) { committed[$0] }
                    puts.append((object, LocalChange(identities.key(of: object), .put(fields), snapshot: snapshot, isNew: isNew)))
                }
                var changes: [SavedValues.Name: LocalChange] = [:]
                for (put, stamps) in zip(puts, try observer.stamps(for: puts.map(\.change))) {
                    for stamp in stamps { put.object.setValue(stamp.value.string, forKey: stamp.name.rawValue) }
                    changes[.object(put.object.objectID)] = put.change.adding(stamps)
                }
                for object in context.deletedObjects {
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
                    let reading = try HistoryReading(after: token, in: context, identities: identities)
                    for transaction in reading.transactions { try tell(transaction, reading) }
                    guard let last = reading.transactions.last else { return }
                    token = last.token
                    let data = try NSKeyedArchiver.archivedData(withRootObject: last.token, requiringSecureCoding: true)
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
                    reading.operation(of: change, in: transaction) { [configuration = observer.configuration] type in
                        if case .recordStamp = configuration.level(of: type) { true } else { false }
                    }.map { Arrival($0.key, $0.operation, transaction: number, isNew: change.changeType == .insert) }
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
            let saved = lock.withLock {
                saves.next(of: .object(change.changedObjectID)) { $0.fits(stored) }
                    ?? key.flatMap { saves.next(of: .record($0)) { $0.fits(stored) } }
            }
            return saved.flatMap { reading.confirmed($0, by: change) }
        }
    }

    extension LocalChange {
        /// Whether nothing that is known of the store speaks against it.
        fileprivate func fits(_ stored: TaggedWrite.Operation?) -> Bool {
            switch (operation, stored) {
            case (.put(let mine), .put(let theirs)): mine.allSatisfy { theirs[$0.name] == nil || theirs[$0.name] == $0.value }
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
