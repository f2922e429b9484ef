#if canImport(CoreData)
    package import ConflictAudit
    package import Foundation
    package import SyncModel
    package import SyncMonitoring
    package import SyncObservation

    /// The audits of a container's stores, which share the app's sink and two monitors.
    ///
    /// A store counts its transactions by itself, so that each has an observer and a shadow. The first has the directory and the device's
    /// name that the app gives; every other has a directory below that one and a writer's name of its own. Which is which is kept in the
    /// directories, by the stores' identifiers: a store that was made anew is another one.
    ///
    /// Thread-safe.
    package final class StoreAudits: @unchecked Sendable {
        // Sound: `others` is reached with `lock` held, and everything else is Sendable.

        package let sync = SyncMonitor()
        package let conflicts = ConflictMonitor()
        package let identities: RecordIdentities
        package let fails: @Sendable (any Error) -> Void
        /// Where events go: the app's sink, and what shows them.
        package let sink: any AuditSink

        private let configuration: SyncObserver.Configuration
        private let directory: AuditDirectory
        private let first: StoreAudit
        private let lock = NSLock()
        private var others: [StoreAudit]

        /// How many stores beside the first are listened to before they are opened: those that were used last.
        ///
        /// Each is an open database.
        private static let otherLimit = 8

        /// Audits that listen to the mirroring's events, and read no stores yet.
        package init(
            device: DeviceID, entities: [AuditedEntity], directory: URL, sink: some AuditSink,
            configure: (inout SyncObserver.Configuration) -> Void, fails: @escaping @Sendable (any Error) -> Void
        ) throws {
            var configuration = SyncObserver.Configuration(device: device, installation: "")
            for entity in entities { configuration.levels[RecordType(entity.name)] = entity.level }
            configure(&configuration)
            let identities = RecordIdentities(attributes: Dictionary(entities.map { ($0.name, $0.identity) }) { first, _ in first })
            let sinks = GapsOnce(to: BroadcastingAuditSink([sink, sync, conflicts]))
            let root = try AuditDirectory(directory)
            first = try StoreAudit(configuration, in: root, identities: identities, sink: sinks, fails: fails)
            configuration.isOfAnotherStore = true
            others = try root.others.prefix(Self.otherLimit).compactMap { [configuration] other in
                do {
                    return try StoreAudit(configuration, in: other, identities: identities, sink: sinks, fails: fails)
                } catch {
                    // What is wrong with one keeps no other from being audited.
                    fails(error)
                    return nil
                }
            }
            conflicts.show(first.observer)
            for other in others { conflicts.show(other.observer) }
            self.configuration = configuration
            self.directory = root
            self.identities = identities
            self.sink = sinks
            self.fails = fails
        }

        deinit { stop() }

        /// Those of the first store, of the stores that were started, and of those that were used last.
        package var observers: [SyncObserver] { all.map(\.observer) }

        private var all: [StoreAudit] { [first] + lock.withLock { others } }

        /// Starts the audits of some stores; those of other stores end their reading.
        ///
        /// What is wrong with one of several stores keeps no other from being audited, and is told like what goes wrong later.
        ///
        /// - Parameters:
        ///   - stores: What is known of the stores; the very first time, the one that comes first is the first store.
        ///   - identifier: The identifier of a store.
        ///   - start: Starts the audit of a store.
        /// - Throws: What the audit of the first throws, where none could be started.
        package func start<Store>(
            _ stores: [Store], by identifier: (Store) -> String, _ start: (StoreAudit, Store) throws -> Void
        ) throws {
            try endOthers(besides: stores.map(identifier))
            var failures: [any Error] = []
            for store in stores {
                do { try start(try audit(of: identifier(store)), store) } catch { failures.append(error) }
            }
            if let first = failures.first, failures.count == stores.count { throw first }
            for failure in failures { fails(failure) }
        }

        private func endOthers(besides stores: [String]) throws {
            for audit in all where audit.storeIdentifier.map({ !stores.contains($0) }) ?? false {
                audit.stopReading()
                sync.forget(audit.observer.store)
            }
            // One that does not say whose it is may be any store's: transactions of two must not be taken for those of one.
            if try first.storeIdentifier == nil && stores.count > 1 && first.isUsed { try first.belong(to: StoreAudit.noStore) }
        }

        private func audit(of store: String) throws -> StoreAudit {
            try lock.withLock {
                let isNew = first.storeIdentifier == nil
                let known = ([first] + others).first { $0.storeIdentifier == store } ?? (isNew ? first : nil)
                let audit = try known ?? makeOther(for: store)
                try audit.belong(to: store)
                // Until now it has heard of every store.
                if isNew { sync.forget(nil) }
                return audit
            }
        }

        /// Makes the audit of another store, or opens it again where it is not among those that were used last.
        private func makeOther(for store: String) throws -> StoreAudit {
            let directory = try directory.others.first { $0.store == store } ?? directory.other(for: store)
            let audit = try StoreAudit(
                configuration, in: directory, identities: identities, sink: sink, hasMissedEvent: true, fails: fails)
            others.append(audit)
            conflicts.show(audit.observer)
            return audit
        }

        /// The value that a conflict discarded, from the shadow of the store that had it.
        package func proposedChange(restoring conflict: ConflictID) throws -> ProposedChange {
            for observer in observers.dropFirst() {
                do {
                    return try observer.proposedChange(restoring: conflict)
                } catch let error as SyncObservationError where error.code == .notFound {
                    // It may be another store's.
                }
            }
            return try first.observer.proposedChange(restoring: conflict)
        }

        /// Has the app give back what a conflict discarded, see `SyncObserver.restore(_:force:by:)`.
        package func restore(_ conflict: Conflict, force: Bool, by apply: (ProposedChange) throws -> Void) throws {
            let holder = observers.first { (try? $0.proposedChange(restoring: conflict.id)) != nil }
            try (holder ?? first.observer).restore(conflict, force: force, by: apply)
        }

        /// Stops listening.
        package func stop() { for audit in all { audit.stop() } }

        /// Reads what the stores' histories have gained, and returns when the observers have been told.
        package func readHistory() { for audit in all { audit.readHistory() } }
    }

    /// Passes every event on, but of what cannot be observed each once, whichever store has it.
    private final class GapsOnce: AuditSink, @unchecked Sendable {
        // Sound: `told` is reached with `lock` held, and the rest is Sendable.
        private let next: BroadcastingAuditSink
        private let lock = NSLock()
        private var told: Set<UnobservedField> = []

        init(to next: BroadcastingAuditSink) { self.next = next }

        func record(_ event: AuditEvent) {
            if case .log(.unobserved(let gap)) = event.content {
                // Each store may have a reason of its own.
                let name = UnobservedField(type: gap.type, field: gap.field, reason: "")
                guard lock.withLock({ told.insert(name).inserted }) else { return }
            }
            next.record(event)
        }

        // What comes at once is conflicts.
        func record(contentsOf events: [AuditEvent]) { next.record(contentsOf: events) }

        var conflictKeeper: (any ConflictKeeper)? { next.conflictKeeper }
    }
#endif
