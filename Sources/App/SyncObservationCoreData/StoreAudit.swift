#if canImport(CoreData)
    import ConflictAudit
    package import CoreData
    import Foundation
    package import SyncModel
    import SyncMonitoring
    package import SyncObservation
    package import SyncObservationFoundation

    /// What an audit of one mirrored store is made of, whichever framework the app opens the store by.
    ///
    /// Thread-safe.
    package final class StoreAudit: @unchecked Sendable {
        // Sound: `history`, `store`, `hasMissedEvent`, `registrations` and `events` are reached with `lock` held, and everything else is
        // Sendable.

        package let observer: SyncObserver
        /// The identifier of none.
        static let noStore = "-"

        private let identities: RecordIdentities
        private let fails: @Sendable (any Error) -> Void
        private let directory: AuditDirectory
        private let lock = NSLock()
        private var history: CoreDataObserver?
        private var store: String?
        /// Whether the mirroring went to work before the history was read.
        private var hasMissedEvent: Bool
        private var registrations: [NotificationRegistration] = []
        private var events: MirroringEvents?

        /// An audit that listens to the mirroring's events, and reads no store yet.
        ///
        /// - Parameters:
        ///   - configuration: The observer's, but for the installation.
        ///   - directory: Where its files are; it names the store where that is known.
        ///   - identities: The attributes by which records are named.
        ///   - sink: Where events go.
        ///   - hasMissedEvent: Whether the mirroring may have gone to work before.
        ///   - fails: Gets what the observer throws.
        init(
            _ configuration: SyncObserver.Configuration, in directory: AuditDirectory, identities: RecordIdentities, sink: some AuditSink,
            hasMissedEvent: Bool = false, fails: @escaping @Sendable (any Error) -> Void
        ) throws {
            self.directory = directory
            self.identities = identities
            self.hasMissedEvent = hasMissedEvent
            self.fails = fails
            store = directory.store
            var configuration = configuration
            if configuration.installation.isEmpty { configuration.installation = try directory.installation() }
            observer = try SyncObserver(configuration, shadow: .file(path: directory.shadowPath), sink: sink)
            let events = MirroringEvents(
                observer: observer, sink: sink, store: { [weak self] in self == nil ? Self.noStore : self?.storeIdentifier },
                readHistory: { [weak self] in self?.readHistoryForEvent() }, fails: fails)
            self.events = events
            events.start()
        }

        deinit { stop() }

        /// What reads the history of the store, from where it was read last.
        ///
        /// - Parameters:
        ///   - fromStore: The fields whose values the store tells after a save.
        ///   - context: Makes a context of the store to read in.
        package func history(
            fromStore: [RecordType: Set<FieldName>] = [:], in context: @escaping @Sendable () -> NSManagedObjectContext
        ) -> CoreDataObserver {
            var callbacks = CoreDataObserver.Callbacks()
            callbacks.keepToken = { [directory, fails] token in
                do { try directory.keep(token) } catch { fails(error) }
            }
            callbacks.fails = fails
            return CoreDataObserver(
                observer: observer, identities: identities, context: context, token: directory.token, callbacks: callbacks,
                storeIdentifier: storeIdentifier, fromStore: fromStore)
        }

        /// Begins to read the history, at first what it has gained since the last time.
        ///
        /// - Parameters:
        ///   - history: Reads it.
        ///   - url: Where its database is, whose size is told.
        ///   - registrations: What else is to be stopped with the audit.
        package func start(
            _ history: CoreDataObserver, at url: URL?, registrations: [NotificationRegistration] = []
        ) throws {
            // An app may start it again, with another container.
            stopReading()
            let hasMissedEvent = lock.withLock {
                self.history = history
                self.registrations += registrations
                return self.hasMissedEvent
            }
            if let files = url.map(StoreFiles.init) { observer.measureStore { files.bytes } }
            history.start()
            guard hasMissedEvent else { return }
            // What was saved before may have been exported since.
            history.readHistory()
            try observer.exportMayHavePassed()
            lock.withLock { self.hasMissedEvent = false }
        }

        /// Stops listening.
        package func stop() {
            stopReading()
            let events = lock.withLock {
                defer { self.events = nil }
                return self.events
            }
            events?.stop()
        }

        /// Makes it that of a store, whose events alone it hears from now on.
        func belong(to store: String) throws {
            try directory.keep(store: store)
            lock.withLock { self.store = store }
        }

        /// The store that it is of; nil where that is not known yet: then it hears of every store's events.
        var storeIdentifier: String? { lock.withLock { store } }

        /// Whether it was told of a store before.
        var isUsed: Bool { get throws { try directory.token != nil || observer.lastTransaction > 0 } }

        /// Ends the reading, until it is started again.
        func stopReading() {
            let (registrations, history) = lock.withLock {
                defer { (self.registrations, self.history) = ([], nil) }
                return (self.registrations, self.history)
            }
            // First what the registrations hold: a notification center may release that while it takes a registration back, and must not
            // be asked for another then.
            history?.stop()
            withExtendedLifetime(registrations) {}
        }

        /// Reads what the store's history has gained, and returns when the observer has been told.
        func readHistory() {
            let history = lock.withLock { self.history }
            history?.readHistory()
        }

        private func readHistoryForEvent() {
            lock.withLock { if history == nil { hasMissedEvent = true } }
            readHistory()
        }
    }
#endif
