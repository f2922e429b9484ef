public import SyncModel

/// A place in the order of one hub: tells that hub from every other, and from itself as it was when it is put back from a backup.
public struct HubPosition: Hashable, Sendable {
    /// The hub, a number drawn when it was made; from 1 to `Int64.max`.
    public var epoch: UInt64
    /// What stands for all writes up to this place, with the times at which they came; 0 where that is not known.
    public var fingerprint: UInt64

    /// A place.
    public init(epoch: UInt64, fingerprint: UInt64) {
        self.epoch = epoch
        self.fingerprint = fingerprint
    }

    /// The fingerprint of the next place: a chained 64-bit hash (FNV-1a; Fowler, Noll and Vo), kept within what a signed number holds.
    ///
    /// It tells orders apart that differ by accident, not by malice.
    func next(_ dot: Dot, _ receipt: TaggedWrite.Receipt) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        for number in [epoch, fingerprint, UInt64(bitPattern: receipt.milliseconds ?? 0), dot.sequence] {
            for shift in stride(from: 0 as UInt64, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        for byte in dot.device.rawValue.utf8 { add(byte) }
        return max(1, hash & UInt64(Int64.max))
    }
}

/// A place in a hub's order as a device knows it.
public struct HubPlace: Hashable, Sendable {
    /// How many places the order has up to this one; 0 for the beginning.
    public var cursor: UInt64
    /// What the hub said of it, nil where it did not.
    public var position: HubPosition?

    /// A place; the beginning of any hub's order unless given.
    public init(cursor: UInt64 = 0, position: HubPosition? = nil) {
        self.cursor = cursor
        self.position = position
    }
}

/// Writes that a hub has forgotten, given back by a device that has them.
public struct GivenBackWrites: Hashable, Sendable {
    /// Who gives them back.
    public var device: DeviceID
    /// The writes, of any device; those of each device numbers rising, over all calls.
    public var writes: [TaggedWrite]
    /// The device's own number up to which the hub had its writes; it gives no lower number to another write.
    public var acknowledged: UInt64
    /// Whether these are the last.
    public var isLast: Bool
    /// Whether the device has writes to push: some of them may have taken the place of what the hub had, and the device has no more.
    public var awaitsPush: Bool
    /// How far in the hub's order the device has come, and for all calls but the first what the one before returned.
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
