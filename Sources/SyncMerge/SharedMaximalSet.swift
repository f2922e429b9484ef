import SyncModel

/// A maximal set that registers of a record share for as long as it is the same for them.
///
/// A put mostly names fields that the same writes have written before: all of them go through the same steps, so one copy serves. What is kept
/// is one reference, and states that are equal because they came about together are encoded once.
struct SharedMaximalSet: Sendable {
    private final class Box: @unchecked Sendable {
        // Sound: it is changed only in `modify` and `advance`, where one set alone refers to it, and that set belongs to the caller; for
        // the same reason nobody else can look at it meanwhile.
        @exclusivity(unchecked) var value: MaximalSet

        init(_ value: MaximalSet) {
            unsafe self.value = value
        }
    }

    private var box: Box

    private static let nothing = Box(MaximalSet())

    /// Nothing has arrived.
    init() {
        box = Self.nothing
    }

    init(_ value: MaximalSet) {
        box = Box(value)
    }

    /// The set itself.
    var value: MaximalSet { unsafe box.value }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? { unsafe box.value.rest.isEmpty ? box.value.first : nil }

    /// The maximal writes, by order of arrival.
    var writes: [TaggedWrite] { unsafe box.value.writes }

    /// The writes among which the policy chooses what is shown.
    var contenders: [TaggedWrite] { unsafe box.value.contenders }

    /// A maximal write of the same name.
    func maximalWrite(sameAs write: TaggedWrite) -> TaggedWrite? {
        if unsafe !box.value.rest.isEmpty { return value.maximalWrite(sameAs: write) }
        guard let first = unsafe box.value.first, first.isSame(as: write) else { return nil }
        return first
    }

    /// Whether the write itself, or one that has seen it, has arrived.
    func covers(_ write: TaggedWrite, proximity: Int64) -> Bool { unsafe box.value.covers(write, proximity: proximity) }

    /// Whether both are one set, kept once.
    func isShared(with other: SharedMaximalSet) -> Bool { box === other.box }

    mutating func modify<Result>(_ body: (inout MaximalSet) -> Result) -> Result {
        if !isKnownUniquelyReferenced(&box) { unsafe box = Box(box.value) }
        return unsafe body(&box.value)
    }

    /// What a write that met no rival made of a set: it makes the same of every register that shares it.
    struct Step {
        fileprivate let before: SharedMaximalSet
        fileprivate let after: SharedMaximalSet
    }

    /// Takes a write in where no maximal write stays beside it: whatever the policy, there is nothing to decide.
    ///
    /// - Parameter step: What the write did to the register before this one.
    /// - Returns: False, and nothing is changed, where it has rivals.
    mutating func advance(by write: TaggedWrite, proximity: Int64, like step: inout Step?) -> Bool {
        if let step, step.before.box === box {
            box = step.after.box
            return true
        }
        guard canFollow(write, proximity: proximity) else { return advanceUnusually(by: write, proximity: proximity, like: &step) }
        if isKnownUniquelyReferenced(&box) {
            unsafe box.value.follow(with: write)
            return true
        }
        // Made first and changed where it lies: what is not copied need not be counted.
        let next = unsafe Box(
            MaximalSet(first: box.value.first, seen: box.value.seen, displaced: box.value.displaced, later: box.value.later))
        unsafe next.value.follow(with: write)
        let before = self
        box = next
        step = Step(before: before, after: self)
        return true
    }

    private mutating func advanceUnusually(by write: TaggedWrite, proximity: Int64, like step: inout Step?) -> Bool {
        guard unsafe box.value.rest.isEmpty, unsafe box.value.first.map({ write.hasSeen($0, proximity: proximity) }) ?? true else {
            return false
        }
        let before = self
        modify { _ = $0.insert(write, proximity: proximity) }
        step = Step(before: before, after: self)
        return true
    }

    /// Whether the write is what nearly every write is: it says what it had seen, had seen the one maximal write, and neither it nor one that has
    /// seen it has arrived.
    ///
    /// Looks at the set part by part: a copy of the whole would count the references in it.
    private func canFollow(_ write: TaggedWrite, proximity: Int64) -> Bool {
        guard unsafe box.value.rest.isEmpty, unsafe !box.value.hasReach, write.saysWhatItHadSeen else { return false }
        if unsafe write.isCovered(by: box.value.seen) { return false }
        guard let first = unsafe box.value.first else { return unsafe box.value.later == nil }
        return write.hasSeen(first, proximity: proximity) && !write.isSame(as: first)
    }
}
