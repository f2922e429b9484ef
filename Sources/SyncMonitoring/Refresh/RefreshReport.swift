/// The outcome of one look of a ``ForegroundRefresh``, for a log.
///
/// ```swift
/// let report = RefreshReport(trigger: .pulse, decision: .refresh, shownVersion: 3, refreshVersion: 3, reloads: 2)
/// print(report)  // pulse: refresh, version 3 of 3 shown, 2 reloads
/// ```
public struct RefreshReport: Hashable, Sendable, CustomStringConvertible {
    /// What made it look.
    public enum Trigger: String, Hashable, Sendable, CaseIterable {
        /// The pulse, which beats in the foreground only.
        case pulse
        /// The app, after a save or a remote change.
        case request
    }

    /// What made it look.
    public let trigger: Trigger
    /// What was done.
    public let decision: RefreshDecision
    /// The refresh version that is shown now.
    public let shownVersion: Int
    /// The monitor's refresh version: what could be shown.
    public let refreshVersion: Int
    /// How often the records were read and shown since the refresh was made.
    public let reloads: Int

    /// Describes a look.
    public init(trigger: Trigger, decision: RefreshDecision, shownVersion: Int, refreshVersion: Int, reloads: Int) {
        self.trigger = trigger
        self.decision = decision
        self.shownVersion = shownVersion
        self.refreshVersion = refreshVersion
        self.reloads = reloads
    }

    /// One line for a log.
    public var description: String {
        "\(trigger): \(decision), version \(shownVersion) of \(refreshVersion) shown, \(reloads) reload\(reloads == 1 ? "" : "s")"
    }
}
