import SyncSystem

/// Tells the time of day, in milliseconds since 1970.
///
/// It may jump either way. Called from any thread.
public typealias WallClock = @Sendable () -> Int64

/// The time of day by the system's clock, in milliseconds since 1970.
@Sendable
public func systemWallClock() -> Int64 { millisecondsSince1970() }
