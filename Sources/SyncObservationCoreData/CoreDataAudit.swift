#if canImport(CoreData)
    public import ConflictAudit
    public import CoreData
    import Foundation
    public import SyncModel
    public import SyncMonitoring
    public import SyncObservation

    /// Audits a Core Data store that `NSPersistentCloudKitContainer` syncs: every edit that sync discards is in the log.
    ///
    /// ```swift
    /// let audit = try CoreDataAudit(device: "k3f9", entities: [AuditedEntity("Note")], directory: directory, sink: log)
    /// CoreDataAudit.prepare(container)
    /// container.loadPersistentStores { _, error in /* the app's own lines */ }
    /// try audit.start(container)
    /// ```
    ///
    /// Make it before the stores are loaded, so that no export begins unseen. It fills in stamps when a context is about to save, reads the
    /// store's history for saves and imports, listens to the mirroring's events, and never writes the store otherwise.
    ///
    /// Thread-safe.
    public final class CoreDataAudit: Sendable {
        private let audit: StoreAudit

        /// Finds the conflicts, and proposes to restore what was lost.
        public var observer: SyncObserver { audit.observer }
        /// Shows how sync stands.
        public var sync: SyncMonitor { audit.sync }
        /// Shows which edits were lost.
        public var conflicts: ConflictMonitor { audit.conflicts }

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
            audit = try StoreAudit(
                device: device, entities: entities, directory: directory, sink: sink, configure: configure, fails: fails)
        }

        /// Asks for the history of a container's stores, and to be told when it grows; before the stores are loaded.
        public static func prepare(_ container: NSPersistentContainer) {
            for description in container.persistentStoreDescriptions {
                description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
                description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
            }
        }

        /// Begins to fill in stamps and to read the history of a container's store, at first what it has gained since the last time.
        ///
        /// The store is the only one that CloudKit syncs, or the only one there is. Where several sync, such as a private and a shared one,
        /// each has an audit of its own, with a directory and a device name of its own: both audits number their device's writes from 1.
        ///
        /// - Parameters:
        ///   - container: The container, which has loaded its stores.
        ///   - store: The store, where CloudKit syncs several.
        /// - Throws: ``CoreDataAuditError`` where the store is not known or in memory only, or what the observer throws.
        public func start(_ container: NSPersistentContainer, store: NSPersistentStore? = nil) throws {
            let chosen = try store ?? Self.onlyStore(of: container)
            guard !chosen.isInMemory else {
                throw CoreDataAuditError("the container keeps its store in memory: an audit needs one in a file")
            }
            // Sound: a container's own properties do not change once its store is loaded, and contexts may be made on any thread.
            nonisolated(unsafe) let container = container
            let history = audit.history(of: chosen.identifier) { unsafe container.newBackgroundContext() }
            try audit.start(history, store: chosen.identifier, at: chosen.url)
        }

        private static func onlyStore(of container: NSPersistentContainer) throws -> NSPersistentStore {
            let synced = Set(container.persistentStoreDescriptions.filter { $0.cloudKitContainerOptions != nil }.compactMap(\.url))
            let candidates = container.persistentStoreCoordinator.persistentStores.map { store in
                StoreChoice.Candidate(
                    store, name: store.url?.lastPathComponent ?? "", isInMemory: store.isInMemory,
                    isSynced: store.url.map { synced.contains($0) } ?? false)
            }
            do {
                return try StoreChoice.only(of: candidates, parameter: "store")
            } catch {
                throw CoreDataAuditError(error.sentence)
            }
        }

        /// Stops listening.
        public func stop() { audit.stop() }

        /// Reads what the store's history has gained, and returns when the observer has been told.
        public func readHistory() { audit.readHistory() }
    }

    extension NSPersistentStore {
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
