package import AuditLog
import ConflictAudit
package import SyncModel

/// How many winners would change if the clocks were right: every conflict that the clocks decided is decided again with the measured
/// offsets taken off.
///
/// The latest measurement of a device counts. A conflict that several logs tell of counts once.
///
/// - Complexity: memory grows with the distinct conflicts that the clocks decided, about a hundred bytes each. A value type; its owner
///   guards it.
package struct ClockWhatIf: EventObserver, Hashable, Sendable {
    /// How many winners change, and of how many.
    package struct Answer: Hashable, Sendable {
        /// Conflicts that the clocks decided.
        package let decided: Int
        /// Those whose winner changes.
        package let flipped: Int
        /// Those of the flipped that discarded a value: the wrong one, then.
        package let flippedLosses: Int
        /// The flipped, by the device that won and would lose.
        package let byWinner: [DeviceID: Int]
        /// Devices measured.
        package let devices: Int
    }

    private struct Decision: Hashable, Sendable {
        let winner: WriteOrder
        let loser: WriteOrder
        let latestWins: Bool
        let isLoss: Bool
    }

    private var decisions: [ConflictID: Decision] = [:]
    private var offsets: [DeviceID: Offset] = [:]

    private struct Offset: Hashable, Sendable {
        let at: Int64
        let milliseconds: Int64
    }

    private let filter: ReportFilter

    /// Nothing observed, and only conflicts that pass a filter to be looked at.
    package init(filter: ReportFilter = ReportFilter()) {
        self.filter = filter
    }

    /// Takes note of conflicts and of comparisons of clocks.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        switch line.event.content {
        case .clock(let measurement):
            record(Offset(at: line.event.milliseconds, milliseconds: measurement.offsetMilliseconds), of: measurement.device)
        case .conflict(let conflict):
            guard filter.matches(conflict), let latestWins = conflict.latestWins else { return }
            guard decisions[conflict.id] == nil else { return }
            decisions[conflict.id] = Decision(
                winner: conflict.winner.order, loser: conflict.loser.order, latestWins: latestWins, isLoss: conflict.losesEdit)
        default: break
        }
    }

    /// Adds what another has observed.
    package mutating func merge(_ other: ClockWhatIf) {
        decisions.merge(other.decisions) { mine, _ in mine }
        for (device, offset) in other.offsets { record(offset, of: device) }
    }

    private mutating func record(_ offset: Offset, of device: DeviceID) {
        if offset.at >= offsets[device]?.at ?? .min { offsets[device] = offset }
    }

    /// What would change; nil where no clock was measured or no clock decided anything.
    package var answer: Answer? {
        guard !offsets.isEmpty, !decisions.isEmpty else { return nil }
        var byWinner: [DeviceID: Int] = [:]
        var losses = 0
        for decision in decisions.values where flips(decision) {
            byWinner[decision.winner.dot.device, default: 0] += 1
            if decision.isLoss { losses += 1 }
        }
        return Answer(
            decided: decisions.count, flipped: byWinner.values.reduce(0, +), flippedLosses: losses, byWinner: byWinner,
            devices: offsets.count)
    }

    private func flips(_ decision: Decision) -> Bool {
        ClockOffsets.wouldFlip(winner: decision.winner, loser: decision.loser, latestWins: decision.latestWins) {
            offsets[$0]?.milliseconds ?? 0
        }
    }
}
