public import ConflictAudit
public import SyncModel

/// A hub where devices leave their writes for each other: it keeps every write once, in one order, with the time of its receipt.
///
/// The writes in the order are numbered from 1 without gaps. A device checks what a hub answers, and where it contradicts itself stops with
/// ``SyncLayerError/Code/hubAtFault``.
///
/// A call that throws may or may not have taken effect; every call can be made again. `SyncLayerTesting` has the conformance suite.
///
/// ```swift
/// let engine = SyncEngine(replica: replica, hub: hub)  // `hub` is any type that conforms
/// let report = try await engine.sync()
/// ```
public protocol Hub: Sendable {
    /// The hub's clock.
    func now() async throws -> WallTime

    /// Accepts writes of a device, in the order of their numbers.
    ///
    /// A write that the hub has already is accepted again, with the receipt of the first time. Another write under a name that is taken,
    /// and a write older than one of the same device that the hub has, are ``PushOutcome/numberTaken``, and so is then all behind it; and
    /// so is all of a name that a later writer has superseded, until it reports again: it may be a call that the network has kept back.
    /// What stores or lines cannot hold, and what the hub's own limits forbid, is refused, which does not affect the rest.
    ///
    /// A device not known so far is from now on.
    ///
    /// - Returns: One outcome for each write, in their order.
    /// - Throws: ``SyncLayerError``; ``SyncLayerError/Code/batchTooLarge`` where fewer writes might pass,
    ///   ``SyncLayerError/Code/deviceForgotten``, ``SyncLayerError/Code/hubReplaced`` where the hub has none of
    ///   ``PushRequest/acknowledged`` or above, or does not have what the device has come to: it has forgotten writes, and what is pushed
    ///   would come before them. Nothing is taken then.
    func push(_ request: PushRequest) async throws -> [PushOutcome]

    /// The next writes in the hub's order, each with its receipt.
    ///
    /// A write that the hub has and cannot hand over is named in ``PullPage/skipped``: thrown, it would stop every device for ever.
    ///
    /// - Throws: ``SyncLayerError``; ``SyncLayerError/Code/hubReplaced`` where the cursor is beyond the hub's order, or the request names
    ///   another position than the hub has there.
    func pull(_ request: PullRequest) async throws -> PullPage

    /// Accepts writes that the hub has forgotten, because it was put back from a backup or replaced, from a device that has them.
    ///
    /// A ``SyncEngine`` calls it by itself: an app never does. Unlike ``push(_:)``, it brings writes that were at the hub before, of any
    /// device.
    ///
    /// A write whose name it has is passed over, and so is one that it could not keep; each of the others gets the next number of the
    /// order. For a device that only others' writes tell of nobody waits until it reports, and what it pushes before then is
    /// ``PushOutcome/numberTaken``. From the first such call of a device to its last, and on to its next report where that says
    /// ``GivenBackWrites/awaitsPush``, ``PullPage/isWhole`` is false: what was forgotten is there in parts. A report that names a cursor,
    /// of the device or of a writer that it became, says that it is done too: a call that the network has kept back or doubled may come
    /// after the last, and a hub may be put back to amid such calls.
    ///
    /// - Returns: The end of the hub's order, which the next call names, so that a hub that was put back to in between is noticed.
    /// - Throws: ``SyncLayerError``, as ``push(_:)`` does.
    @discardableResult func giveBack(_ given: GivenBackWrites) async throws -> HubPlace

    /// Records a device, its progress and its clock. A device that is new is known from now on.
    ///
    /// - Throws: ``SyncLayerError`` with ``SyncLayerError/Code/deviceForgotten``, or, where the hub does not have what the device has come
    ///   to, with ``SyncLayerError/Code/hubReplaced``.
    func report(_ report: DeviceReport) async throws

    /// What the devices last reported, in order of device and without positions; forgotten ones are left out.
    func devices() async throws -> [DeviceReport]

    /// The writes that every known device has merged, causally stable in the literature; none while no device is known.
    func settled() async throws -> VersionVector

    /// Removes a lost device from those that must have merged a delete before it is settled. Nothing is accepted under its name any more;
    /// should it come back, ``Replica/rejoin()`` brings what it had not sent.
    ///
    /// It is still given what it pulls, so that it learns which of its writes had come through.
    func forget(_ device: DeviceID) async throws
}

