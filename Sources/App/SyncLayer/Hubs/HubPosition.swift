import SyncBytes
public import SyncModel

/// A fingerprint of the order of one hub up to a number: it differs from that of every other hub, and from that of the hub itself once it
/// was put back from a backup.
///
/// ```swift
/// let position = HubPosition(epoch: 42, fingerprint: 7)
/// let request = PullRequest(device: "iPad", cursor: 3, position: position)
/// ```
public struct HubPosition: Hashable, Sendable {
    /// The hub, a number drawn when it was made; from 1 to `Int64.max`.
    public var epoch: UInt64
    /// A hash of all writes up to the number, with the times of their receipt; 0 where it is not known.
    public var fingerprint: UInt64

    /// A fingerprint of a hub's order.
    public init(epoch: UInt64, fingerprint: UInt64) {
        self.epoch = epoch
        self.fingerprint = fingerprint
    }

    /// The fingerprint at the next number: a chained 64-bit hash (FNV-1a; Fowler, Noll and Vo), kept within what a signed number holds.
    ///
    /// It tells orders apart that differ by accident, not by malice.
    func next(_ dot: Dot, _ receipt: TaggedWrite.Receipt) -> UInt64 {
        var hash = FNV1a()
        for number in [epoch, fingerprint, UInt64(bitPattern: receipt.milliseconds ?? 0), dot.sequence] { hash.combine(number) }
        dot.device.rawValue.withBytes { hash.combine($0) }
        return max(1, hash.unmixed & UInt64(Int64.max))
    }
}

/// The progress of a device in a hub's order.
///
/// ```swift
/// let reached = HubPlace(cursor: 3)
/// let request = PushRequest(device: "iPad", writes: [], reached: reached)
/// ```
public struct HubPlace: Hashable, Sendable {
    /// The number in the order up to which the device has everything; 0 for the beginning.
    public var cursor: UInt64
    /// The hub's fingerprint of its order up to the cursor, nil where the hub gave none.
    public var position: HubPosition?

    /// Progress; the beginning of any hub's order unless given.
    public init(cursor: UInt64 = 0, position: HubPosition? = nil) {
        self.cursor = cursor
        self.position = position
    }
}

/// Writes that a hub has forgotten, given back by a device that has them.
///
/// ```swift
/// let given = GivenBackWrites(device: "iPad", writes: [write], acknowledged: 1, isLast: true)
/// let reached = try await hub.giveBack(given)
/// ```
public struct GivenBackWrites: Hashable, Sendable {
    /// The device that gives the writes back.
    public var device: DeviceID
    /// The writes, of any device; those of each device numbers rising, over all calls.
    public var writes: [TaggedWrite]
    /// The device's own number up to which the hub had its writes; it gives no lower number to another write.
    public var acknowledged: UInt64
    /// Whether no more writes follow.
    public var isLast: Bool
    /// Whether the device has writes to push: some of them may have replaced writes that the hub had and the device has no more.
    public var awaitsPush: Bool
    /// The device's progress in the hub's order; for all calls but the first, the progress that the call before returned.
    public var reached: HubPlace

    /// Whether the hub has everything then that the device can give it back.
    var isWhole: Bool { isLast && !awaitsPush }

    /// Writes to be given back.
    public init(
        device: DeviceID, writes: [TaggedWrite], acknowledged: UInt64, isLast: Bool, awaitsPush: Bool = false,
        reached: HubPlace = HubPlace()
    ) {
        self.reached = reached
        self.awaitsPush = awaitsPush
        self.device = device
        self.writes = writes
        self.acknowledged = acknowledged
        self.isLast = isLast
    }
}
