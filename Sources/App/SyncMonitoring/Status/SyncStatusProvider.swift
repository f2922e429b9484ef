public import SyncModel

/// A source of the status of syncing, for code that only asks about it.
///
/// ```swift
/// func subtitle(_ status: some SyncStatusProvider) -> String {
///     status.isSyncing ? "Syncing..." : "Up to date"
/// }
/// ```
///
/// ``SyncMonitor`` is the real one; `ManualSyncStatus` in SyncLayerTesting is moved by hand.
public protocol SyncStatusProvider: Sendable {
    /// Whether a sync is under way.
    var isSyncing: Bool { get }

    /// The time at which a sync last ended well; nil where none has.
    var lastSyncDate: WallTime? { get }
}
