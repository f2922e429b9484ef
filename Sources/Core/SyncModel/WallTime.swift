import SyncBytes

/// An instant of wall time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// It is what a clock on the wall shows, so it can be wrong and go back; `systemWallClock` reads the device's. What orders writes is a
/// ``HybridTimestamp``, which begins with such a time.
///
/// ```swift
/// let made = WallTime(millisecondsSince1970: 1_768_485_900_000)
/// let later = made + .seconds(90)
/// print(later)  // 2026-01-15T14:06:30.000Z
/// ```
///
/// Foundation's `Date` is `Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000)`.
public struct WallTime: InstantProtocol, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z; less than 0 before.
    public let millisecondsSince1970: Int64

    /// An instant.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// The instant a duration later, or earlier where it is less than zero.
    ///
    /// Parts of a millisecond are left off. A duration or a result that does not fit an `Int64` of milliseconds counts as the nearest that
    /// does.
    public func advanced(by duration: Duration) -> WallTime {
        WallTime(millisecondsSince1970: millisecondsSince1970.addingSaturated(duration.wholeMilliseconds))
    }

    /// The duration from this instant to another; less than zero where the other is earlier.
    public func duration(to other: WallTime) -> Duration {
        .milliseconds(other.millisecondsSince1970) - .milliseconds(millisecondsSince1970)
    }

    /// The instant a duration later, as ``advanced(by:)`` has it.
    public static func + (time: WallTime, duration: Duration) -> WallTime { time.advanced(by: duration) }

    /// The instant a duration earlier, with the limits of ``advanced(by:)``.
    public static func - (time: WallTime, duration: Duration) -> WallTime {
        // The least number has no opposite.
        time.advanced(by: .milliseconds(-max(duration.wholeMilliseconds, -.max)))
    }

    /// The duration from the right instant to the left one.
    public static func - (left: WallTime, right: WallTime) -> Duration { right.duration(to: left) }

    /// RFC 3339 in UTC with milliseconds.
    public var description: String { RFC3339.string(milliseconds: millisecondsSince1970) }

    /// Whether the left instant is earlier.
    public static func < (left: WallTime, right: WallTime) -> Bool { left.millisecondsSince1970 < right.millisecondsSince1970 }
}
