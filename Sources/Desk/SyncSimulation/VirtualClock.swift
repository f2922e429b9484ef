import SyncLayer
import SyncModel
import SyncSystem

/// A clock that stands until it is moved.
///
/// Thread-safe.
final class VirtualClock: Sendable {
    /// 15 January 2026, 13:00 UTC.
    static let start: Int64 = 1_768_482_000_000

    private let milliseconds: Locked<Int64>

    init(_ milliseconds: Int64 = VirtualClock.start) {
        self.milliseconds = Locked(milliseconds)
    }

    /// The clock as hubs take it.
    var wallTime: WallTime { WallTime(millisecondsSince1970: now) }

    /// Milliseconds since 1970, or what a clock is off by.
    var now: Int64 {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }
}
