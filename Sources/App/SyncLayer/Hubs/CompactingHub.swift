public import SyncModel

/// A hub that can let go of writes which no device needs any more, so that what a new device fetches does not grow with the history.
///
/// Which ones those are says a replica that has merged them: ``Replica/compact(_:)``. Of a write that a hub has let go of it keeps the
/// name, the receipt and a fingerprint, some 80 bytes, so that its order has no gaps and nobody writes anew what was there.
///
/// ```swift
/// let report = try await replica.compact(hub)
/// print(report.compacted, "writes were let go of")
/// ```
public protocol CompactingHub: Hub {
    /// Lets go of writes, as far as every device that the hub waits for has merged them.
    ///
    /// - Returns: What was done; nothing where no device is known, and while a device gives back what the hub has forgotten.
    /// - Throws: ``SyncLayerError`` with ``SyncLayerError/Code/hubReplaced`` where the hub does not have what the request goes by, and with
    ///   ``SyncLayerError/Code/rulesDiffer`` where a device merges by other rules, or has not said by which. Nothing is done then.
    func compact(_ request: CompactionRequest) async throws -> Compaction
}

/// A request to let go of writes.
///
/// ```swift
/// let request = CompactionRequest(reached: HubPlace(), rulesFingerprint: 7)
/// let done = try await hub.compact(request)
/// ```
public struct CompactionRequest: Hashable, Sendable {
    /// How far in the hub's order the replica is that has decided.
    public var reached: HubPlace
    /// The fingerprint of the rules by which it merges, as in ``DeviceReport/rulesFingerprint``.
    public var rulesFingerprint: UInt64
    /// What was taken for merged by all, as ``Compaction/limit`` said; where that is so no more, nothing is done.
    public var limit: UInt64
    /// The writes to let go of: of each, another write has seen it, and nothing of it is shown, counted or in contention.
    public var compacted: [Dot]

    /// A request; one that names nothing asks for the limit.
    public init(reached: HubPlace, rulesFingerprint: UInt64, limit: UInt64 = 0, compacted: [Dot] = []) {
        self.reached = reached
        self.rulesFingerprint = rulesFingerprint
        self.limit = limit
        self.compacted = compacted
    }
}

/// What a hub has let go of.
///
/// ```swift
/// let done = try await hub.compact(request)
/// print(done.compacted, "of the first", done.limit, "were let go of")
/// ```
public struct Compaction: Hashable, Sendable {
    /// How many writes were let go of.
    public var compacted: Int
    /// The number in the hub's order up to which all devices that it waits for have merged everything.
    public var limit: UInt64

    /// What was done.
    public init(compacted: Int = 0, limit: UInt64 = 0) {
        self.compacted = compacted
        self.limit = limit
    }
}

/// Writes that a hub has let go of, in a part of its order.
///
/// ```swift
/// let compacted = CompactedWrites(count: 2, latest: ["iPad": 7])
/// ```
public struct CompactedWrites: Hashable, Sendable {
    /// How many they are.
    public var count: Int
    /// Of each device that wrote some of them the highest number: whoever has the page has seen what they did.
    public var latest: VersionVector
    /// Those of the device that asks, beyond ``PullRequest/ownSequence``, in the hub's order: its store may have been put back to before it
    /// had sent them.
    public var own: [OwnCompactedWrite]

    /// Writes that were let go of; none unless given.
    public init(count: Int = 0, latest: VersionVector = VersionVector(), own: [OwnCompactedWrite] = []) {
        self.count = count
        self.latest = latest
        self.own = own
    }
}

/// A write of the device that asks, which a hub has let go of.
///
/// ```swift
/// let dot = Dot(device: "iPad", sequence: 7)
/// let own = OwnCompactedWrite(dot: dot, fingerprint: 42, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 12))
/// let compacted = CompactedWrites(count: 1, latest: ["iPad": 7], own: [own])
/// ```
public struct OwnCompactedWrite: Hashable, Sendable {
    /// Its name.
    public var dot: Dot
    /// What tells it from another write of that number.
    public var fingerprint: UInt64
    /// Its receipt, with its number in the hub's order.
    public var receipt: TaggedWrite.Receipt

    /// Names a write.
    public init(dot: Dot, fingerprint: UInt64, receipt: TaggedWrite.Receipt) {
        self.dot = dot
        self.fingerprint = fingerprint
        self.receipt = receipt
    }
}

/// A write as a hub has it, whole or let go of.
enum KnownWrite {
    case whole(TaggedWrite)
    /// Its fingerprint, and its receipt.
    case compacted(UInt64, TaggedWrite.Receipt)

    /// The receipt, where it is the same write as another one.
    func receipt(ifSameAs write: TaggedWrite) -> TaggedWrite.Receipt? {
        switch self {
        case .whole(let known): known.isSameWrite(as: write) ? known.receipt : nil
        case .compacted(let fingerprint, let receipt): fingerprint == write.fingerprint ? receipt : nil
        }
    }

    /// What is kept of it once it is let go of; nil where it has been already.
    var compacted: KnownWrite? {
        guard case .whole(let write) = self, let receipt = write.receipt else { return nil }
        return .compacted(write.fingerprint, receipt)
    }
}