extension Hub {
    /// Accepts writes of a device that has not fetched anything.
    ///
    /// - Parameters:
    ///   - writes: As ``PushRequest/writes``.
    ///   - device: Who pushes.
    ///   - acknowledged: As ``PushRequest/acknowledged``.
    public func push(_ writes: [TaggedWrite], from device: DeviceID, after acknowledged: UInt64 = 0) async throws -> [PushOutcome] {
        try await push(PushRequest(device: device, writes: writes, acknowledged: acknowledged))
    }
}

/// A request of a device to push writes to a hub.
///
/// ```swift
/// let request = PushRequest(device: "iPhone", writes: [write])
/// let outcomes = try await hub.push(request)
/// ```
public struct PushRequest: Hashable, Sendable {
    /// The device that pushes.
    public var device: DeviceID
    /// All of them by ``device``, numbers rising.
    public var writes: [TaggedWrite]
    /// The highest number of the device's that the hub has accepted, as the device knows it; 0 where it knows of none.
    public var acknowledged: UInt64
    /// The device's progress in the hub's order.
    public var reached: HubPlace

    /// Writes to be pushed.
    public init(device: DeviceID, writes: [TaggedWrite], acknowledged: UInt64 = 0, reached: HubPlace = HubPlace()) {
        self.device = device
        self.writes = writes
        self.acknowledged = acknowledged
        self.reached = reached
    }
}

/// The outcome of a push, for one write.
///
/// ```swift
/// for case .refused(let reason) in try await hub.push(PushRequest(device: "iPhone", writes: [write])) {
///     print("the hub refused the write:", reason)
/// }
/// ```
public enum PushOutcome: Hashable, Sendable {
    /// The hub has it.
    case accepted(TaggedWrite.Receipt)
    /// The hub has another write of this number, or a later one, of the device: whoever pushes does not know all that was written under its
    /// name. Nothing behind it is taken either.
    case numberTaken
    /// The hub does not take it, now or later; a sentence says why and what to do.
    case refused(String)
}

/// A request of a device to pull writes from a hub.
///
/// ```swift
/// let request = PullRequest(device: "iPad", cursor: 0)
/// let page = try await hub.pull(request)
/// ```
public struct PullRequest: Hashable, Sendable {
    /// The device that asks.
    public var device: DeviceID
    /// The number in the hub's order after which to go on; 0 to begin.
    public var cursor: UInt64
    /// The device's own writes up to this number are left out: it has them.
    public var ownSequence: UInt64
    /// Writes at most; 1 or more.
    public var limit: Int
    /// The hub's fingerprint of its order up to the cursor, nil where the hub gave none.
    public var position: HubPosition?

    /// Asks for writes.
    public init(device: DeviceID, cursor: UInt64, ownSequence: UInt64 = 0, limit: Int = 500, position: HubPosition? = nil) {
        self.position = position
        self.device = device
        self.cursor = cursor
        self.ownSequence = ownSequence
        self.limit = limit
    }
}

/// Some of a hub's writes.
///
/// ```swift
/// let page = try await hub.pull(PullRequest(device: "iPad", cursor: 0))
/// print(page.writes.count, "writes; the next page begins after", page.cursor)
/// ```
public struct PullPage: Hashable, Sendable {
    /// The writes in the hub's order, each with its receipt.
    public let writes: [TaggedWrite]
    /// The size of the writes, in bytes.
    public let bytes: Int
    /// The number in the hub's order up to which the device then has everything.
    public let cursor: UInt64
    /// Whether there are more; the cursor must have moved then.
    public let hasMore: Bool
    /// The number of the device's own writes that were left out of this part of the hub's order.
    public let leftOut: Int
    /// The writes in this part of the hub's order that cannot be handed over.
    public let skipped: [SkippedWrite]
    /// The highest version of merge rules that any device has reported, forgotten ones included, before the page was read.
    ///
    /// A device that merges by an earlier one could not keep what later rules need, and takes nothing.
    public let rulesVersion: Int
    /// The hub's fingerprint of its order up to the cursor, nil where the hub has none: then nobody notices when the hub is put back.
    public let position: HubPosition?
    /// The highest number that the hub has of the device's own writes, nil where it does not tell.
    public let latestNumber: UInt64?
    /// Whether no device is giving back what the hub has forgotten.
    public let isWhole: Bool
    /// The writes in this part of the hub's order that it has let go of: what they did is in those that it has kept.
    public let compacted: CompactedWrites

