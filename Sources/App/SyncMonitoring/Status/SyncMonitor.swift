public import ConflictAudit
public import Observation
public import SyncModel
import SyncSystem

/// An audit sink that shows the state of syncing, for an app's views.
///
/// ```swift
/// let monitor = SyncMonitor()
/// configuration.sink = BroadcastingAuditSink([log, monitor])
/// ```
///
/// Put it beside the log in a `BroadcastingAuditSink`, give that to the replica, the ``NetworkMonitor`` and the
/// ``AccountMonitor``, and it learns all it shows from the events that they report anyway. One monitor belongs to one replica, or to all
/// stores of one audit: a part has failed where that of any store has, and has succeeded where those of all have.
///
/// Thread-safe: events are taken from any thread and in effect when `record` returns, and every property may be read from any thread.
/// Observers are told on the main actor. There they miss nothing: an observer reads first and is registered afterwards, so a change between
/// the two is only safe from being missed where the news has to wait for the observer's turn to end.
@Observable
public final class SyncMonitor: AuditSink, SyncStatusProvider {
    private struct Content {
        /// By the name of the store that steps carry, nil for that of the first.
        private var stores: [DeviceID?: SyncStates] = [:]
        /// That of a store which no step has told of.
        private var unheard = SyncStates()
        private(set) var states = SyncStates()
        private(set) var isSyncing = false
        var lastSuccess: WallTime?
        var refreshVersion = 0
        var lastRemoteChange: WallTime?

        mutating func apply(_ activity: SyncActivity) {
            stores[activity.device, default: unheard].apply(activity)
            combine()
        }

        mutating func apply(_ account: AccountStatus) {
            for store in stores.keys { stores[store]?.apply(account) }
            unheard.apply(account)
            combine()
        }

        mutating func forget(_ store: DeviceID?) {
            stores[store] = nil
            combine()
        }

        private mutating func combine() {
            let inOrder = stores.sorted { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }.map(\.value)
            states = inOrder.isEmpty ? unheard : SyncStates(of: inOrder)
            isSyncing = inOrder.contains { $0.isSyncing }
        }
    }

    @ObservationIgnored private let content = Locked(Content())
    @ObservationIgnored private let wallClock: WallClock

    /// A monitor that has seen nothing yet.
    ///
    /// - Parameter wallClock: Tells when remote changes come in, and how long ago the last success was.
    public init(wallClock: @escaping WallClock = systemWallClock) {
        self.wallClock = wallClock
    }

    // MARK: What it shows

    /// The state of the setup.
    public var setupState: SyncState {
        access(keyPath: \.setupState)
        return content.withLock { $0.states.setup }
    }

    /// The state of fetching from the hub.
    public var importState: SyncState {
        access(keyPath: \.importState)
        return content.withLock { $0.states.import }
    }

    /// The state of sending to the hub.
    public var exportState: SyncState {
        access(keyPath: \.exportState)
        return content.withLock { $0.states.export }
    }

    /// All of it as one: a failure before a missing account before work under way; then success, where both directions succeeded; then
    /// idleness.
    public var overallState: SyncState { states.overall }

    /// Whether any part of a sync is under way.
    public var isSyncing: Bool {
        // What is under way in one store may be hidden by the failure of another.
        access(keyPath: \.isSyncing)
        _ = states
        return content.withLock { $0.isSyncing }
    }

    /// The time at which data last went through without an error, either way; nil where it never has.
    ///
    /// A setup alone does not count.
    public var lastSuccessfulSync: WallTime? {
        access(keyPath: \.lastSuccessfulSync)
        return content.withLock { $0.lastSuccess }
    }

    /// The same as ``lastSuccessfulSync``.
    public var lastSyncDate: WallTime? { lastSuccessfulSync }

    /// How long ago the last success was, by the monitor's clock; nil where there was none.
    ///
    /// It reads like `Last synced 5 minutes ago`. Observers are not told that time passes: a view that shows the text renews it now and
    /// then.
    public var lastSyncedText: String? {
        lastSuccessfulSync.map { "Last synced \(ElapsedTime(from: $0, to: wallClock()).ago)" }
    }

    /// Rises with every merged batch of other devices' writes, and is never behind the replica's own count.
    public var refreshVersion: Int {
        access(keyPath: \.refreshVersion)
        return content.withLock { $0.refreshVersion }
    }

    /// Whether other devices' writes were merged after the refresh version stood at so much.
    ///
    /// No clock is involved, so this is what a refresh should be gated with.
    public func hasReceivedRemoteChange(sinceVersion version: Int) -> Bool { refreshVersion > version }

    /// Whether news of other devices' writes came in at a time or later, by the monitor's clock.
    ///
    /// A clock that was put back in between makes the answer unreliable; the refresh version does not suffer from that.
    public func hasReceivedRemoteChange(since time: WallTime) -> Bool {
        access(keyPath: \.refreshVersion)
        return content.withLock { $0.lastRemoteChange.map { $0 >= time } ?? false }
    }

    private var states: SyncStates {
        access(keyPath: \.setupState)
        access(keyPath: \.importState)
        access(keyPath: \.exportState)
        return content.withLock { $0.states }
    }

    // MARK: What it learns

    /// Takes in an event.
    ///
    /// Those that do not concern it are passed over.
    public func record(_ event: AuditEvent) {
        switch event.content {
        case .sync(let activity):
            update {
                $0.apply(activity)
                if activity.state == .succeeded, activity.phase != .setup { $0.lastSuccess = event.time }
            }
        case .remoteChange(let change):
            // The time of arrival, not the event's own: a batch is dated before it is committed, and who read in between has not seen it.
            let now = wallClock()
            update {
                $0.refreshVersion = max($0.refreshVersion + 1, change.refreshVersion)
                $0.lastRemoteChange = now
            }
        case .account(let status):
            // A status that a later version may add says nothing to this one.
            guard let status = AccountStatus(rawValue: status) else { return }
            update { $0.apply(status) }
        case .write, .acknowledgement, .merge, .outbox, .refresh, .conflict, .network, .clock, .checkpoint, .statistics, .rules, .log:
            break
        }
    }

    /// Forgets what it was told of the sync of a store that is not synced any more, so that a failure of it is not shown for ever.
    ///
    /// - Parameter store: The name that its steps carry, nil for that of the device's first store.
    public func forget(_ store: DeviceID?) { update { $0.forget(store) } }

    private func update(_ change: (inout Content) -> Void) {
        let (old, new) = content.withLock { content in
            let old = content
            change(&content)
            return (old, content)
        }
        let changed = (
            setup: old.states.setup != new.states.setup, import: old.states.import != new.states.import,
            export: old.states.export != new.states.export, success: old.lastSuccess != new.lastSuccess,
            version: old.refreshVersion != new.refreshVersion, work: old.isSyncing != new.isSyncing
        )
        guard changed.setup || changed.import || changed.export || changed.success || changed.version || changed.work else { return }
        // The values have changed already; what is left is to say so.
        Task { @MainActor [weak self] in
            guard let self else { return }
            if changed.setup { withMutation(keyPath: \.setupState) {} }
            if changed.import { withMutation(keyPath: \.importState) {} }
            if changed.export { withMutation(keyPath: \.exportState) {} }
            if changed.success { withMutation(keyPath: \.lastSuccessfulSync) {} }
            if changed.version { withMutation(keyPath: \.refreshVersion) {} }
            if changed.work { withMutation(keyPath: \.isSyncing) {} }
        }
    }
}
