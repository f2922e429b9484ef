import SyncModel

/// The maximal writes to a register: those that no other arrived write to it has seen.
///
/// The state is a function of the set of arrived writes, whatever the order of their arrival. What has been seen is remembered after the
/// write that had seen it is gone, so that a late ancestor is known as such.
///
/// - Complexity: O(*m* log *d*) a write, for *m* maximal writes and *d* devices; for a write that has seen none of many, O(*s* log *d*) for
///   *s* devices in its own version vector. Memory: the maximal writes and one version vector.
struct MaximalSet: Sendable {
    /// The first of the maximal writes by order of arrival.
    ///
    /// Nearly every register has just one: it costs no array.
    var first: TaggedWrite?
    var rest: [TaggedWrite] = []
    /// Which of the maximal writes the register's policy has chosen, for as long as they stay the same.
    ///
    /// Nil where that is not known; a matter of speed alone.
    var leader: TaggedWrite?
    /// What the arrived writes had seen.
    var seen = VersionVector()
    /// What few sets have: nil or an array of one, so that the others pay for a pointer.
    private var rarities: [Rarities]?
    /// The latest write that an arriving one displaced, having seen it: a common ancestor of what comes next.
    var displaced: TaggedWrite?

    /// The latest of all arrived writes in the total order.
    ///
    /// It is shown where the writes' accounts of each other run in a circle, so that none of them is maximal: timestamps that were taken for
    /// causality, or version vectors that contradict each other, must not make a value vanish.
    var latest: TaggedWrite? {
        get { later ?? first }
        set { later = newValue.flatMap { latest in first?.isOneAnd(latest) == true ? nil : latest } }
    }

    /// The latest of all arrived writes where that is not the first maximal one; nearly always it is.
    private(set) var later: TaggedWrite?

    /// What few sets have.
    private struct Rarities {
        var inferred: Reach<Int64>?
        var cursors: Reach<UInt64>?
        var superseded: [DeviceID: TaggedWrite] = [:]
        var devices: Set<DeviceID>?

        var isEmpty: Bool { inferred == nil && cursors == nil && superseded.isEmpty && devices == nil }
    }

    /// How far the arrived writes that do not say what they had seen reach by their clocks.
    var inferred: Reach<Int64>? {
        get { rarities == nil ? nil : rarities?[0].inferred }
        set { changeRarities { $0.inferred = newValue } }
    }

    /// How far the arrived writes reach that say up to where in the hub's order they had seen everything.
    var cursors: Reach<UInt64>? {
        get { rarities == nil ? nil : rarities?[0].cursors }
        set { changeRarities { $0.cursors = newValue } }
    }

    /// Of each device the latest write that is no longer maximal, among those that no vector can name because their devices did not number them.
    var superseded: [DeviceID: TaggedWrite] {
        get { rarities == nil ? [:] : rarities?[0].superseded ?? [:] }
        set { changeRarities { $0.superseded = newValue } }
    }

    /// The devices of the maximal writes, once there are so many that looking at each of them takes longer than asking here.
    ///
    /// Nil where that has not paid yet; a matter of speed alone.
    private var devices: Set<DeviceID>? { rarities == nil ? nil : rarities?[0].devices }

    private mutating func changeRarities(_ change: (inout Rarities) -> Void) {
        var changed = rarities?[0] ?? Rarities()
        rarities = nil
        change(&changed)
        if !changed.isEmpty { rarities = [changed] }
    }

    /// Whether nothing has arrived.
    var isEmpty: Bool { latest == nil }

    /// Whether nothing has arrived but the maximal writes, and they had seen nothing.
    var hasNothingBehind: Bool { seen.isEmpty && displaced == nil && inferred == nil && cursors == nil && superseded.isEmpty }

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

    /// How many writes are maximal.
    var count: Int { first == nil ? 0 : 1 + rest.count }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? { rest.isEmpty ? first : nil }

    /// Whether no maximal write stays beside this one, be it maximal itself or not.
    func hasNoRival(to write: TaggedWrite, intervals: IntervalRule) -> Bool {
        guard rest.isEmpty else { return false }
        guard let first else { return true }
        return write.hasSeen(first, intervals: intervals)
    }

    /// Whether the write is what nearly every write is: it says what it had seen, had seen the one maximal write, and neither it nor one that has
    /// seen it has arrived.
    func canBeFollowed(by write: TaggedWrite, intervals: IntervalRule) -> Bool {
        guard rest.isEmpty, rarities == nil, write.saysWhatItHadSeen, !write.isCovered(by: seen) else { return false }
        guard let first else { return later == nil }
        return write.hasSeen(first, intervals: intervals) && !write.isSame(as: first)
    }

