#if canImport(CoreData)
    public import ConflictAudit
    public import CoreData
    import Foundation
    import SyncModel
    import SyncMonitoring
    public import SyncObservation
    import SyncObservationFoundation

    /// Tells an observer of the setups, imports and exports of `NSPersistentCloudKitContainer`, which also carries SwiftData's.
    ///
    /// Every event comes when it begins and again when it ends, on a queue of the container's own, and may be posted more than once. One
    /// that has not ended has not failed, whatever it says of its success.
    ///
    /// ```swift
    /// let events = MirroringEvents(observer: observer, sink: log)
    /// events.start()
    /// ```
    ///
    /// Without an iCloud account the mirroring's events fail and say so: the observer is told of the account, and again when an event has
    /// succeeded. Nothing else is asked, so that an app without the entitlement is not stopped.
    ///
    /// Thread-safe.
    public final class MirroringEvents: @unchecked Sendable {
        // Sound: `begun`, `ended`, `isWithoutAccount` and `registration` are reached with `lock` held, and everything else is Sendable.
        private let observer: SyncObserver
        private let sink: (any AuditSink)?
        private let store: @Sendable () -> String?
        private let readHistory: @Sendable () -> Void
        private let fails: @Sendable (any Error) -> Void
        private let lock = NSLock()
        private var begun: Set<UUID> = []
        private var ended: [UUID] = []
        private var isWithoutAccount = false
        private var registration: NotificationRegistration?

        /// A translator that has not started.
        ///
        /// - Parameters:
        ///   - observer: Is told of imports and exports.
        ///   - sink: Gets setups as `sync` events; nil to pass over them.
        ///   - store: The identifier of the store whose events count, in an app with several; nil to take those of every store.
        ///   - readHistory: Called before the observer is told that an export begins, or that an export or an import has ended: what was
        ///     saved until then must be told first, or it would count as not exported; and so must what the import brought.
        ///   - fails: Gets what the observer throws.
        public init(
            observer: SyncObserver, sink: (any AuditSink)? = nil, store: @escaping @Sendable () -> String? = { nil },
            readHistory: @escaping @Sendable () -> Void = {}, fails: @escaping @Sendable (any Error) -> Void = { _ in }
        ) {
            self.observer = observer
            self.sink = sink
            self.store = store
            self.readHistory = readHistory
            self.fails = fails
        }

        deinit { stop() }

        /// Begins to listen; start before the container loads its stores.
        public func start() {
            // The object of the notification is the container; SwiftData does not show its own.
            let name = NSPersistentCloudKitContainer.eventChangedNotification
            let registration = NotificationRegistration(name) { [weak self] notification in
                let event = notification.userInfo?[NSPersistentCloudKitContainer.eventNotificationUserInfoKey]
                if let event = event as? NSPersistentCloudKitContainer.Event { self?.record(event) }
            }
            lock.withLock { self.registration = registration }
        }

        /// Stops listening.
        public func stop() {
            let registration = lock.withLock {
                defer { self.registration = nil }
                return self.registration
            }
            // It ends with its last reference, outside of the lock.
            withExtendedLifetime(registration) {}
        }

        /// Takes note of an event.
        public func record(_ event: NSPersistentCloudKitContainer.Event) {
            if let store = store(), event.storeIdentifier != store { return }
            guard isNews(event) else { return }
            do {
                switch (event.type, event.endDate) {
                case (.setup, let end): recordSetup(event, end)
                case (.import, nil): observer.importBegan()
                case (.import, _):
                    readHistory()
                    observer.importEnded(error: failure(of: event))
                case (.export, nil):
                    readHistory()
                    try observer.exportBegan()
                case (.export, _):
                    readHistory()
                    if let failure = failure(of: event) { try observer.exportFailed(failure) } else { try observer.exportSucceeded() }
                // What a later system may add.
                @unknown default: break
                }
            } catch {
                fails(error)
            }
            recordAccount(event)
        }

        /// Tells of the account after the event itself: a missing one explains the failure.
        private func recordAccount(_ event: NSPersistentCloudKitContainer.Event) {
            guard event.endDate != nil else { return }
            if !event.succeeded {
                guard let status = event.error.flatMap({ AccountStatus($0) }) else { return }
                lock.withLock { isWithoutAccount = true }
                observer.accountChanged(status)
            } else if takeWithoutAccount() {
                observer.accountChanged(.available)
            }
        }

        /// Whether the account was missing until now.
        private func takeWithoutAccount() -> Bool {
            lock.withLock {
                defer { isWithoutAccount = false }
                return isWithoutAccount
            }
        }

        /// Whether the event has not been told in this state yet.
        private func isNews(_ event: NSPersistentCloudKitContainer.Event) -> Bool {
            lock.withLock {
                if ended.contains(event.identifier) { return false }
                guard event.endDate != nil else { return begun.insert(event.identifier).inserted }
                begun.remove(event.identifier)
                ended.append(event.identifier)
                if ended.count > 100 { ended.removeFirst() }
                return true
            }
        }

        private func recordSetup(_ event: NSPersistentCloudKitContainer.Event, _ end: Date?) {
            let failure = end == nil ? nil : failure(of: event)
            let duration = end.map { max(0, $0.timeIntervalSince(event.startDate)) } ?? 0
            sink?.record(
                AuditEvent(
                    at: WallTime(end ?? event.startDate),
                    .sync(
                        SyncActivity(
                            phase: .setup, state: end == nil ? .started : failure == nil ? .succeeded : .failed, writes: 0, bytes: 0,
                            duration: .milliseconds(Int64(duration * 1000)), error: failure, device: observer.store))))
        }

        /// What an ended event says of its failure; nil where it succeeded.
        private func failure(of event: NSPersistentCloudKitContainer.Event) -> String? {
            event.succeeded ? nil : event.error.map { String(describing: $0) } ?? "the container gives no reason"
        }
    }
#endif
