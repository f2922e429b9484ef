/// A hybrid logical clock: its timestamps never run backwards and are later than every timestamp seen.
///
/// The wall clock comes in as a parameter and may jump either way: after a jump back the counter rises until the wall clock has caught
/// up. A value type without synchronisation: its owner guards it.
///
/// Source: Kulkarni et al., *Logical Physical Clocks*, OPODIS 2014, figure 5, with a bound on how far a remote clock may lead.
///
/// ```swift
/// var clock = HybridClock()
/// let timestamp = clock.now(wall: systemWallClock())
/// ```
public struct HybridClock: Sendable {
    /// The latest timestamp handed out or observed.
    public private(set) var latest: HybridTimestamp

    /// The most that a remote timestamp may lie ahead of the wall clock, in whole milliseconds.
    public var maximumLead: Duration { .milliseconds(maximumLeadMilliseconds) }

    package let maximumLeadMilliseconds: Int64

    /// An error: a remote timestamp lay too far ahead of this device's wall clock.
    public struct LeadExceeded: Error, Hashable, CustomStringConvertible {
        /// The timestamp that was refused.
        public let remote: HybridTimestamp

        /// This device's wall clock.
        public let wall: WallTime

        /// The bound that was exceeded.
        public var maximumLead: Duration { .milliseconds(maximumLeadMilliseconds) }

        fileprivate let maximumLeadMilliseconds: Int64

        /// A sentence that names the values and the remedy.
        public var description: String {
            "the remote timestamp \(remote) is \(remote.milliseconds &- wall.millisecondsSince1970) ms ahead of this device's clock, more than the "
                + "\(maximumLeadMilliseconds) ms allowed: correct the clock of the device that wrote it, or raise maximumLead"
        }
    }

    /// A clock that continues after a timestamp kept from an earlier run.
    ///
    /// - Parameters:
    ///   - latest: The latest timestamp already used; the next one is later.
    ///   - maximumLead: How far ahead of the wall clock a remote timestamp may lie, in whole milliseconds; 0 or more. One minute unless
    ///     given.
    public init(after latest: HybridTimestamp = HybridTimestamp(milliseconds: 0), maximumLead: Duration = .seconds(60)) {
        precondition(maximumLead >= .zero, "maximumLead is a length of time, 0 or more")
        self.latest = latest
        maximumLeadMilliseconds = maximumLead.wholeMilliseconds
    }

    /// The timestamp of a write made now.
    ///
    /// - Parameter wall: The device's wall clock.
    /// - Returns: A timestamp later than every one handed out or observed before.
    public mutating func now(wall: WallTime) -> HybridTimestamp {
        latest = wall > latest.wallTime ? HybridTimestamp(milliseconds: wall.millisecondsSince1970) : latest.next
        return latest
    }

    /// Observes a remote timestamp, so that the next one handed out is later.
    ///
    /// - Parameters:
    ///   - remote: The timestamp of a write received.
    ///   - wall: The device's wall clock.
    /// - Throws: ``LeadExceeded`` where the timestamp leads the wall clock by more than ``maximumLead``; the clock is then unchanged.
    public mutating func observe(_ remote: HybridTimestamp, wall: WallTime) throws(LeadExceeded) {
        let (lead, overflow) = remote.milliseconds.subtractingReportingOverflow(wall.millisecondsSince1970)
        guard remote.wallTime <= wall || !overflow && lead <= maximumLeadMilliseconds else {
            throw LeadExceeded(remote: remote, wall: wall, maximumLeadMilliseconds: maximumLeadMilliseconds)
        }
        latest = max(latest, remote)
    }
}
