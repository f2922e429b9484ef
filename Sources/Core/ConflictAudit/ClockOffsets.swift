import SyncMerge
package import SyncModel

/// What has been measured of devices' clocks, and whether a decision would fall the other way by corrected ones.
package struct ClockOffsets: Sendable {
    private var offsets: [DeviceID: Int64] = [:]

    /// Nothing measured.
    package init() {}

    /// Whether no clock was measured.
    var isEmpty: Bool { offsets.isEmpty }

    /// Records a measurement; the latest of a device counts.
    package mutating func record(_ measurement: ClockMeasurement) {
        offsets[measurement.device] = measurement.offsetMilliseconds
    }

    /// A write with what is known of its device's clock, where it is needed: no causal context says what its writer had seen.
    func correct(_ write: TaggedWrite) -> TaggedWrite {
        guard !offsets.isEmpty, !write.hasCausalContext, let offset = offsets[write.dot.device], offset != 0 else { return write }
        return write.with(clockOffset: offset)
    }

    /// Whether the winner of a decision may owe its victory to a wrong clock: its timestamp lies ahead of the hub's clock at receipt by
    /// more than the tolerance, or the order of the two writes would change if both devices' measured offsets were taken off.
    ///
    /// - Parameter order: Which of two writes wins by the clocks; nil where they had no say, so that correcting them changes nothing.
    func makeSuspect(winner: TaggedWrite, loser: TaggedWrite, order: Order?, tolerance: Int64) -> Bool {
        if let received = winner.receipt?.milliseconds, winner.timestamp.milliseconds.distance(after: received) > tolerance { return true }
        guard let order, !offsets.isEmpty else { return false }
        return Self.wouldFlip(
            winner: WriteOrder(winner.timestamp, winner.dot), loser: WriteOrder(loser.timestamp, loser.dot),
            latestWins: order == .latestWins
        ) { offsets[$0] ?? 0 }
    }

    /// Whether the order of two writes changes if their devices' offsets, in milliseconds, are taken off their timestamps.
    package static func wouldFlip(
        winner: WriteOrder, loser: WriteOrder, latestWins: Bool, offset: (DeviceID) -> Int64
    ) -> Bool {
        func corrected(_ side: WriteOrder) -> WriteOrder {
            let (corrected, overflow) = side.timestamp.milliseconds.subtractingReportingOverflow(offset(side.dot.device))
            let milliseconds = overflow ? side.timestamp.milliseconds : corrected
            return WriteOrder(HybridTimestamp(milliseconds: milliseconds, counter: side.timestamp.counter), side.dot)
        }
        return (corrected(winner) < corrected(loser)) == latestWins
    }

    /// Which of two writes wins by the clocks.
    enum Order {
        case latestWins
        case earliestWins
    }
}

extension Conflict {
    /// Which of the two writes the clocks made the winner, the later or the earlier; nil where they had no say, so that correcting them
    /// changes nothing.
    package var latestWins: Bool? { ClockOffsets.Order(reason: reason, policy: policy).map { $0 == .latestWins } }
}

extension ClockOffsets.Order {
    /// Nil where the clocks had no say.
    init?(reason: MergeDecision.Reason, policy: String) {
        switch reason {
        case .newer, .tieBreak: self = .latestWins
        case .policy where policy.hasSuffix(MergePolicy.firstWriterWins.name): self = .earliestWins
        default: return nil
        }
    }
}
