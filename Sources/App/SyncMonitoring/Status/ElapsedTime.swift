package import SyncModel

/// A stretch of time as one says it, in whole units, rounded down.
package struct ElapsedTime: Hashable, Sendable {
    private let milliseconds: Int64

    /// The time between two instants; none where the clock was put back in between.
    package init(from start: WallTime, to end: WallTime) {
        milliseconds = max(0, start.duration(to: end).wholeMilliseconds)
    }

    /// How long ago it was: `less than a minute ago`, `1 minute ago`, `5 hours ago`.
    package var ago: String {
        let minutes = milliseconds / 60_000
        switch minutes {
        case 0: return "less than a minute ago"
        case 1..<60: return Self.ago(minutes, "minute")
        case 60..<1440: return Self.ago(minutes / 60, "hour")
        default: return Self.ago(minutes / 1440, "day")
        }
    }

    private static func ago(_ count: Int64, _ unit: String) -> String {
        "\(count) \(unit)\(count == 1 ? "" : "s") ago"
    }
}
