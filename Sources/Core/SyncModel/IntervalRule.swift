/// A rule by which the causal order of a write without a causal context is inferred.
///
/// Such a write is an interval: from its timestamp to the time by which the others may have had it. A later write of another device is
/// taken to have seen it unless it was made within, or the hub had it first: what the hub had first cannot have seen what it had later.
/// Both are interval orders, so merging stays independent of the order of arrival. What is found by them is suspected, not proven.
///
/// ```swift
/// let rule = IntervalRule(window: .seconds(60))
/// ```
///
/// Source: Fishburn, *Intransitive indifference with unequal indifference intervals*, 1970.
public struct IntervalRule: Hashable, Sendable {
    /// The time after a write for which another write is suspected not to have seen it, in whole milliseconds; 0 or more.
    public var window: Duration {
        get { .milliseconds(windowMilliseconds) }
        set { windowMilliseconds = newValue.wholeMilliseconds }
    }

    /// By how much a device's clock may differ from the hub's, in whole milliseconds; 0 or more.
    public var tolerance: Duration {
        get { .milliseconds(toleranceMilliseconds) }
        set { toleranceMilliseconds = newValue.wholeMilliseconds }
    }

    package var windowMilliseconds: Int64
    package var toleranceMilliseconds: Int64

    /// The rule by which nothing is suspected for being close in time; kept, since it is asked for with every write.
    package static let withoutWindow = IntervalRule(window: .zero)

    /// Five minutes and two seconds unless told otherwise.
    public init(window: Duration = .seconds(300), tolerance: Duration = .seconds(2)) {
        precondition(window >= .zero && tolerance >= .zero, "window and tolerance are lengths of time, 0 or more")
        windowMilliseconds = window.wholeMilliseconds
        toleranceMilliseconds = tolerance.wholeMilliseconds
    }
}

extension TaggedWrite {
    /// When the write was made by the hub's clock, as far as its device's clock has been compared with it, and no later than the hub had
    /// it: where its interval begins.
    package var made: Int64 { storage.made }

    /// By when the devices that go by no causal context may have had the write: where its interval ends.
    package func end(_ intervals: IntervalRule) -> Int64 { max(windowEnd(intervals), receipt(intervals)) }

    /// When the window after the write is over.
    package func windowEnd(_ intervals: IntervalRule) -> Int64 { made.addingSaturated(intervals.windowMilliseconds) }

    /// From when on another write may have seen this one, measured as its ``reception(_:)`` is: when the hub had it by a clock that is
    /// behind by the tolerance, or when it was made where that is not known.
    package func receipt(_ intervals: IntervalRule) -> Int64 {
        storage.receivedMilliseconds.map { $0.addingSaturated(-intervals.toleranceMilliseconds) } ?? made
    }

    /// Before when the hub must have had what this write has seen, measured as its ``receipt(_:)`` is: when it was made, and no later than
    /// the hub had it.
    ///
    /// Of what the hub had within one millisecond the clock does not tell which came first.
    package func reception(_ intervals: IntervalRule) -> Int64 { min(made, receipt(intervals).addingSaturated(1)) }

    /// Whether a write that does not say what its writer had seen is taken to have seen another.
    ///
    /// Beyond the window, and made after the hub may have had the other and not received before it.
    func isInferred(toHaveSeen other: TaggedWrite, _ intervals: IntervalRule) -> Bool {
        made > other.windowEnd(intervals) && reception(intervals) > other.receipt(intervals)
    }

    /// Whether the write was made before another can have been at the hub: the hub had it first, or it was made earlier for all that its
    /// device's clock may differ from the hub's.
    package func wasMadeBeforeReceipt(of other: TaggedWrite, _ intervals: IntervalRule) -> Bool {
        other.storage.receivedMilliseconds != nil && reception(intervals) <= other.receipt(intervals)
    }
}
