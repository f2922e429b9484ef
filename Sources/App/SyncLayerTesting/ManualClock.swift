public import SyncModel
import SyncSystem

/// A clock that stands until it is moved.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.wallClock = clock.wallClock
/// clock.advance(by: .seconds(60))
/// ```
///
/// Thread-safe.
public final class ManualClock: Sendable {
    private let time: Locked<WallTime>

    /// A clock.
    ///
    /// - Parameter time: What it shows; 15 January 2026, 13:00 UTC unless given.
    public init(_ time: WallTime = WallTime(millisecondsSince1970: 1_768_482_000_000)) {
        self.time = Locked(time)
    }

    /// What the clock shows.
    public var now: WallTime { time.withLock { $0 } }

    /// Moves the clock, either way, by whole milliseconds.
    public func advance(by duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }

    /// The clock as replicas and hubs take it.
    public var wallClock: WallClock { { [self] in now } }
}
