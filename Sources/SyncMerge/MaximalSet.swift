import SyncModel

/// The maximal writes to a register: those that no other arrived write to it has seen.
///
/// The state is a function of the set of arrived writes, whatever the order of their arrival. What has been seen is remembered after the
/// write that had seen it is gone, so that a late ancestor is known as such.
///
/// - Complexity: O(*m* log *d*) a write, for *m* maximal writes and *d* devices. Memory: the maximal writes and one version vector.
struct MaximalSet: Sendable {
    /// The first of the maximal writes by order of arrival.
    ///
    /// Nearly every register has just one: it costs no array.
    private var first: TaggedWrite?
    private var rest: [TaggedWrite] = []
    /// What the arrived writes had seen.
    private var seen = VersionVector()
    /// How far the arrived writes that do not say what they had seen reach by their clocks.
    ///
    /// Nil or an array of one, so that the registers of a trace with version vectors, which have none, pay for a pointer.
    private var reach: [InferredReach]?
    /// The latest write that an arriving one displaced, having seen it: a common ancestor of what comes next.
    private(set) var displaced: TaggedWrite?

    /// The latest of all arrived writes in the total order.
    ///
    /// It is shown where the writes' accounts of each other run in a circle, so that none of them is maximal: timestamps that were taken for
    /// causality, or version vectors that contradict each other, must not make a value vanish.
    private var latest: TaggedWrite?

    private var inferred: InferredReach? { reach?.first }

    /// Whether nothing has arrived.
    var isEmpty: Bool { latest == nil }

    /// The writes among which the policy chooses what is shown; empty only where nothing has arrived.
    var contenders: [TaggedWrite] {
        if first == nil, let latest { return [latest] }
        return writes
    }

    /// The maximal writes, by order of arrival.
    var writes: [TaggedWrite] {
        guard let first else { return [] }
        return rest.isEmpty ? [first] : [first] + rest
    }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? { rest.isEmpty ? first : nil }

    /// Whether no maximal write stays beside this one, be it maximal itself or not.
    func hasNoRival(to write: TaggedWrite, proximity: Int64) -> Bool {
        rest.isEmpty && (first.map { write.hasSeen($0, proximity: proximity) } ?? true)
    }

    /// Takes a write in.
    ///
    /// - Returns: Whether the write is maximal. It is not where it had arrived before, or where one that has seen it had.
    @discardableResult
    mutating func insert(_ write: TaggedWrite, proximity: Int64) -> Bool {
        let isMaximal = !covers(write, proximity: proximity)
        if latest?.precedes(write) ?? true { latest = write }
        if !write.addSeen(to: &seen) { reach = [inferred.extended(by: write)] }
        // A superseded write counts all the same: what it had seen is not maximal, whoever else has seen it.
        removeSeen(by: write, proximity: proximity)
        if !isMaximal {
            remember(write)
        } else if first == nil {
            first = write
        } else {
            rest.append(write)
        }
        return isMaximal
    }

    /// Whether the write itself, or one that has seen it, has arrived.
    func covers(_ write: TaggedWrite, proximity: Int64) -> Bool {
        if write.isCovered(by: seen) || inferred?.covers(write, proximity: proximity) == true { return true }
        guard let first else { return false }
        return first.makesRedundant(write, proximity: proximity) || rest.contains { $0.makesRedundant(write, proximity: proximity) }
    }

    private mutating func removeSeen(by write: TaggedWrite, proximity: Int64) {
        guard let oldest = first else { return }
        let isOldestSeen = write.hasSeen(oldest, proximity: proximity)
        if isOldestSeen, rest.isEmpty {
            remember(oldest)
            displaced = oldest
            first = nil
            return
        }
        guard isOldestSeen || rest.contains(where: { write.hasSeen($0, proximity: proximity) }) else { return }
        var latest: TaggedWrite?
        var kept: [TaggedWrite] = []
        for other in writes {
            if write.hasSeen(other, proximity: proximity) {
                if latest?.precedes(other) ?? true { latest = other }
                remember(other)
            } else {
                kept.append(other)
            }
        }
        displaced = latest
        first = kept.first
        rest = Array(kept.dropFirst())
    }

    /// Notes that a write has been seen, and with it the earlier ones of its device, so that those are known when they arrive late.
    private mutating func remember(_ write: TaggedWrite) {
        if write.isNumbered { write.insertDot(into: &seen) }
    }
}

/// How far writes without version vectors reach: the latest of each of the two devices that reach furthest.
///
/// A device's own clock says nothing of what it had seen of its own writes, so the reach is that of the *other* devices.
private struct InferredReach: Sendable {
    let device: DeviceID
    var latest: Int64
    var latestOfOthers: Int64?

    func covers(_ write: TaggedWrite, proximity: Int64) -> Bool {
        let reach = write.dot.device == device ? latestOfOthers : latest
        return reach.map { $0.distance(after: write.timestamp.milliseconds) > proximity } ?? false
    }
}

extension InferredReach? {
    fileprivate func extended(by write: TaggedWrite) -> InferredReach {
        let moment = write.timestamp.milliseconds
        guard var reach = self else { return InferredReach(device: write.dot.device, latest: moment) }
        if reach.device == write.dot.device {
            reach.latest = max(reach.latest, moment)
        } else if moment > reach.latest {
            return InferredReach(device: write.dot.device, latest: moment, latestOfOthers: reach.latest)
        } else {
            reach.latestOfOthers = max(reach.latestOfOthers ?? moment, moment)
        }
        return reach
    }
}

extension TaggedWrite {
    /// Whether another write adds nothing once this one has arrived.
    fileprivate func makesRedundant(_ other: TaggedWrite, proximity: Int64) -> Bool {
        isSame(as: other) || hasSeen(other, proximity: proximity)
    }
}
