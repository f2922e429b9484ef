import ConflictAudit
import SyncModel

/// Whether a line may say that a conflict's winner owes its victory to a wrong clock.
///
/// A program knows the comparisons of its clock, and of others' by way of the hub, since its start, and which of them is not in its log. So nothing can be
/// said of a line that tells of no suspicion; one that does needs a comparison by which the order of the two times changes, or a time ahead of the
/// hub's.
struct ClockSuspicion: Sendable {
    /// By how much each clock was ahead, at the least and at the most; 0 before it was compared.
    private var offsets: [DeviceID: ClosedRange<Int64>] = [:]
    /// The devices of which all comparisons are known.
    private var known: Set<DeviceID> = []

    mutating func observe(_ measurement: ClockMeasurement) {
        let (range, offset) = (offsets[measurement.device] ?? 0...0, measurement.offsetMilliseconds)
        offsets[measurement.device] = min(range.lowerBound, offset)...max(range.upperBound, offset)
    }

    /// Notes that all comparisons of a device's clock are known.
    mutating func observeAll(of device: DeviceID) { known.insert(device) }

    /// What is wrong with a line, as a sentence's end.
    func problem(with line: Conflict, _ history: RecordedHistory) -> String? {
        // Without the hub's account of the winner nothing is known of its lead.
        guard line.clockSuspect, line.related == nil, known.contains(line.winner.dot.device), known.contains(line.loser.dot.device),
            let receipt = history.write(line.winner.dot)?.receipt, line.winner.timestamp.milliseconds <= receipt.milliseconds,
            !mayFlip(line)
        else { return nil }
        return "the winner's clock is told as suspect, and no comparison of clocks says so"
    }

    private func mayFlip(_ line: Conflict) -> Bool {
        guard let latestWins = line.latestWins else { return false }
        func offset(_ device: DeviceID) -> Int64 {
            guard let range = offsets[device] else { return 0 }
            return (device == line.winner.dot.device) == latestWins ? range.upperBound : range.lowerBound
        }
        return ClockOffsets.wouldFlip(
            winner: (line.winner.dot, line.winner.timestamp), loser: (line.loser.dot, line.loser.timestamp), latestWins: latestWins,
            offset: offset)
    }
}
