import SyncBytes

/// A timestamp of a hybrid logical clock: wall-clock milliseconds and a counter that breaks ties.
///
/// Source: Kulkarni, Demirbas, Madappa, Avva and Leone, *Logical Physical Clocks*, OPODIS 2014.
///
/// ```swift
/// let timestamp = HybridTimestamp(milliseconds: 1_768_485_900_000)
/// let next = HybridTimestamp(milliseconds: 1_768_485_900_000, counter: 1)
/// ```
public struct HybridTimestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Orders timestamps within one millisecond.
    public let counter: UInt32

    /// A timestamp.
    @inlinable public init(milliseconds: Int64, counter: UInt32 = 0) {
        self.milliseconds = milliseconds
        self.counter = counter
    }

    /// The timestamp's wall time, without the counter.
    public var wallTime: WallTime { WallTime(millisecondsSince1970: milliseconds) }

    /// RFC 3339 in UTC with milliseconds, and the counter after a `+` where it is not zero.
    public var description: String {
        let date = RFC3339.string(milliseconds: milliseconds)
        return counter == 0 ? date : "\(date)+\(counter)"
    }

    /// Whether the left timestamp is earlier: by milliseconds, then by counter.
    public static func < (left: HybridTimestamp, right: HybridTimestamp) -> Bool {
        left.milliseconds == right.milliseconds ? left.counter < right.counter : left.milliseconds < right.milliseconds
    }

    /// The earliest timestamp after this one; the last one there is stays.
    package var next: HybridTimestamp {
        if counter < .max { return HybridTimestamp(milliseconds: milliseconds, counter: counter + 1) }
        return milliseconds < .max ? HybridTimestamp(milliseconds: milliseconds + 1) : self
    }
}
