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
    /// Make it before the container, so that no export begins unseen. It fills in stamps when a context is about to save, reads the store's
    /// history for saves and imports, listens to the mirroring's events, and never writes the store otherwise.
    ///
    /// Thread-safe.
    public final class SwiftDataAudit: Sendable {
        private let audit: StoreAudit
        private let models: [AuditedModel]

        /// Finds the conflicts, and proposes to restore what was lost.
        public var observer: SyncObserver { audit.observer }
        /// Shows how sync stands.
        public var sync: SyncMonitor { audit.sync }
        /// Where events go.
        var sink: any AuditSink { audit.sink }
        /// Shows which edits were lost.
        public var conflicts: ConflictMonitor { audit.conflicts }

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
            self.models = models
            let entities = models.map { AuditedEntity($0.entity, identifiedBy: $0.identity, level: $0.level) }
            audit = try StoreAudit(
                device: device, entities: entities, directory: directory, sink: sink, configure: configure, fails: fails)
        }

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
            let history = audit.history { store.newContext() }
            let fails = audit.fails
            let saves = ModelContextSaves(observer: observer, history: history, identities: audit.identities, models: models)
            let identity = ObjectIdentifier(container)
            let registrations = [
                Self.observe(ModelContext.willSave, of: identity) { context in
                    do { try saves.willSave(context) } catch { fails(error) }
                },
                Self.observe(ModelContext.didSave, of: identity) { saves.didSave($0) },
            ]
            try audit.start(history, store: store.identifier, registrations: registrations)
        }

        /// Stops listening.
        public func stop() { audit.stop() }

        /// Reads what the store's history has gained, and returns when the observer has been told.
        public func readHistory() { audit.readHistory() }

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