    /// Some writes.
    ///
    /// Every number behind the request's cursor and up to this one is a write that is handed over, left out, skipped or compacted; a device
    /// refuses a page with gaps.
    public init(
        writes: [TaggedWrite], bytes: Int, cursor: UInt64, hasMore: Bool, leftOut: Int = 0, skipped: [SkippedWrite] = [],
        rulesVersion: Int = 0,
        position: HubPosition? = nil, latestNumber: UInt64? = nil, isWhole: Bool = true, compacted: CompactedWrites = CompactedWrites()
    ) {
        self.compacted = compacted
        self.position = position
        self.latestNumber = latestNumber
        self.isWhole = isWhole
        self.writes = writes
        self.bytes = bytes
        self.cursor = cursor
        self.hasMore = hasMore
        self.leftOut = leftOut
        self.skipped = skipped
        self.rulesVersion = rulesVersion
    }
}

/// A write in the hub's order that no replica can merge: every device passes over it alike, and says so.
///
/// ```swift
/// for item in try await engine.sync().skipped {
///     print("number \(item.hubSequence) of the hub was skipped:", item.reason)
/// }
/// ```
public struct SkippedWrite: Hashable, Sendable {
    /// The write's number in the hub's order.
    public let hubSequence: UInt64
    /// The write's dot, nil where even that cannot be read.
    public let dot: Dot?
    /// A sentence on why, without its full stop.
    public let reason: String

    /// Describes a write that cannot be merged.
    public init(hubSequence: UInt64, dot: Dot?, reason: String) {
        self.hubSequence = hubSequence
        self.dot = dot
        self.reason = reason
    }
}

extension SkippedWrite {
    /// A write of whose name another one was merged.
    init(misnamed write: TaggedWrite) {
        self.init(
            hubSequence: write.hubSequence ?? 0, dot: write.dot,
            reason: "another write was merged here under this name, as happens where a store and the hub are both put back from a backup. "
                + "Devices may show \(write.key) differently until it is written again; 'syncaudit check' on their logs names both")
    }
}

/// A report of a device to the hub: its progress and its clock.
///
/// ```swift
/// try await hub.report(DeviceReport(device: "iPad", cursor: 0))
/// print(await hub.devices().map(\.device))  // [iPad]
/// ```
public struct DeviceReport: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// The number in the hub's order up to which the device has merged everything *and* all that it wrote before then is at the hub.
    ///
    /// It never goes back; 0 says nothing.
    public var cursor: UInt64
    /// The cursor's position as the hub gave it, nil where it did not.
    public var position: HubPosition?
    /// The device's clock against the hub's, nil where it was not measured this time; the last measurement is then kept.
    public var clock: ClockMeasurement?
    /// The name that the device wrote under before, where it has changed since its last report: nobody waits for that one's word any more,
    /// unless it reports again, as another copy of the same store does.
    public var predecessor: DeviceID?
    /// The version of the rules by which the device merges; it never goes back.
    public var rulesVersion: Int
    /// A fingerprint of those rules, from 1 to 2^53 - 1; nil where the report does not say, and the last one is then kept.
    public var rulesFingerprint: UInt64?

    /// Describes a device.
    public init(
        device: DeviceID, cursor: UInt64, position: HubPosition? = nil, clock: ClockMeasurement? = nil, predecessor: DeviceID? = nil,
        rulesVersion: Int = 0, rulesFingerprint: UInt64? = nil
    ) {
        self.rulesVersion = rulesVersion
        self.rulesFingerprint = rulesFingerprint
        self.device = device
        self.cursor = cursor
        self.position = position
        self.clock = clock
        self.predecessor = predecessor
    }
}

/// The limits beyond which a hub refuses what is pushed.
///
/// ```swift
/// let limits = HubLimits(writesPerPush: 500)
/// let hub = InMemoryHub(limits: limits)
/// ```
public struct HubLimits: Hashable, Sendable {
    /// Writes in one push at most; more are ``SyncLayerError/Code/batchTooLarge``.
    public var writesPerPush: Int
    /// Bytes of one write at most; a larger one is refused.
    public var bytesPerWrite: Int
    /// Bytes of a page's writes, beyond which it ends; it has one write at least.
    public var bytesPerPage: Int

    /// Limits: 1000 writes, 64 MB a write, 16 MB a page, unless given.
    public init(writesPerPush: Int = 1000, bytesPerWrite: Int = 64_000_000, bytesPerPage: Int = 16_000_000) {
        self.writesPerPush = writesPerPush
        self.bytesPerWrite = bytesPerWrite
        self.bytesPerPage = max(1, bytesPerPage)
    }
}
