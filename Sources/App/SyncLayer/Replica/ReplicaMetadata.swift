import SyncBytes
import SyncCoding
import SyncLines
import SyncModel

/// The numbers that a replica keeps of itself in its store, changed in the same transaction as what they count.
struct ReplicaMetadata: Hashable, Sendable {
    let device: DeviceID
    /// The name that the device's writes carry: its own, until its store was found to have been put back or copied.
    var writer: DeviceID
    /// The highest number under that name that the hub is known to have.
    var acknowledged: UInt64 = 0
    /// The highest number under that name that was sent to a hub, whether it answered or not.
    var sent: UInt64 = 0
    /// The name before that one, until the hub has been told.
    var predecessor: DeviceID?
    /// The hub's fingerprint of its order up to the cursor; nil where the hub gave none.
    var position: HubPosition?
    /// Whether the hub has forgotten writes that are still to be given back to it.
    var mustGiveBack = false
    /// Whether the hub was ever found to have forgotten writes: the replica may have merged what no hub has.
    var hasOutlivedHub = false
    /// Whether the hub was being given back writes when this replica last fetched.
    var isPartial = false
    /// Whether the hub may have let others take for settled what this replica has not merged: until it has fetched everything while the hub
    /// knew its name.
    var isCatchingUp = true
    /// The name that the next sync gives up, where it is to give one up.
    var nameGivenUp: DeviceID?
    /// How many findings are kept that are about writes which the hub does not have; see ``UnsentFindings``.
    var unsentFindings = 0
    /// Rises with every transaction: tells a replica that another process has used the store.
    var generation: UInt64 = 0
    /// The number of the latest write under the writer's name.
    var sequence: UInt64 = 0
    /// The latest timestamp given or seen.
    var clock = HybridTimestamp(milliseconds: 0)
    /// How far the hub's writes have been merged.
    var cursor: UInt64 = 0
    /// Rises with every merged batch of other devices' writes.
    var refreshVersion = 0
    /// The highest number of the device's own writes merged; for those of others see ``SeenDevices``.
    var ownSeen: UInt64 = 0
    /// What a store of an earlier version says here of other devices, until the next transaction gives each a row.
    var earlierSeen = VersionVector()
    var liveRecords = 0
    var digest = StateDigest()
    var outboxWrites = 0
    var outboxBytes = 0
    var setAsideWrites = 0
    /// Deleted records of which only a trace is left.
    var collectedRecords = 0
    /// Whether the lowest number in the outbox has yet to tell what is acknowledged, as in a store of an earlier version.
    var isAcknowledgedUnknown = false
    /// The number of the latest entry of the journal.
    var journalNumber: UInt64 = 0
    /// The number of the latest entry among the active conflicts.
    var activeNumber: UInt64 = 0

    init(device: DeviceID) {
        self.device = device
        writer = device
    }

    init(_ content: [UInt8]) throws(SyncLayerError) {
        do throws(CodingFailure) {
            var decoder = try StateDecoder(content)
            device = try decoder.device()
            generation = try decoder.bounded()
            sequence = try decoder.bounded()
            clock = try decoder.timestamp()
            cursor = try decoder.bounded()
            refreshVersion = try decoder.integer()
            let seen = try decoder.vector()
            liveRecords = try decoder.integer()
            digest = try decoder.digest()
            outboxWrites = try decoder.integer()
            outboxBytes = try decoder.integer()
            setAsideWrites = try decoder.integer()
            collectedRecords = try decoder.integer()
            journalNumber = try decoder.bounded()
            activeNumber = try decoder.bounded()
            if decoder.isAtEnd {
                // A store of an earlier version: whatever does not wait has been answered.
                writer = device
                acknowledged = outboxWrites == 0 ? sequence : 0
                isAcknowledgedUnknown = outboxWrites > 0
                hasOutlivedHub = true
            } else {
                writer = try decoder.device()
                acknowledged = try decoder.bounded()
                predecessor = try decoder.flag() ? try decoder.device() : nil
                let isRejoining = try decoder.flag()
                mustGiveBack = try decoder.flag()
                isPartial = try decoder.flag()
                if try decoder.flag() { position = HubPosition(epoch: try decoder.number(), fingerprint: try decoder.number()) }
                unsentFindings = try decoder.integer()
                if !decoder.isAtEnd { isCatchingUp = try decoder.flag() }
                if isRejoining { nameGivenUp = decoder.isAtEnd ? writer : try decoder.device() }
                sent = decoder.isAtEnd ? sequence : try decoder.bounded()
                // A store of an earlier version does not say.
                hasOutlivedHub = decoder.isAtEnd ? true : try decoder.flag()
            }
            try decoder.finish()
            ownSeen = seen[writer]
            if seen.entries.contains(where: { [writer] in $0.device != writer }) { earlierSeen = seen }
        } catch {
            throw SyncLayerError(damaged: "the replica's metadata", error)
        }
    }

    /// Counts a record.
    mutating func add(_ record: StateDigest, isLive: Bool) {
        digest += record
        if isLive { liveRecords += 1 }
    }

    /// Counts a record no longer.
    mutating func remove(_ record: StateDigest, isLive: Bool) {
        digest -= record
        if isLive { liveRecords -= 1 }
    }

    /// The version vector as far as it is kept here.
    var seen: VersionVector {
        var seen = earlierSeen
        if ownSeen > 0 { seen.insert(Dot(device: writer, sequence: ownSeen)) }
        return seen
    }

    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(device)
        encoder.append(generation)
        encoder.append(sequence)
        encoder.append(clock)
        encoder.append(cursor)
        encoder.append(count: refreshVersion)
        encoder.append(seen)
        encoder.append(count: liveRecords)
        encoder.append(digest)
        encoder.append(count: outboxWrites)
        encoder.append(count: outboxBytes)
        encoder.append(count: setAsideWrites)
        encoder.append(count: collectedRecords)
        encoder.append(journalNumber)
        encoder.append(activeNumber)
        encoder.append(writer)
        encoder.append(acknowledged)
        encoder.append(UInt8(predecessor == nil ? 0 : 1))
        if let predecessor { encoder.append(predecessor) }
        encoder.append(UInt8(nameGivenUp == nil ? 0 : 1))
        encoder.append(UInt8(mustGiveBack ? 1 : 0))
        encoder.append(UInt8(isPartial ? 1 : 0))
        encoder.append(UInt8(position == nil ? 0 : 1))
        if let position {
            encoder.append(position.epoch)
            encoder.append(position.fingerprint)
        }
        encoder.append(count: unsentFindings)
        encoder.append(UInt8(isCatchingUp ? 1 : 0))
        if let nameGivenUp { encoder.append(nameGivenUp) }
        encoder.append(sent)
        encoder.append(UInt8(hasOutlivedHub ? 1 : 0))
        return encoder.bytes
    }
}

extension StateDecoder {
    /// A number that leaves room to be counted on from.
    fileprivate mutating func bounded() throws(CodingFailure) -> UInt64 {
        let number = try number()
        guard number <= WriteLimits.number else { throw CodingFailure("the number \(number) is beyond \(WriteLimits.number)") }
        return number
    }

    /// A count that says nothing of the bytes that follow.
    fileprivate mutating func integer() throws(CodingFailure) -> Int { Int(clamping: try bounded()) }
}

extension StateEncoder {
    /// A count that a damaged store may have led below zero.
    fileprivate mutating func append(count: Int) { append(max(0, count)) }
}
