import SyncMerge
import SyncModel

/// What has been measured of devices' clocks, and whether a decision would fall the other way by corrected ones.
public struct ClockOffsets: Sendable {
    private var offsets: [DeviceID: Int64] = [:]

    /// Nothing measured.
    public init() {}

    /// Takes note of a measurement; the latest of a device counts.
    public mutating func record(_ measurement: ClockMeasurement) {
        offsets[measurement.device] = measurement.offsetMilliseconds
    }

    /// Whether the winner of a decision may owe its victory to a wrong clock: its timestamp lies ahead of the hub's clock at receipt by more
    /// than the tolerance, or the order of the two writes would change if both devices' measured offsets were taken off.
    ///
    /// - Parameter order: Which of two writes wins by the clocks; nil where they had no say, so that correcting them changes nothing.
    func makeSuspect(winner: TaggedWrite, loser: TaggedWrite, order: Order?, tolerance: Int64) -> Bool {
        if let receipt = winner.receipt, winner.timestamp.milliseconds.distance(after: receipt.milliseconds) > tolerance { return true }
        guard let order, !offsets.isEmpty else { return false }
        let (winning, losing) = (corrected(winner), corrected(loser))
        // Corrected to the same moment, they are told apart as in the total order.
        let isWinnerEarlier = winning == losing ? winner.dot < loser.dot : winning < losing
        return isWinnerEarlier == (order == .latestWins)
    }

    /// Which of two writes wins by the clocks.
    enum Order {
        case latestWins
        case earliestWins
    }

    private func corrected(_ write: TaggedWrite) -> HybridTimestamp {
        let (moment, overflow) = write.timestamp.milliseconds.subtractingReportingOverflow(offsets[write.dot.device] ?? 0)
        return HybridTimestamp(milliseconds: overflow ? write.timestamp.milliseconds : moment, counter: write.timestamp.counter)
    }
}
