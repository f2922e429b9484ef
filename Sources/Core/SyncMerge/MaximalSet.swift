import SyncBytes
package import SyncModel

/// The maximal writes to a register: those that no other arrived write to it has seen.
///
/// The state is a function of the set of arrived writes, whatever the order of their arrival. What has been seen is remembered after the
/// write that had seen it is gone, so that a late ancestor is known as such.
///
/// - Complexity: O(log *m* + *s* log *d*) a write, for *m* maximal writes, *d* devices and *s* entries of its own version vector. Memory:
///   the maximal writes and one version vector.
package struct MaximalSet: Sendable {
    /// One of the maximal writes.
    ///
    /// Nearly every register has just one: it costs no array.
    private(set) var first: TaggedWrite?
    /// The writes that the arrived writes had seen.
    package var seen = VersionVector()
    /// The parts that few sets have: nil or an array of one, so that the others pay for a pointer.
    private var rarities: [Rarities]?
    /// The write that alone was maximal when an arriving one displaced it, having seen it: a common ancestor of what comes next.
    ///
    /// Nil where that one displaced one of several: what its writer was shown is then no single write.
    package var displaced: TaggedWrite?

    /// The latest of all arrived writes in the total order.
    ///
    /// It is shown where the causal contexts of the writes form a circle, so that none of them is maximal: timestamps that were taken for
    /// causality, or version vectors that contradict each other, must not make a value vanish.
    package var latest: TaggedWrite? {
        get { later ?? first }
        set { later = newValue.flatMap { latest in first?.isIdentical(to: latest) == true ? nil : latest } }
    }

    /// The latest of all arrived writes where that is not the first maximal one; nearly always it is.
    private(set) var later: TaggedWrite?

    /// The parts that few sets have.
    private struct Rarities {
        var rest: [TaggedWrite] = []
        var leader: TaggedWrite?
        var untold: [TaggedWrite] = []
        var inferred: InferredReach?
        var superseded: [DeviceID: TaggedWrite] = [:]
        /// Nothing or one, as most of them have none.
        private var boxedCursors: [Reach<UInt64>] = []
        private var boxedCrowd: [Crowd] = []

        var cursors: Reach<UInt64>? {
            get { boxedCursors.first }
            set { boxedCursors = newValue.map { [$0] } ?? [] }
        }

        var crowd: Crowd? {
            get { boxedCrowd.first }
            set { boxedCrowd = newValue.map { [$0] } ?? [] }
        }

        var hasCrowd: Bool { !boxedCrowd.isEmpty }

        /// Changes the crowd where it lies, if there is one.
        mutating func changeCrowd<Result>(_ change: (inout Crowd) -> Result) -> Result? {
            boxedCrowd.isEmpty ? nil : change(&boxedCrowd[0])
        }

        var isEmpty: Bool {
            rest.isEmpty && leader == nil && untold.isEmpty && inferred == nil && superseded.isEmpty && boxedCursors.isEmpty && !hasCrowd
        }
    }

    /// The other maximal writes, as long as they are few; with many, all are in the ``Crowd``.
    private var rest: [TaggedWrite] {
        get { rarities == nil ? [] : rarities?[0].rest ?? [] }
        set { if rarities != nil || !newValue.isEmpty { changeRarities { $0.rest = newValue } } }
    }

    /// Which of the maximal writes the register's policy has chosen, for as long as they stay the same.
    ///
    /// Nil where that is not known; a matter of speed alone.
    var leader: TaggedWrite? {
        get { rarities == nil ? nil : rarities?[0].leader }
        set { if rarities != nil || newValue != nil { changeRarities { $0.leader = newValue } } }
    }

    /// The reach by their clocks of the arrived writes without a causal context.
    package var inferred: InferredReach? {
        get { rarities == nil ? nil : rarities?[0].inferred }
        set { changeRarities { $0.inferred = newValue } }
    }

    /// The reach in the hub's order of the arrived writes that carry a cursor.
    package var cursors: Reach<UInt64>? {
        get { rarities == nil ? nil : rarities?[0].cursors }
        set { changeRarities { $0.cursors = newValue } }
    }

    /// Of each device the latest write that is no longer maximal, among those that no vector can name because their devices did not number
    /// them.
    package var superseded: [DeviceID: TaggedWrite] {
        get { rarities == nil ? [:] : rarities?[0].superseded ?? [:] }
        set { changeRarities { $0.superseded = newValue } }
    }

    /// The maximal writes that lost, but nothing by it: what they carry was known to the winner's writer, or is shown by an equal value.
    package var untold: [TaggedWrite] {
        get { rarities == nil ? [] : rarities?[0].untold ?? [] }
        set { changeRarities { $0.untold = newValue } }
    }

    private var crowd: Crowd? { rarities == nil ? nil : rarities?[0].crowd }

    /// Whether there is no more than one maximal write.
    var isSingle: Bool { rarities == nil || rarities?[0].rest.isEmpty == true && rarities?[0].hasCrowd == false }

    /// Remembers a maximal write that lost nothing, instead of the oldest where there are too many.
    mutating func keepUntold(_ write: TaggedWrite, limit: Int) {
        changeRarities { rarities in
            rarities.untold.removeAll { $0.hasSameDot(as: write) }
            if rarities.untold.count >= limit { rarities.untold.removeFirst() }
            rarities.untold.append(write)
        }
    }

    /// Changes the rare parts where they lie.
    private mutating func changeRarities(_ change: (inout Rarities) -> Void) {
        if rarities == nil { rarities = [Rarities()] }
        var isEmpty = false
        rarities?.changeFirst {
            change(&$0)
            isEmpty = $0.isEmpty
        }
        if isEmpty { rarities = nil }
    }

    /// Whether nothing has arrived.
    var isEmpty: Bool { latest == nil }

    /// Whether nothing has arrived but the maximal writes, and they had seen nothing.
    var hasNothingBehind: Bool { seen.isEmpty && inferred == nil && cursors == nil && superseded.isEmpty }

    /// The writes among which the policy chooses what is shown; empty only where nothing has arrived.
    var contenders: [TaggedWrite] {
        if first == nil, let latest { return [latest] }
        return writes
    }

    /// The maximal writes, in no order.
    ///
    /// - Complexity: O(*m*) for few, O(1) for many.
    package var writes: [TaggedWrite] {
        if let crowd { return crowd.writes }
        guard let first else { return [] }
        return rest.isEmpty ? [first] : [first] + rest
    }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? { isSingle ? first : nil }

    /// Whether no maximal write stays beside this one, be it maximal itself or not.
    func hasNoRival(to write: TaggedWrite, intervals: IntervalRule) -> Bool {
        guard isSingle else { return false }
        guard let first else { return true }
        return write.hasSeen(first, intervals: intervals)
    }

    /// Whether the write is as nearly every write is: it carries a version vector and has seen the one maximal write, and neither it nor a
    /// write that has seen it has arrived.
    func canBeFollowed(by write: TaggedWrite, intervals: IntervalRule) -> Bool {
        guard rarities == nil, write.hasSeenVector, !write.isCovered(by: seen) else { return false }
        guard let first else { return later == nil }
        return write.hasSeen(first, intervals: intervals) && !write.hasSameDot(as: first)
    }

    /// Inserts a write.
    ///
    /// - Returns: Whether the write is maximal. It is not where it had arrived before, or where one that has seen it had.
    @discardableResult
    mutating func insert(_ write: TaggedWrite, intervals: IntervalRule) -> Bool { insertDisplacing(write, intervals: intervals).isMaximal }

    /// Inserts a write, and returns whether it is maximal and which writes are no longer.
    mutating func insertDisplacing(_ write: TaggedWrite, intervals: IntervalRule) -> (isMaximal: Bool, displaced: [TaggedWrite]) {
        let isMaximal = !covers(write, intervals: intervals)
        let latest = latest.flatMap { $0.precedes(write) ? nil : $0 } ?? write
        if !write.addSeen(to: &seen) { extendReach(by: write, intervals: intervals) }
        // A superseded write counts all the same: what it had seen is not maximal, whoever else has seen it.
        let seen = removeSeen(by: write, intervals: intervals)
        if !isMaximal {
            remember(write)
        } else if first == nil {
            first = write
        } else {
            leader = nil
            if isSingle || !rest.isEmpty { changeRarities { $0.rest.append(write) } } else { rarities?[0].changeCrowd { $0.insert(write) } }
            if rest.count >= Crowd.least { gather() }
        }
        self.latest = latest
        return (isMaximal, seen)
    }

    /// Whether a write that dominates the record dominates this set too, without a check: the set has at most one write, and that was
    /// numbered by its device.
    var isDominatedWithRecord: Bool { isSingle && first?.isNumbered != false }

    /// Whether a write has seen the one maximal write and all that has arrived, so that it dominates every set of a part of the record too.
    func isDominated(by write: TaggedWrite) -> Bool { rarities == nil && write.dominates(first, and: seen) }

    /// Inserts a write with a version vector that covers the one maximal write, or the first write: what ``insert(_:intervals:)`` does
    /// then.
    ///
    /// - Parameter dominates: Whether the write had seen all that the arrived writes had seen.
    mutating func follow(with write: TaggedWrite, dominates: Bool) {
        if dominates { write.copySeen(to: &seen) } else { _ = write.addSeen(to: &seen) }
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

    /// Copies into this set, which is empty, what ``follow(with:dominates:)`` needs of another.
    mutating func prepareToFollow(_ other: borrowing MaximalSet, dominates: Bool) {
        if !dominates { seen = other.seen }
        if let oldest = other.first { first = oldest } else if let ancestor = other.displaced { displaced = ancestor }
        if let latest = other.later { later = latest }
    }

    /// Nothing has arrived.
    package init() {}

    /// One write has arrived, and it carries a version vector.
    init(only write: TaggedWrite) {
        first = write
        _ = write.addSeen(to: &seen)
    }

    /// Whether a write of a device has arrived, or been named by one that has.
    func knows(_ device: DeviceID) -> Bool {
        if seen[device] > 0 || superseded[device] != nil { return true }
        if let crowd { return crowd.write(of: device) != nil }
        return writes.contains { $0.isOfDevice(device) }
    }

    /// The maximal write that has the dot of another write.
    func maximalWrite(sameAs write: TaggedWrite) -> TaggedWrite? {
        guard let first else { return nil }
        if first.hasSameDot(as: write) { return first }
        if let crowd { return crowd.write(of: write.dot.device).flatMap { $0.hasSameDot(as: write) ? $0 : nil } }
        return rest.first { $0.hasSameDot(as: write) }
    }

    /// Whether a look for a maximal write of the same name could find one; false where the only one has another dot.
    func mayHoldWrite(sameAs write: TaggedWrite) -> Bool {
        guard isSingle else { return true }
        guard let first else { return false }
        return write.hasSameDot(as: first)
    }

    /// Whether the write itself, or one that has seen it, has arrived.
    func covers(_ write: TaggedWrite, intervals: IntervalRule) -> Bool {
        if write.isCovered(by: seen) || rarities != nil && isWithinReach(write, intervals: intervals) { return true }
        // What another device's write has seen is in one of the two above already.
        guard let first else { return false }
        if let crowd { return crowd.write(of: write.dot.device)?.makesRedundant(write, intervals: intervals) ?? false }
        return first.makesRedundant(write, intervals: intervals) || rest.contains { $0.makesRedundant(write, intervals: intervals) }
    }

    private mutating func extendReach(by write: TaggedWrite, intervals: IntervalRule) {
        changeRarities { rarities in
            if let cursor = write.cursor {
                rarities.cursors = rarities.cursors.extended(by: write.dot.device, to: cursor)
            } else {
                var reach = rarities.inferred.take() ?? InferredReach()
                reach.insert(write, intervals)
                rarities.inferred = reach
            }
        }
    }

    /// Whether another device's arrived write that carries no vector had seen this one, or a later one of its own that is no longer maximal
    /// had.
    private func isWithinReach(_ write: TaggedWrite, intervals: IntervalRule) -> Bool {
        if inferred?.covers(write, intervals) == true { return true }
        if let position = write.hubSequence, let reach = cursors?.ofOthers(than: write.dot.device), position <= reach { return true }
        let superseded = superseded
        return !superseded.isEmpty && superseded[write.dot.device]?.makesRedundant(write, intervals: intervals) == true
    }

    private mutating func removeSeen(by write: TaggedWrite, intervals: IntervalRule) -> [TaggedWrite] {
        guard let oldest = first else { return [] }
        var seen: [TaggedWrite] = []
        if isSingle {
            if !write.hasSeen(oldest, intervals: intervals) { return [] }
            seen = [oldest]
            first = nil
        } else if !rest.isEmpty {
            var kept: [TaggedWrite] = []
            for other in rest { if write.hasSeen(other, intervals: intervals) { seen.append(other) } else { kept.append(other) } }
            if write.hasSeen(oldest, intervals: intervals) {
                seen.insert(oldest, at: 0)
                first = kept.isEmpty ? nil : kept.removeFirst()
            }
            if seen.isEmpty { return [] }
            rest = kept
        } else {
            seen = rarities?[0].changeCrowd { $0.removeSeen(by: write, intervals: intervals) } ?? []
            if seen.isEmpty { return [] }
            let left = rarities?[0].crowd?.writes ?? []
            first = left.first
            if left.count < Crowd.least / 2 {
                changeRarities { $0.crowd = nil }
                rest = Array(left.dropFirst())
            }
        }
        for other in seen { remember(other) }
        if rarities != nil, !untold.isEmpty { untold.removeAll { write in seen.contains { $0.hasSameDot(as: write) } } }
        displaced = first == nil && seen.count == 1 ? seen.first : nil
        if let shown = leader, seen.contains(where: { $0.hasSameDot(as: shown) }) { leader = nil }
        return seen
    }

    /// The latest maximal delete beside one that is maximal.
    mutating func latestDelete(beside write: TaggedWrite) -> TaggedWrite? {
        if isSingle || !rest.isEmpty { return writes.lazy.filter { $0.isDelete && !$0.hasSameDot(as: write) }.latest }
        return rarities?[0].changeCrowd { $0.latestDelete(beside: write) } ?? nil
    }

    /// The latest maximal put that shares no field with a put that is maximal.
    ///
    /// - Complexity: O(*m*) for few, for many see ``Crowd``.
    mutating func latestPut(sharingNothingWith write: TaggedWrite) -> TaggedWrite? {
        guard isSingle || !rest.isEmpty else { return rarities?[0].changeCrowd { $0.latestPut(sharingNothingWith: write) } ?? nil }
        guard let fields = write.fields else { return nil }
        return writes.lazy.filter { other in
            !other.hasSameDot(as: write) && other.fields.map { !fields.sharesField(with: $0) } ?? false
        }.latest
    }

    /// Replaces each write, and the vector of the writes that have been seen.
    mutating func replace(writes other: (TaggedWrite) -> TaggedWrite, seen vector: (VersionVector) -> VersionVector) {
        let last = latest.map(other)
        let renamed = writes.map(other)
        setMaximal(renamed)
        displaced = displaced.map(other)
        if rarities != nil, !untold.isEmpty { untold = untold.map(other) }
        seen = vector(seen)
        // Another name may sort otherwise.
        latest = ([last].compactMap(\.self) + renamed).latest
    }

    /// Replaces the maximal writes; ``latest`` is to be set next.
    package mutating func setMaximal(_ writes: [TaggedWrite]) {
        if rarities != nil { changeRarities { $0.crowd = nil } }
        first = writes.first
        rest = Array(writes.dropFirst())
        leader = nil
        if rest.count >= Crowd.least { gather() }
    }

    private mutating func gather() {
        guard let crowd = Crowd(writes) else { return }
        rest = []
        changeRarities { $0.crowd = crowd }
    }

    /// Records that a write has been seen, and with it the earlier ones of its device, so that those are known when they arrive late.
    private mutating func remember(_ write: TaggedWrite) {
        if write.isNumbered { return write.insertDot(into: &seen) }
        let device = write.dot.device
        changeRarities { rarities in
            guard rarities.superseded[device]?.precedes(write) ?? true else { return }
            rarities.superseded[device] = write
        }
    }
}

/// The reach of writes without version vectors: that of each of the two devices that reach furthest.
///
/// What a device had seen of its own writes is told by their order, so the reach is that of the *other* devices.
package struct Reach<Extent: Comparable & Sendable>: Equatable, Sendable {
    package let device: DeviceID
    package var furthest: Extent
    package var furthestOfOthers: Extent?

    package init(device: DeviceID, furthest: Extent, furthestOfOthers: Extent? = nil) {
        (self.device, self.furthest, self.furthestOfOthers) = (device, furthest, furthestOfOthers)
    }

    /// How far the devices but one reach; nil where there are none.
    func ofOthers(than device: DeviceID) -> Extent? { self.device == device ? furthestOfOthers : furthest }
}

/// The reach of writes without a causal context: by the time they were made, and by the time the hub had them.
///
/// - Complexity: O(log *k*) to ask, and to extend beside the steps that get another reach, where *k* is 2 as long as writes that were made
///   later were not received earlier, and twice the tolerance in milliseconds at most.
package struct InferredReach: Sendable {
    /// By when they were made, how far the writes reach whose reception is that or later.
    package struct Step: Sendable {
        package let reception: Int64
        package var reach: Reach<Int64>

        package init(reception: Int64, reach: Reach<Int64>) { (self.reception, self.reach) = (reception, reach) }
    }

    /// In order of reception: the earlier one reaches further.
    package private(set) var steps: [Step] = []

    package init(steps: [Step] = []) { self.steps = steps }

    mutating func insert(_ write: TaggedWrite, _ intervals: IntervalRule) {
        let (device, made, reception) = (write.dot.device, write.made, write.reception(intervals))
        var changed = steps.partitioningIndex { $0.reception >= reception }
        if changed == steps.count || steps[changed].reception != reception {
            let next = changed < steps.count ? steps[changed].reach : nil
            let reach = next.extended(by: device, to: made)
            guard reach != next else { return }
            steps.insert(Step(reception: reception, reach: reach), at: changed)
            changed -= 1
        }
        while changed >= 0 {
            let reach = Optional(steps[changed].reach).extended(by: device, to: made)
            guard reach != steps[changed].reach else { break }
            steps[changed].reach = reach
            // As far as the writes of a later reception reach, no step of its own is needed.
            if changed + 1 < steps.count, steps[changed + 1].reach == reach { steps.remove(at: changed) }
            changed -= 1
        }
    }

    /// Whether an arrived write of another device is taken to have seen this one.
    func covers(_ write: TaggedWrite, _ intervals: IntervalRule) -> Bool {
        let receipt = write.receipt(intervals)
        let step = steps.partitioningIndex { $0.reception > receipt }
        guard step < steps.count, let made = steps[step].reach.ofOthers(than: write.dot.device) else { return false }
        return made > write.windowEnd(intervals)
    }
}

extension Array {
    /// Changes the first element where it lies.
    fileprivate mutating func changeFirst(_ change: (inout Element) -> Void) { change(&self[0]) }
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
        isOfSameDevice(as: other) && (hasSameDot(as: other) || hasSeen(other, intervals: intervals))
    }
}
