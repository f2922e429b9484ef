#if canImport(SwiftData)
    public import ConflictAudit
    public import Foundation
    public import SwiftData
    public import SyncModel
    public import SyncMonitoring
    public import SyncObservation
    import SyncObservationCoreData

    /// Audits a SwiftData store that CloudKit syncs: three lines in an app, and every edit that sync discards is in the log.
    ///
    /// ```swift
    /// let audit = try SwiftDataAudit(device: "k3f9", models: [note], directory: directory, sink: log)
    /// let container = try ModelContainer(for: Note.self)   // the app's own line
    /// try audit.start(container)
    /// ```
    ///
    /// Make it before the container, so that no export begins unseen. It fills in stamps when a context is about to save, reads the store's history for saves
    /// and imports, listens to the mirroring's events, and never writes the store otherwise.
    ///
    /// Thread-safe.
    public final class SwiftDataAudit: @unchecked Sendable {
        // Sound: `history`, `store`, `hasMissedEvent`, `registrations` and `events` are reached with `lock` held, and everything else is Sendable.

        /// Finds the conflicts, and proposes to restore what was lost.
        public let observer: SyncObserver
        /// Shows how sync stands.
        public let sync: SyncMonitor
        /// Shows which edits were lost.
        public let conflicts: ConflictMonitor

        private let models: [AuditedModel]
        private let identities: RecordIdentities
        private let directory: AuditDirectory
        private let fails: @Sendable (any Error) -> Void
        private let lock = NSLock()
        private var history: CoreDataObserver?
        private var store: String?
        /// Whether the mirroring went to work before the container was known.
        private var hasMissedEvent = false
        private var registrations: [any NSObjectProtocol] = []
        private var events: MirroringEvents?

        /// An audit that listens to the mirroring's events, and has no container yet.
        ///
        /// - Parameters:
        ///   - device: The device's name, as logs and stamps give it: short and its own, for every stamp carries it.
        ///   - models: Every model class of the container, those without audited attributes included.
        ///   - directory: Where the audit keeps its files; made where it is missing. Not one that several processes use.
        ///   - sink: Where events go, such as a log.
        ///   - configure: Changes the observer's configuration, whose levels are those of the models.
        ///   - fails: Gets what the observer, Core Data or SwiftData throws while the app runs.
        public init(
            device: DeviceID, models: [AuditedModel], directory: URL, sink: some AuditSink,
            configure: (inout SyncObserver.Configuration) -> Void = { _ in }, fails: @escaping @Sendable (any Error) -> Void = { _ in }
        ) throws {
            self.directory = try AuditDirectory(directory)
            self.models = models
            self.fails = fails
            identities = RecordIdentities(attributes: Dictionary(models.map { ($0.entity, $0.identity) }) { first, _ in first })
            sync = SyncMonitor()
            conflicts = ConflictMonitor()
            var configuration = SyncObserver.Configuration(device: device, installation: try self.directory.installation())
            for model in models { configuration.levels[RecordType(model.entity)] = model.level }
            configure(&configuration)
            let sinks = BroadcastingAuditSink([sink, sync, conflicts])
            observer = try SyncObserver(configuration, shadow: .file(path: self.directory.shadowPath), sink: sinks)
            let events = MirroringEvents(
                observer: observer, sink: sinks, store: { [weak self] in self?.storeIdentifier },
                readHistory: { [weak self] in self?.readHistory() }, fails: fails)
            self.events = events
            events.start()
        }

        deinit { stop() }

        /// Begins to fill in stamps and to read the history of a container's store, at first what it has gained since the last time.
        ///
        /// - Parameters:
        ///   - container: The container, which has opened its store.
        ///   - configuration: The one that CloudKit syncs, where the container has several.
        /// - Throws: ``SwiftDataAuditError`` where the store is in memory only or a model class is missing, or what Core Data throws.
        public func start(_ container: ModelContainer, configuration: ModelConfiguration? = nil) throws {
            guard let configuration = configuration ?? container.configurations.first, !configuration.isStoredInMemoryOnly else {
                throw SwiftDataAuditError("the container keeps its store in memory: an audit needs one in a file")
            }
            let store = try StoreHistory(url: configuration.url, types: models.map(\.type))
            var callbacks = CoreDataObserver.Callbacks()
            callbacks.keepToken = { [directory, fails] token in
                do { try directory.keep(token) } catch { fails(error) }
            }
            callbacks.fails = fails
            let history = CoreDataObserver(
                observer: observer, identities: identities, context: { store.newContext() }, token: directory.token, callbacks: callbacks)
            let saves = ModelContextSaves(observer: observer, history: history, identities: identities, models: models)
            let identity = ObjectIdentifier(container)
            let registrations = [
                Self.observe(ModelContext.willSave, of: identity) { [fails] context in
                    do { try saves.willSave(context) } catch { fails(error) }
                },
                Self.observe(ModelContext.didSave, of: identity) { saves.didSave($0) },
            ]
            let hasMissedEvent = lock.withLock {
                self.history = history
                self.store = store.identifier
                self.registrations += registrations
                return self.hasMissedEvent
            }
            history.start()
            guard hasMissedEvent else { return }
            // What was saved before may have been exported since.
            history.readHistory()
            try observer.exportBegan()
            try observer.exportFailed("it may have begun before the history was read")
        }

        /// Stops listening.
        public func stop() {
            let (registrations, history, events) = lock.withLock {
                defer { (self.registrations, self.history, self.events) = ([], nil, nil) }
                return (self.registrations, self.history, self.events)
            }
            for registration in registrations { NotificationCenter.default.removeObserver(registration) }
            history?.stop()
            events?.stop()
        }

        /// Reads what the store's history has gained, and returns when the observer has been told.
        public func readHistory() {
            let history = lock.withLock { () -> CoreDataObserver? in
                if self.history == nil { hasMissedEvent = true }
                return self.history
            }
            history?.readHistory()
        }

        /// The store whose events count; before the container is known, every store's do.
        private var storeIdentifier: String? { lock.withLock { store } }

        /// Registers for what contexts of a container post, on the thread that saves.
        private static func observe(
            _ name: Notification.Name, of container: ObjectIdentifier, _ body: @escaping @Sendable (ModelContext) -> Void
        ) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                guard let context = notification.object as? ModelContext, ObjectIdentifier(context.container) == container else { return }
                body(context)
            }
        }
    }
#endif
