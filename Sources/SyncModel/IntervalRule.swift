/// What is inferred of a write that does not say what its writer had seen.
///
/// Such a write is an interval: from its timestamp to the time by which the others may have had it. A later write of another device is taken to have seen it
/// unless it was made within. That is an interval order, so merging stays independent of the order of arrival. What is found by it is suspected, not proven.
///
/// ```swift
/// let rule = IntervalRule(window: 60_000)
/// ```
///
/// Source: Fishburn, *Intransitive indifference with unequal indifference intervals*, 1970.
public struct IntervalRule: Hashable, Sendable {
    /// How long after a write another is suspected not to have seen it, in milliseconds; 0 or more.
    public var window: Int64

    /// By how much a device's clock may differ from the hub's, in milliseconds; 0 or more.
    public var tolerance: Int64

    /// Five minutes and two seconds unless told otherwise.
    public init(window: Int64 = 300_000, tolerance: Int64 = 2000) {
        precondition(window >= 0 && tolerance >= 0, "window and tolerance are lengths of time, 0 or more")
        self.window = window
        self.tolerance = tolerance
    }
}

extension TaggedWrite {
    /// When the write was made by the hub's clock, as far as its device's clock has been compared with it: where its interval begins.
    package var made: Int64 { storage.made }

    /// By when the devices that go by no causal context may have had the write: where its interval ends.
    package func end(_ intervals: IntervalRule) -> Int64 {
        let end = made.addingSaturated(intervals.window)
        guard let received = storage.receivedMilliseconds else { return end }
        return max(end, received.addingSaturated(-intervals.tolerance))
    }

    /// Whether the write was made before another can have been at the hub, for all that its device's clock may differ from the hub's.
    package func wasMadeBeforeReceipt(of other: TaggedWrite, _ intervals: IntervalRule) -> Bool {
        guard let received = other.storage.receivedMilliseconds else { return false }
        return made <= received.addingSaturated(-intervals.tolerance)
    }
}

extension Int64 {
    /// The sum, or the number nearest to it that there is.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