    /// Takes a write in.
    ///
    /// - Returns: Whether the write is maximal. It is not where it had arrived before, or where one that has seen it had.
    @discardableResult
    mutating func insert(_ write: TaggedWrite, intervals: IntervalRule) -> Bool {
        let isMaximal = !covers(write, intervals: intervals)
        let latest = latest.flatMap { $0.precedes(write) ? nil : $0 } ?? write
        if !write.addSeen(to: &seen) { extendReach(by: write) }
        // A superseded write counts all the same: what it had seen is not maximal, whoever else has seen it.
        removeSeen(by: write, intervals: intervals)
        if !isMaximal {
            remember(write)
        } else if first == nil {
            first = write
        } else {
            leader = nil
            rest.append(write)
            if devices != nil { rarities?[0].devices?.insert(write.dot.device) } else if rest.count >= Self.manyWrites { noteDevices() }
        }
        self.latest = latest
        return isMaximal
    }

    /// Whether nothing needs to be asked of a write that had seen all that ever arrived at the record: there is at most one maximal write, and its
    /// device had numbered it, so that it is known to have been seen.
    var isFollowedByWhoeverKnowsAll: Bool { rest.isEmpty && first?.isNumbered != false }

    /// Whether a write may follow on the one maximal write and had seen all that ever arrived, so that this is true of every set of a part of it.
    func isAllKnown(to write: TaggedWrite) -> Bool { rest.isEmpty && rarities == nil && write.knowsAll(first, and: seen) }

    /// Takes in a write that says what it had seen, where that is the one maximal write or nothing has arrived: what ``insert(_:intervals:)`` does then.
    ///
    /// - Parameter knowsAll: Whether it had seen all that the arrived writes had seen.
    mutating func follow(with write: TaggedWrite, knowsAll: Bool) {
        if !knowsAll || !write.copySeen(to: &seen) { _ = write.addSeen(to: &seen) }
        if let oldest = first.take() {
            // That of another device is among what the write had seen.
            if oldest.isOfSameDevice(as: write) { remember(oldest) }
            if later == nil, !oldest.precedes(write) { later = oldest }
            displaced = oldest
            leader = nil
        }
        if later?.precedes(write) == true { later = nil }
        first = write
    }

    /// Copies into this set, which is empty, what ``follow(with:knowsAll:)`` needs of another.
    mutating func prepareToFollow(_ other: borrowing MaximalSet, knowsAll: Bool) {
        if !knowsAll { seen = other.seen }
        if let oldest = other.first { first = oldest } else if let ancestor = other.displaced { displaced = ancestor }
        if let latest = other.later { later = latest }
    }

    /// Nothing has arrived.
    init() {}

    /// One write has arrived, and it says what it had seen.
    init(only write: TaggedWrite) {
        first = write
        _ = write.addSeen(to: &seen)
    }

    /// A maximal write of the same name.
    func maximalWrite(sameAs write: TaggedWrite) -> TaggedWrite? {
        guard let first else { return nil }
        if first.isSame(as: write) { return first }
        guard !rest.isEmpty, devices?.contains(write.dot.device) ?? true else { return nil }
        return rest.first { $0.isSame(as: write) }
    }

    /// Whether a look for a maximal write of the same name could find one; false where the only one has another name.
    func mayHoldWrite(sameAs write: TaggedWrite) -> Bool {
        guard rest.isEmpty else { return true }
        guard let first else { return false }
        return write.isSame(as: first)
    }

    /// Whether the write itself, or one that has seen it, has arrived.
    func covers(_ write: TaggedWrite, intervals: IntervalRule) -> Bool {
        if write.isCovered(by: seen) || rarities != nil && isWithinReach(write, intervals: intervals) { return true }
        // What another device's write has seen is in one of the two above already.
        guard let first, devices?.contains(write.dot.device) ?? true else { return false }
        return first.makesRedundant(write, intervals: intervals) || rest.contains { $0.makesRedundant(write, intervals: intervals) }
    }

    private mutating func extendReach(by write: TaggedWrite) {
        if let cursor = write.cursor {
            cursors = cursors.extended(by: write.dot.device, to: cursor)
        } else {
            inferred = inferred.extended(by: write.dot.device, to: write.made)
        }
    }

