#if canImport(SwiftData)
    public import ConflictAudit
    public import Foundation
    public import SwiftData
    public import SyncMerge
    public import SyncModel
    public import SyncMonitoring
    public import SyncObservation
    import SyncObservationCoreData
    import SyncObservationFoundation

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
        ///   - models: Every model class of the store that is to be audited, those without audited attributes included; classes of other
        ///     stores are left alone.
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
        /// The store is the only one that CloudKit syncs, or the only one there is. Where several sync, each has an audit of its own, with
        /// a directory and a device name of its own: both audits number their device's writes from 1.
        ///
        /// - Parameters:
        ///   - container: The container, which has opened its stores.
        ///   - configuration: That of the store, where CloudKit syncs several.
        /// - Throws: ``SwiftDataAuditError`` where the store is not known or in memory only or a model class is missing, or what Core Data
        ///   throws.
        public func start(_ container: ModelContainer, configuration: ModelConfiguration? = nil) throws {
            let chosen = try configuration ?? Self.onlyConfiguration(of: container)
            guard !chosen.isStoredInMemoryOnly else {
                throw SwiftDataAuditError("the container keeps its store in memory: an audit needs one in a file")
            }
            let models = try models(of: chosen.schema ?? container.schema)
            let store = try StoreHistory(url: chosen.url, types: models.map(\.type))
            let fromStore = Dictionary(models.map { (RecordType($0.entity), $0.fromStore) }) { first, _ in first }
            let history = audit.history(of: store.identifier, fromStore: fromStore) { store.newContext() }
            let fails = audit.fails
            let saves = ModelContextSaves(observer: observer, history: history, identities: audit.identities, models: models)
            let identity = ObjectIdentifier(container)
            let registrations = [
                Self.observe(ModelContext.willSave, of: identity) { context in
                    do { try saves.willSave(context) } catch { fails(error) }
                },
                Self.observe(ModelContext.didSave, of: identity) { saves.didSave($0) },
            ]
            try audit.start(history, store: store.identifier, at: chosen.url, registrations: registrations)
        }

        private static func onlyConfiguration(of container: ModelContainer) throws -> ModelConfiguration {
            let candidates = container.configurations.map { configuration in
                StoreChoice.Candidate(
                    configuration, name: configuration.name, isInMemory: configuration.isStoredInMemoryOnly,
                    isSynced: configuration.cloudKitContainerIdentifier != nil)
            }
            do {
                return try StoreChoice.only(of: candidates, parameter: "configuration")
            } catch {
                throw SwiftDataAuditError(error.sentence)
            }
        }

        /// The audited models of a store's schema.
        private func models(of schema: Schema) throws -> [AuditedModel] {
            let entities = Set(schema.entities.map(\.name))
            let missing = entities.subtracting(models.map(\.entity)).sorted()
            guard missing.isEmpty else {
                throw SwiftDataAuditError(
                    "the store has models that the audit does not know: add \(missing.joined(separator: ", ")) to 'models:'")
            }
            return models.filter { entities.contains($0.entity) }
        }

        /// Who made the latest stamped write of a model, and when, for "last edited on iPad at 14:05"; nil where its class has no record
        /// stamp, or it has none yet.
        public func lastEdit(of model: some PersistentModel) -> LastEdit? {
            guard let audited = models.first(where: { $0.type == type(of: model) }), case .recordStamp(let name) = audited.level else {
                return nil
            }
            return audited.fields(of: model) { _ in nil }[name]?.string.flatMap { RecordStamp($0) }.map { LastEdit($0) }
        }

        /// Stops listening.
        public func stop() { audit.stop() }

        /// Reads what the store's history has gained, and returns when the observer has been told.
        public func readHistory() { audit.readHistory() }

        /// Registers for what contexts of a container post, on the thread that saves.
        private static func observe(
            _ name: Notification.Name, of container: ObjectIdentifier, _ body: @escaping @Sendable (ModelContext) -> Void
        ) -> NotificationRegistration {
            NotificationRegistration(name) { notification in
                guard let context = notification.object as? ModelContext, ObjectIdentifier(context.container) == container else { return }
                body(context)
            }
        }
    }
#endif
