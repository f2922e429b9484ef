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
    /// - Parameter isByTime: Whether the decision was made by time; only then does correcting the offsets change it.
    func makeSuspect(winner: TaggedWrite, loser: TaggedWrite, isByTime: Bool, tolerance: Int64) -> Bool {
        if let receipt = winner.receipt, winner.timestamp.milliseconds.distance(after: receipt.milliseconds) > tolerance { return true }
        guard isByTime, !offsets.isEmpty else { return false }
        let corrected = (corrected(winner), corrected(loser))
        return corrected.0 < corrected.1
    }

    private func corrected(_ write: TaggedWrite) -> HybridTimestamp {
        let (moment, overflow) = write.timestamp.milliseconds.subtractingReportingOverflow(offsets[write.dot.device] ?? 0)
        return HybridTimestamp(milliseconds: overflow ? write.timestamp.milliseconds : moment, counter: write.timestamp.counter)
    }
}
