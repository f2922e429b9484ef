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

    /// Audits the SwiftData stores that CloudKit syncs: three lines in an app, and every edit that sync discards is in the log.
    ///
    /// ```swift
    /// let audit = try SwiftDataAudit(device: "k3f9", models: [note], directory: directory, sink: log)
    /// let container = try ModelContainer(for: Note.self)   // the app's own line
    /// try audit.start(container)
    /// ```
    ///
    /// Make it before the container, so that no export begins unseen. It fills in stamps when a context is about to save, reads the stores'
    /// histories for saves and imports, listens to the mirroring's events, and never writes the store otherwise.
    ///
    /// Thread-safe.
    public final class SwiftDataAudit: Sendable {
        private let audits: StoreAudits
        private let models: [AuditedModel]

        /// What finds the conflicts: for the first store, then for each other that was started or is among the eight that were used last.
        public var observers: [SyncObserver] { audits.observers }
        /// Shows how sync stands.
        public var sync: SyncMonitor { audits.sync }
        /// Where events go.
        var sink: any AuditSink { audits.sink }
        /// Shows which edits were lost, in this launch and in earlier ones, until they are restored or dismissed.
        public var conflicts: ConflictMonitor { audits.conflicts }

        /// An audit that listens to the mirroring's events, and has no container yet.
        ///
        /// - Parameters:
        ///   - device: The device's name, as logs and stamps give it: short and its own, for every stamp carries it.
        ///   - models: Every model class of the stores that are to be audited, those without audited attributes included; classes of other
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
            audits = try StoreAudits(
                device: device, entities: entities, directory: directory, sink: sink, configure: configure, fails: fails)
        }

        /// Begins to fill in stamps and to read the history of a container's stores, at first what it has gained since the last time.
        ///
        /// Audited are the stores that CloudKit syncs; where none says so, all. The one that is first by its file name at the very first
        /// start is audited under the device's own name, and every other under one like `k3f9~1c0ffee2`, where the device is `k3f9`: stores
        /// count their transactions by themselves. A store keeps its name, and one that is made anew gets another. Where one of several
        /// cannot be audited, the others are, and `fails` is told.
        ///
        /// - Parameters:
        ///   - container: The container, which has opened its stores.
        ///   - configuration: That of the only store to audit; nil for all that sync.
        /// - Throws: ``SwiftDataAuditError`` where no store is known or in a file or a model class is missing, or what Core Data throws.
        public func start(_ container: ModelContainer, configuration: ModelConfiguration? = nil) throws {
            let chosen = try configuration.map { [$0] } ?? Self.configurations(of: container)
            var owners: [String: ModelConfiguration] = [:]
            let stores = try chosen.map { configuration in
                guard !configuration.isStoredInMemoryOnly else {
                    throw SwiftDataAuditError("the container keeps its store in memory: an audit needs one in a file")
                }
                let models = try models(of: configuration, in: container)
                for model in models {
                    // What a context saves of it cannot be told to be of one of them.
                    guard let other = owners.updateValue(configuration, forKey: model.entity) else { continue }
                    throw SwiftDataAuditError(
                        "the stores '\(other.url.lastPathComponent)' and '\(configuration.url.lastPathComponent)' have both the model "
                            + "\(model.entity): give each configuration a schema of its own, or name one by 'configuration:'")
                }
                return (history: try StoreHistory(url: configuration.url, types: models.map(\.type)), models: models)
            }
            try audits.start(stores, by: \.history.identifier) { audit, store in
                try start(audit, store.history, store.models, in: container)
            }
        }

        private func start(_ audit: StoreAudit, _ store: StoreHistory, _ models: [AuditedModel], in container: ModelContainer) throws {
            let fromStore = Dictionary(models.map { (RecordType($0.entity), $0.fromStore) }) { first, _ in first }
            let history = audit.history(fromStore: fromStore) { store.newContext() }
            let fails = audits.fails
            let saves = ModelContextSaves(observer: audit.observer, history: history, identities: audits.identities, models: models)
            let identity = ObjectIdentifier(container)
            let registrations = [
                Self.observe(ModelContext.willSave, of: identity) { context in
                    do { try saves.willSave(context) } catch { fails(error) }
                },
                Self.observe(ModelContext.didSave, of: identity) { saves.didSave($0) },
            ]
            try audit.start(history, at: store.url, registrations: registrations)
        }

        /// The configurations of the stores to audit, by their file names.
        private static func configurations(of container: ModelContainer) throws -> [ModelConfiguration] {
            let candidates = container.configurations.map { configuration in
                StoreChoice.Candidate(
                    configuration, isInMemory: configuration.isStoredInMemoryOnly,
                    isSynced: configuration.cloudKitContainerIdentifier != nil)
            }
            do {
                return try StoreChoice.audited(of: candidates).sorted {
                    ($0.url.lastPathComponent, $0.url.path) < ($1.url.lastPathComponent, $1.url.path)
                }
            } catch {
                throw SwiftDataAuditError(error.sentence)
            }
        }

        /// The audited models of a store's schema.
        private func models(of configuration: ModelConfiguration, in container: ModelContainer) throws -> [AuditedModel] {
            let entities = Set((configuration.schema ?? container.schema).entities.map(\.name))
            let missing = entities.subtracting(models.map(\.entity)).sorted()
            guard missing.isEmpty else {
                throw SwiftDataAuditError(
                    "the store '\(configuration.url.lastPathComponent)' has models that the audit does not know: add "
                        + "\(missing.joined(separator: ", ")) to 'models:'")
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

        /// The value that a conflict discarded, as a change for the app to make in its own editing context.
        ///
        /// - Throws: `SyncObservationError` with the code `notFound` where none of the ``observers`` has the value.
        public func proposedChange(restoring conflict: ConflictID) throws -> ProposedChange {
            try audits.proposedChange(restoring: conflict)
        }

        /// Has the app give back what a conflict discarded, in its own editing context, and takes the edit off the list of ``conflicts``
        /// once it has.
        ///
        /// - Parameters:
        ///   - conflict: A conflict that ``conflicts`` shows as lost.
        ///   - force: Whether to replace also what was saved or has arrived since.
        ///   - apply: Makes the change and saves it; where it throws, the edit stays on the list.
        /// - Throws: `SyncObservationError` with the code `superseded` where the field has moved on since, or `notFound` where none of the
        ///   ``observers`` has the value, and what `apply` throws.
        public func restore(_ conflict: Conflict, force: Bool = false, by apply: (ProposedChange) throws -> Void) throws {
            try audits.restore(conflict, force: force, by: apply)
        }

        /// Stops listening.
        public func stop() { audits.stop() }

        /// Reads what the stores' histories have gained, and returns when the observers have been told.
        public func readHistory() { audits.readHistory() }

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
