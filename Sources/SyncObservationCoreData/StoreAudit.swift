#if canImport(CoreData)
    package import ConflictAudit
    package import CoreData
    import Foundation
    package import SyncModel
    package import SyncMonitoring
    package import SyncObservation
    package import SyncObservationFoundation

    /// What an audit of a mirrored store is made of, whichever framework the app opens the store by.
    ///
    /// Thread-safe.
    package final class StoreAudit: @unchecked Sendable {
        // Sound: `history`, `store`, `hasMissedEvent`, `registrations` and `events` are reached with `lock` held, and everything else is
        // Sendable.

        package let observer: SyncObserver
        package let sync: SyncMonitor
        package let conflicts: ConflictMonitor
        package let identities: RecordIdentities
        package let fails: @Sendable (any Error) -> Void
        /// Where events go: the app's sink, and what shows them.
        package let sink: any AuditSink

        private let directory: AuditDirectory
        private let lock = NSLock()
        private var history: CoreDataObserver?
        private var store: String?
        /// Whether the mirroring went to work before the store was known.
        private var hasMissedEvent = false
        private var registrations: [NotificationRegistration] = []
        private var events: MirroringEvents?

        /// An audit that listens to the mirroring's events, and has no store yet.
        package init(
            device: DeviceID, entities: [AuditedEntity], directory: URL, sink: some AuditSink,
            configure: (inout SyncObserver.Configuration) -> Void, fails: @escaping @Sendable (any Error) -> Void
        ) throws {
            self.directory = try AuditDirectory(directory)
            self.fails = fails
            identities = RecordIdentities(attributes: Dictionary(entities.map { ($0.name, $0.identity) }) { first, _ in first })
            sync = SyncMonitor()
            conflicts = ConflictMonitor()
            var configuration = SyncObserver.Configuration(device: device, installation: try self.directory.installation())
            for entity in entities { configuration.levels[RecordType(entity.name)] = entity.level }
            configure(&configuration)
            let sinks = BroadcastingAuditSink([sink, sync, conflicts])
            self.sink = sinks
            observer = try SyncObserver(configuration, shadow: .file(path: self.directory.shadowPath), sink: sinks)
            let events = MirroringEvents(
                observer: observer, sink: sinks, store: { [weak self] in self?.storeIdentifier },
                readHistory: { [weak self] in self?.readHistory() }, fails: fails)
            self.events = events
            events.start()
        }

        deinit { stop() }

        /// What reads the history of a store, from where it was read last.
        ///
        /// - Parameters:
        ///   - store: The store's identifier.
        ///   - fromStore: The fields whose values the store tells after a save.
        ///   - context: Makes a context of the store to read in.
        package func history(
            of store: String?, fromStore: [RecordType: Set<FieldName>] = [:], in context: @escaping @Sendable () -> NSManagedObjectContext
        ) -> CoreDataObserver {
            var callbacks = CoreDataObserver.Callbacks()
            callbacks.keepToken = { [directory, fails] token in
                do { try directory.keep(token) } catch { fails(error) }
            }
            callbacks.fails = fails
            return CoreDataObserver(
                observer: observer, identities: identities, context: context, token: directory.token, callbacks: callbacks,
                storeIdentifier: store, fromStore: fromStore)
        }

        /// Begins to read the history, at first what it has gained since the last time.
        ///
        /// - Parameters:
        ///   - history: Reads it.
        ///   - store: The store's identifier, which the mirroring's events name.
        ///   - url: Where its database is, whose size is told.
        ///   - registrations: What else is to be stopped with the audit.
        package func start(
            _ history: CoreDataObserver, store: String?, at url: URL?, registrations: [NotificationRegistration] = []
        ) throws {
            // An app may start it again, with another container.
            stopReading()
            let hasMissedEvent = lock.withLock {
                self.history = history
                self.store = store
                self.registrations += registrations
                return self.hasMissedEvent
            }
            if let files = url.map(StoreFiles.init) { observer.measureStore { files.bytes } }
            history.start()
            guard hasMissedEvent else { return }
            // What was saved before may have been exported since.
            history.readHistory()
            try observer.exportBegan()
            try observer.exportFailed("it may have begun before the history was read")
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

        private func stopReading() {
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
        package func readHistory() {
            let history = lock.withLock { () -> CoreDataObserver? in
                if self.history == nil { hasMissedEvent = true }
                return self.history
            }
            history?.readHistory()
        }

        /// The store whose events count; before it is known, every store's do.
        private var storeIdentifier: String? { lock.withLock { store } }
    }
#endif
