#if canImport(CoreData)
    public import ConflictAudit
    public import CoreData
    import Foundation
    public import SyncModel
    public import SyncMonitoring
    public import SyncObservation

    /// Audits the Core Data stores that `NSPersistentCloudKitContainer` syncs: every edit that sync discards is in the log.
    ///
    /// ```swift
    /// let audit = try CoreDataAudit(device: "k3f9", entities: [AuditedEntity("Note")], directory: directory, sink: log)
    /// CoreDataAudit.prepare(container)
    /// container.loadPersistentStores { _, error in /* the app's own lines */ }
    /// try audit.start(container)
    /// ```
    ///
    /// Make it before the stores are loaded, so that no export begins unseen. It fills in stamps when a context is about to save, reads the
    /// stores' histories for saves and imports, listens to the mirroring's events, and never writes the store otherwise.
    ///
    /// Thread-safe.
    public final class CoreDataAudit: Sendable {
        private let audits: StoreAudits

        /// What finds the conflicts: for the first store, then for each other that was started or is among the eight that were used last.
        public var observers: [SyncObserver] { audits.observers }
        /// Shows how sync stands.
        public var sync: SyncMonitor { audits.sync }
        /// Shows which edits were lost, in this launch and in earlier ones, until they are restored or dismissed.
        public var conflicts: ConflictMonitor { audits.conflicts }

        /// An audit that listens to the mirroring's events, and has no container yet.
        ///
        /// - Parameters:
        ///   - device: The device's name, as logs and stamps give it: short and its own, for every stamp carries it.
        ///   - entities: The entities of the store; those that are not named are audited without a stamp, by their `id`.
        ///   - directory: Where the audit keeps its files; made where it is missing. Not one that several processes use.
        ///   - sink: Where events go, such as a log.
        ///   - configure: Changes the observer's configuration, whose levels are those of the entities.
        ///   - fails: Gets what the observer or Core Data throws while the app runs.
        public init(
            device: DeviceID, entities: [AuditedEntity], directory: URL, sink: some AuditSink,
            configure: (inout SyncObserver.Configuration) -> Void = { _ in }, fails: @escaping @Sendable (any Error) -> Void = { _ in }
        ) throws {
            audits = try StoreAudits(
                device: device, entities: entities, directory: directory, sink: sink, configure: configure, fails: fails)
        }

        /// Asks for the history of a container's stores, and to be told when it grows; before the stores are loaded.
        public static func prepare(_ container: NSPersistentContainer) {
            for description in container.persistentStoreDescriptions {
                description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
                description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
            }
        }

        /// Begins to fill in stamps and to read the history of a container's stores, at first what it has gained since the last time.
        ///
        /// Audited are the stores that CloudKit syncs, such as a private and a shared one; where none says so, all. The one that is first
        /// by its file name at the very first start is audited under the device's own name, and every other under one like
        /// `k3f9~1c0ffee2`, where the device is `k3f9`: stores count their transactions by themselves. A store keeps its name, and one that
        /// is made anew gets another. Where one of several cannot be audited, the others are, and `fails` is told.
        ///
        /// - Parameters:
        ///   - container: The container, which has loaded its stores.
        ///   - store: The only store to audit; nil for all that sync.
        /// - Throws: ``CoreDataAuditError`` where no store is known or in a file, or what the observers throw.
        public func start(_ container: NSPersistentContainer, store: NSPersistentStore? = nil) throws {
            let chosen = try store.map { [$0] } ?? Self.stores(of: container)
            let identifiers = try chosen.map { store in
                guard !store.isInMemory else {
                    throw CoreDataAuditError("the container keeps its store in memory: an audit needs one in a file")
                }
                guard let identifier = store.identifier, !identifier.isEmpty else {
                    throw CoreDataAuditError(
                        "the store '\(store.url?.lastPathComponent ?? "")' has no identifier: start the audit once it is loaded")
                }
                return identifier
            }
            // Sound: a container's own properties do not change once its store is loaded, and contexts may be made on any thread.
            nonisolated(unsafe) let container = container
            try audits.start(Array(zip(chosen, identifiers)), by: \.1) { audit, store in
                try audit.start(audit.history { unsafe container.newBackgroundContext() }, at: store.0.url)
            }
        }

        /// The stores to audit, by their file names.
        private static func stores(of container: NSPersistentContainer) throws -> [NSPersistentStore] {
            let descriptions = container.persistentStoreDescriptions.filter { $0.cloudKitContainerOptions != nil }
            // A description may have named the file by another path.
            let synced = Set(descriptions.compactMap(\.url?.standardizedFileURL).map { $0.resolvingSymlinksInPath() })
            let candidates = container.persistentStoreCoordinator.persistentStores.map { store in
                StoreChoice.Candidate(
                    store, isInMemory: store.isInMemory,
                    isSynced: store.url.map { synced.contains($0.standardizedFileURL.resolvingSymlinksInPath()) } ?? false)
            }
            do {
                return try StoreChoice.audited(of: candidates).sorted { $0.fileOrder < $1.fileOrder }
            } catch {
                throw CoreDataAuditError(error.sentence)
            }
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
    }

    extension NSPersistentStore {
        /// By its file's name, and then by its folder.
        fileprivate var fileOrder: (String, String) { (url?.lastPathComponent ?? "", url?.path ?? "") }

        fileprivate var isInMemory: Bool { type == NSInMemoryStoreType || url?.path == "/dev/null" }
    }

    /// An entity of an app's model, and how its edits are proven.
    ///
    /// ```swift
    /// let note = AuditedEntity("Note", identifiedBy: "uuid", level: .recordStamp("auditStamp"))
    /// ```
    public struct AuditedEntity: Hashable, Sendable {
        /// Its name in the model.
        public let name: String
        /// The attribute that identifies a record: a string, a UUID or a number that is the same on every device and never changes.
        public let identity: String
        /// What the model offers to prove conflicts with.
        public let level: ObservationLevel

        /// An entity.
        ///
        /// - Parameters:
        ///   - name: Its name in the model.
        ///   - id: The identifying attribute, by its name.
        ///   - level: What the model offers to prove conflicts with; stamps are optional string attributes that the app itself never sets.
        public init(_ name: String, identifiedBy id: String = "id", level: ObservationLevel = .unstamped) {
            self.name = name
            identity = id
            self.level = level
        }
    }

    /// What keeps a Core Data store from being audited.
    public struct CoreDataAuditError: Error, Sendable, CustomStringConvertible {
        /// A sentence that names the value and the remedy, without its full stop.
        public let description: String

        init(_ description: String) { self.description = description }
    }
#endif
