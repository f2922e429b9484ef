import SyncModel

/// The limits of the lost edits that a store keeps for the app, until they are restored or dismissed.
///
/// What is over a limit is forgotten, the oldest first, and the log is told how many they were; their conflicts stay in the log.
///
/// ```swift
/// configuration.lostEditLimits = LostEditLimits(count: 200, age: .seconds(30 * 86_400))
/// ```
///
/// A value; safe to share.
public struct LostEditLimits: Hashable, Sendable {
    /// How many are kept, those that were dismissed included; none with 0 or less.
    public var count: Int
    /// How many bytes they take, values included; the latest is kept whatever it takes.
    public var bytes: Int
    /// How long each is kept, in whole milliseconds, from when this device found it; checked when the store is opened and when another edit
    /// is lost.
    public var age: Duration

    /// Limits; without any, 1000 edits, 4 MB and 90 days.
    public init(count: Int = 1000, bytes: Int = 4_000_000, age: Duration = .seconds(90 * 86_400)) {
        self.count = count
        self.bytes = bytes
        self.age = age
    }

    /// The latest time at which an edit was found that is too old at another time.
    func end(of wall: Int64) -> Int64 {
        let (end, overflow) = wall.subtractingReportingOverflow(age.wholeMilliseconds)
        return overflow ? .min : end
    }
}
