import SyncModel

/// A decision whether to read records again.
///
/// ```swift
/// if await refresh.refreshIfNeeded() == .deferred { print("to be shown when the edits are saved") }
/// ```
public enum RefreshDecision: String, Hashable, Sendable, CaseIterable {
    /// Read them now.
    case refresh
    /// Read them later: when the edits are saved, or the app is in the foreground.
    case deferred
    /// What is shown is up to date.
    case nothing
}

/// The outcome of one look of an app at whether it shows what other devices wrote, for a log.
///
/// ```swift
/// let report = RefreshReport(
///     trigger: .pulse, decision: .refresh, shownVersion: 3, refreshVersion: 3, reloads: 2, isInForeground: true,
///     pulseInterval: .seconds(10))
/// print(report)  // pulse: refresh, version 3 of 3 shown, 2 reloads
/// ```
public struct RefreshReport: Hashable, Sendable, CustomStringConvertible {
    /// What made it look.
    public enum Trigger: String, Hashable, Sendable, CaseIterable {
        /// The pulse, which beats in the foreground only.
        case pulse
        /// The app, after a save or a remote change.
        case request
        /// The app left the foreground, and the pulse ended; nothing is read any more.
        case background
    }

    /// What made it look.
    public let trigger: Trigger
    /// What was done.
    public let decision: RefreshDecision
    /// The refresh version that is shown now, 0 or more.
    public let shownVersion: Int
    /// The monitor's refresh version, 0 or more: what could be shown.
    public let refreshVersion: Int
    /// How often the records were read and shown since the refresh was made, 0 or more.
    public let reloads: Int
    /// Whether the app was in the foreground.
    public let isInForeground: Bool
    /// How many beats of the pulse were due since the last one and did not come, 0 or more.
    public let missedPulses: Int
    /// The time between two beats of the pulse, in whole milliseconds, more than 0.
    public var pulseInterval: Duration { .milliseconds(intervalMilliseconds) }

    package let intervalMilliseconds: Int64

    /// Whether other devices' writes were merged that are not shown.
    public var isBehind: Bool { refreshVersion > shownVersion }

    /// Describes a look; no number is negative.
    public init(
        trigger: Trigger, decision: RefreshDecision, shownVersion: Int, refreshVersion: Int, reloads: Int, isInForeground: Bool,
        missedPulses: Int = 0, pulseInterval: Duration
    ) {
        self.trigger = trigger
        self.decision = decision
        self.shownVersion = shownVersion
        self.refreshVersion = refreshVersion
        self.reloads = reloads
        self.isInForeground = isInForeground
        self.missedPulses = missedPulses
        intervalMilliseconds = max(1, pulseInterval.wholeMilliseconds)
    }

    /// One line for a log.
    public var description: String {
        "\(trigger): \(decision), version \(shownVersion) of \(refreshVersion) shown, \(reloads) reload\(reloads == 1 ? "" : "s")"
            + (missedPulses == 0 ? "" : ", \(missedPulses) pulse\(missedPulses == 1 ? "" : "s") missed")
    }
}
