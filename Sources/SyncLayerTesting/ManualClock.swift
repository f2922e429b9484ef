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
    private let milliseconds: Locked<Int64>

    /// A clock.
    ///
    /// - Parameter milliseconds: What it shows, in milliseconds since 1970; 15 January 2026, 13:00 UTC unless given.
    public init(_ milliseconds: Int64 = 1_768_482_000_000) {
        self.milliseconds = Locked(milliseconds)
    }

    /// What the clock shows, in milliseconds since 1970.
    public var now: Int64 { milliseconds.withLock { $0 } }

    /// Moves the clock, either way, by whole milliseconds.
    public func advance(by duration: Duration) {
        milliseconds.withLock { $0 = $0.addingSaturated(duration.wholeMilliseconds) }
    }

    /// The clock as replicas and hubs take it.
    public var wallClock: WallClock { { [self] in now } }
}
