public import SyncLayer
import Synchronization

/// A clock that stands until it is moved.
///
/// Thread-safe.
public final class ManualClock: Sendable {
    private let milliseconds: Atomic<Int64>

    /// A clock.
    ///
    /// - Parameter milliseconds: What it shows, in milliseconds since 1970; 15 January 2026, 13:00 UTC unless given.
    public init(_ milliseconds: Int64 = 1_768_482_000_000) {
        self.milliseconds = Atomic(milliseconds)
    }

    /// What the clock shows, in milliseconds since 1970.
    public var now: Int64 { milliseconds.load(ordering: .sequentiallyConsistent) }

    /// Moves the clock, either way.
    public func advance(by milliseconds: Int64) {
        self.milliseconds.add(milliseconds, ordering: .sequentiallyConsistent)
    }

    /// The clock as replicas and hubs take it.
    public var wallClock: WallClock { { [self] in now } }
}
