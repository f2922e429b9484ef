public import SyncModel
public import SyncMonitoring
import SyncSystem

/// A sync status that is set by hand, for tests of code that only asks about syncing.
///
/// ```swift
/// let status = ManualSyncStatus(isSyncing: true)
/// status.isSyncing = false
/// ```
///
/// Thread-safe.
public final class ManualSyncStatus: SyncStatusProvider {
    private let state: Locked<(isSyncing: Bool, lastSyncDate: WallTime?)>

    /// A status; idle, and never synced, unless said otherwise.
    public init(isSyncing: Bool = false, lastSyncDate: WallTime? = nil) {
        state = Locked((isSyncing, lastSyncDate))
    }

    /// Whether a sync is under way.
    public var isSyncing: Bool {
        get { state.withLock { $0.isSyncing } }
        set { state.withLock { $0.isSyncing = newValue } }
    }

    /// The time at which a sync last ended well; nil where none has.
    public var lastSyncDate: WallTime? {
        get { state.withLock { $0.lastSyncDate } }
        set { state.withLock { $0.lastSyncDate = newValue } }
    }
}
