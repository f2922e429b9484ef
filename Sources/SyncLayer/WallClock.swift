#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Tells the time of day, in milliseconds since 1970.
///
/// It may jump either way. Called from any thread.
public typealias WallClock = @Sendable () -> Int64

/// The time of day by the system's clock, in milliseconds since 1970.
@Sendable
public func systemWallClock() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
