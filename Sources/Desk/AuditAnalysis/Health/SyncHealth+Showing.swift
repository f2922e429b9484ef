import ConflictAudit
import SyncModel

extension SyncHealth {
    /// What became of an app's looks at whether it shows what was merged: a monoid of fixed size.
    package struct Showing: Hashable, Sendable {
        /// How often it looked.
        package internal(set) var looks = 0
        /// How often it read the records again and showed them.
        package internal(set) var refreshes = 0
        /// How often it put that off, for edits that were not saved or for want of a foreground.
        package internal(set) var deferrals = 0
        /// Beats of the pulse that were due and did not come.
        package internal(set) var missedPulses = 0
        /// How often the app left the foreground without having shown what was merged.
        package internal(set) var leavesBehind = 0
        /// The latest look; nil of several devices together.
        package internal(set) var latest: Look?

        /// What one look tells.
        init(_ report: RefreshReport, at milliseconds: Int64) {
            looks = report.trigger == .background ? 0 : 1
            refreshes = report.decision == .refresh ? 1 : 0
            deferrals = report.decision == .deferred && report.trigger != .background ? 1 : 0
            missedPulses = min(max(0, report.missedPulses), .largestCount)
            leavesBehind = report.trigger == .background && report.isBehind ? 1 : 0
            latest = Look(
                milliseconds: milliseconds, isInForeground: report.isInForeground, isBehind: report.isBehind,
                pulseMilliseconds: min(report.intervalMilliseconds, Int64(Int.largestCount)))
        }

        /// Nothing but the latest look.
        init(latest: Look?) { self.latest = latest }

        mutating func merge(_ other: Showing) {
            looks = looks.addingCount(other.looks)
            refreshes = refreshes.addingCount(other.refreshes)
            deferrals = deferrals.addingCount(other.deferrals)
            missedPulses = missedPulses.addingCount(other.missedPulses)
            leavesBehind = leavesBehind.addingCount(other.leavesBehind)
            latest = later(latest, other.latest)
        }

        /// Since when the pulse has not beaten although the app is in the foreground, in milliseconds since 1970; nil where it beats or
        /// need not.
        ///
        /// - Parameter newest: The end of the device's own log.
        package func stopped(at newest: Int64) -> Int64? {
            guard let latest, latest.isInForeground, newest.distance(after: latest.milliseconds) / 2 > latest.pulseMilliseconds else {
                return nil
            }
            return latest.milliseconds
        }
    }

    /// One look of an app, and when it was.
    package struct Look: Hashable, Comparable, Sendable {
        /// The time, in milliseconds since 1970.
        package let milliseconds: Int64
        /// Whether the app was in the foreground.
        package let isInForeground: Bool
        /// Whether something was merged that is not shown.
        package let isBehind: Bool
        /// The time between two beats of the pulse.
        package let pulseMilliseconds: Int64

        private var key: (Int64, Int, Int, Int64) { (milliseconds, isInForeground ? 0 : 1, isBehind ? 1 : 0, pulseMilliseconds) }

        /// Whether the left one comes first; of those at one time the one that leaves the foreground comes last.
        package static func < (left: Look, right: Look) -> Bool { left.key < right.key }
    }
}