    /// Whether another device's arrived write that carries no vector had seen this one, or a later one of its own that is no longer maximal had.
    private func isWithinReach(_ write: TaggedWrite, intervals: IntervalRule) -> Bool {
        guard let rarities = rarities?[0] else { return false }
        let device = write.dot.device
        if let reach = rarities.inferred?.ofOthers(than: device), reach > write.end(intervals) { return true }
        if let reach = rarities.cursors?.ofOthers(than: device), let position = write.hubSequence, position <= reach { return true }
        return rarities.superseded[device]?.makesRedundant(write, intervals: intervals) ?? false
    }

    private mutating func removeSeen(by write: TaggedWrite, intervals: IntervalRule) {
        guard let oldest = first, mayHaveSeenSome(write) else { return }
        let isOldestSeen = write.hasSeen(oldest, intervals: intervals)
        guard isOldestSeen || rest.contains(where: { write.hasSeen($0, intervals: intervals) }) else { return }
        var latest = isOldestSeen ? oldest : nil
        if isOldestSeen { remember(oldest) }
        var kept: [TaggedWrite] = []
        for other in rest {
            if write.hasSeen(other, intervals: intervals) {
                if latest?.precedes(other) ?? true { latest = other }
                remember(other)
            } else {
                kept.append(other)
            }
        }
        if isOldestSeen { first = kept.isEmpty ? nil : kept.removeFirst() }
        rest = kept
        displaced = latest
        leader = nil
        if devices != nil { noteDevices() }
    }

    /// Whether a look at every maximal write could find one that this write has seen.
    private func mayHaveSeenSome(_ write: TaggedWrite) -> Bool {
        guard let devices, let seen = write.seen, seen.entries.count < devices.count else { return true }
        return devices.contains(write.dot.device) || seen.entries.contains { devices.contains($0.device) }
    }

    /// Puts another write in the place of each, and another vector in that of what has been seen.
    mutating func replace(writes other: (TaggedWrite) -> TaggedWrite, seen vector: (VersionVector) -> VersionVector) {
        let last = latest.map(other)
        first = first.map(other)
        rest = rest.map(other)
        leader = nil
        displaced = displaced.map(other)
        seen = vector(seen)
        // Another name may sort otherwise.
        latest = ([last].compactMap(\.self) + writes).latest
        noteDevices()
    }

    private mutating func noteDevices() {
        let devices = rest.count >= Self.manyWrites ? Set(writes.lazy.map(\.dot.device)) : nil
        changeRarities { $0.devices = devices }
    }

    /// From here on a set of devices is worth its memory.
    private static let manyWrites = 32

    /// Notes that a write has been seen, and with it the earlier ones of its device, so that those are known when they arrive late.
    private mutating func remember(_ write: TaggedWrite) {
        if write.isNumbered { return write.insertDot(into: &seen) }
        let device = write.dot.device
        changeRarities { rarities in
            guard rarities.superseded[device]?.precedes(write) ?? true else { return }
            rarities.superseded[device] = write
        }
    }
}

/// How far writes without version vectors reach: the furthest of each of the two devices that reach furthest.
///
/// What a device had seen of its own writes is told by their order, so the reach is that of the *other* devices.
struct Reach<Extent: Comparable & Sendable>: Sendable {
    let device: DeviceID
    var furthest: Extent
    var furthestOfOthers: Extent?

    /// How far the devices but one reach; nil where there are none.
    func ofOthers(than device: DeviceID) -> Extent? { self.device == device ? furthestOfOthers : furthest }
}

extension Optional {
    fileprivate func extended<Extent>(by device: DeviceID, to extent: Extent) -> Reach<Extent> where Wrapped == Reach<Extent> {
        guard var reach = self else { return Reach(device: device, furthest: extent) }
        if reach.device == device {
            reach.furthest = max(reach.furthest, extent)
        } else if extent > reach.furthest {
            return Reach(device: device, furthest: extent, furthestOfOthers: reach.furthest)
        } else {
            reach.furthestOfOthers = max(reach.furthestOfOthers ?? extent, extent)
        }
        return reach
    }
}

extension TaggedWrite {
    /// Whether another write of the same device adds nothing once this one has arrived.
    fileprivate func makesRedundant(_ other: TaggedWrite, intervals: IntervalRule) -> Bool {
        isOfSameDevice(as: other) && (isSame(as: other) || hasSeen(other, intervals: intervals))
    }
}
