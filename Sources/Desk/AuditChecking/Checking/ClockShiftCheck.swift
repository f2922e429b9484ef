import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks for clocks that are whole hours off, by the times at which the hub received what they stamped: an hour that shows local time for
/// UTC, or a change of daylight saving that was missed.
///
/// A write cannot arrive before it was made, so by how far a stamp lies ahead of its receipt is the least that the clock is ahead; and
/// where some writes arrive at once, as they do now and then, it is what the clock is off by. So from some write on nothing of a shifted
/// clock leads by more than the hours that it is off, and what arrives at once leads by just that. What is always late by other amounts
/// proves nothing.
///
/// - Complexity: memory grows with the distinct writes that have a receipt, some thirty bytes each.
struct ClockShiftCheck: Sendable {
    /// A device's clock that is off from some write on.
    struct Shift: Sendable {
        let device: DeviceID
        /// The hours ahead of the hub's clock.
        let hours: Int64
        /// The first write that shows it.
        let location: LineLocation
        /// The writes since, that one included, and the deliveries that show it.
        let writes: Int
        let deliveries: Int

        /// What is wrong, without the location.
        var sentence: String {
            "from this write on, at the latest, the clock of \(EventText.name(device.rawValue)) is "
                + "\(ClockMeasurement.words(offset: hours * ClockCheck.hour)) the hub's, as if it were set to another time zone or had missed a change "
                + "of daylight saving: "
                + "of \(HumanNumber.count(writes, "write")) \(HumanNumber.count(deliveries)) came just as far "
                + "\(hours < 0 ? "after" : "before") their stamp, and none \(hours < 0 ? "sooner" : "earlier")"
        }
    }

    private struct Sample: Sendable {
        let number: UInt64
        let lead: Int64
        let received: Int64
        let location: LineLocation
    }

    private struct Device: Sendable {
        var samples: [Sample] = []
        /// The numbered writes among them, so that each counts once, however many logs tell of it.
        var numbers = NumberSet()
    }

    /// Writes that come together are one delivery.
    private static let apart: Int64 = 60_000
    /// So many deliveries at just the same distance are no accident.
    private static let enough = 3

    private var devices: [DeviceID: Device] = [:]

    mutating func observe(_ write: TaggedWrite, at location: LineLocation) {
        guard let received = write.receipt?.milliseconds else { return }
        // Taken out and put back, so that it is changed in place instead of copied.
        var device = devices.removeValue(forKey: write.dot.device) ?? Device()
        if !write.isNumbered || device.numbers.insert(write.dot.sequence) {
            device.samples.append(
                Sample(
                    number: write.isNumbered ? write.dot.sequence : 0,
                    lead: write.timestamp.milliseconds.distance(after: received), received: received, location: location))
        }
        devices[write.dot.device] = device
    }

    /// The clocks that are off.
    ///
    /// - Complexity: O(*n* log *n*) for *n* writes.
    func shifts() -> [Shift] {
        devices.ordered { $0.key < $1.key }.compactMap { Self.shift(of: $0.key, $0.value.samples.ordered { $0.number < $1.number }) }
    }

    private static func shift(of device: DeviceID, _ samples: [Sample]) -> Shift? {
        var best: Shift?
        var most = Int64.min
        var votes: [Int64: (deliveries: Int, received: Int64, location: LineLocation)] = [:]
        // Backwards, so that what comes after a write is known.
        for (index, sample) in samples.enumerated().reversed() {
            most = max(most, sample.lead)
            if let hours = ClockCheck.wholeHours(sample.lead) {
                var vote = votes[hours] ?? (0, .max, sample.location)
                if vote.received.distance(after: sample.received) >= apart {
                    (vote.deliveries, vote.received) = (vote.deliveries + 1, sample.received)
                }
                vote.location = sample.location
                votes[hours] = vote
            }
            guard let hours = ClockCheck.wholeHours(most), hours != 0, let vote = votes[hours], vote.deliveries >= enough,
                vote.deliveries > best?.deliveries ?? 0
            else { continue }
            best = Shift(
                device: device, hours: hours, location: vote.location, writes: samples.count - index, deliveries: vote.deliveries)
        }
        return best
    }
}
