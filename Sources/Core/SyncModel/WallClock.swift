import SyncSystem

/// A clock that tells the time of day.
///
/// It may jump either way. Called from any thread.
public typealias WallClock = @Sendable () -> WallTime

/// The time of day by the system's clock.
@Sendable
public func systemWallClock() -> WallTime { WallTime(millisecondsSince1970: millisecondsSince1970()) }
