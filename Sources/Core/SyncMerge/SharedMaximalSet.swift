import SyncModel

/// A maximal set that registers of a record share for as long as it is the same for them.
///
/// A put mostly names fields that the same writes have written before: all of them go through the same steps, so one copy serves. What is
/// kept is one reference, and states that are equal because they came about together are encoded once.
package struct SharedMaximalSet: Sendable {
    fileprivate final class Box: @unchecked Sendable {
        // Sound: it is changed only in `modify` and `advance`, where one set alone refers to it, and that set belongs to the caller; for
        // the same reason nobody else can look at it meanwhile.
        @exclusivity(unchecked) var content: Content

        init(_ value: consuming MaximalSet) {
            unsafe content = Content(value: value)
        }

        /// The set of another box, to be followed by a write: only what ``MaximalSet/follow(with:dominates:)`` needs.
        init(toFollow other: Box, dominates: Bool) {
            unsafe content = other.content.toFollow(dominates: dominates)
        }
    }

    /// A set that is looked at where it lies: one that could be copied would be, and a copy counts the references in it.
    fileprivate struct Content: ~Copyable {
        var value: MaximalSet

        func toFollow(dominates: Bool) -> Content {
            var set = MaximalSet()
            set.prepareToFollow(value, dominates: dominates)
            return Content(value: set)
        }

        var isDominatedWithRecord: Bool { value.isDominatedWithRecord }

        func isDominated(by write: TaggedWrite) -> Bool { value.isDominated(by: write) }

        func canBeFollowed(by write: TaggedWrite, intervals: IntervalRule) -> Bool { value.canBeFollowed(by: write, intervals: intervals) }

        func hasNoRival(to write: TaggedWrite, intervals: IntervalRule) -> Bool { value.hasNoRival(to: write, intervals: intervals) }

        func maximalWrite(sameAs write: TaggedWrite) -> TaggedWrite? { value.maximalWrite(sameAs: write) }

        func mayHoldWrite(sameAs write: TaggedWrite) -> Bool { value.mayHoldWrite(sameAs: write) }

        func covers(_ write: TaggedWrite, intervals: IntervalRule) -> Bool { value.covers(write, intervals: intervals) }

        func choice(_ register: RegisterRules) -> Verdict? { value.choice(register) }

        func edit(undoneBy write: TaggedWrite, atField index: Int) -> TaggedWrite? { value.edit(undoneBy: write, atField: index) }
    }

    /// Nil where nothing has arrived: nearly every field begins so, and a reference to a set shared by all would be counted by all threads.
    private var box: Box?

    /// Nothing has arrived.
    init() {}

    package init(_ value: MaximalSet) {
        box = Box(value)
    }

    /// Whether the set is one that nothing has ever been done to.
    var isUntouched: Bool { box == nil }

    /// What nothing else is as long as this set is kept; nil where ``isUntouched``.
    var identity: ObjectIdentifier? { box.map(ObjectIdentifier.init) }

    /// The set itself.
    package var value: MaximalSet { unsafe box?.content.value ?? MaximalSet() }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? {
        guard let box, unsafe box.content.value.isSingle else { return nil }
        return unsafe box.content.value.first
    }

    /// The maximal writes, in no order.
    var writes: [TaggedWrite] { unsafe box?.content.value.writes ?? [] }

    /// The writes among which the policy chooses what is shown.
    var contenders: [TaggedWrite] { unsafe box?.content.value.contenders ?? [] }

    /// What the policy chooses among the contenders, see ``MaximalSet/choice(_:)``.
    func choice(_ register: RegisterRules) -> Verdict? { unsafe box?.content.choice(register) }

    /// A maximal write of the same name.
    func maximalWrite(sameAs write: TaggedWrite) -> TaggedWrite? { unsafe box?.content.maximalWrite(sameAs: write) }

    /// Whether a look for a maximal write of the same name could find one; false where the only one has another name.
    func mayHoldWrite(sameAs write: TaggedWrite) -> Bool { unsafe box?.content.mayHoldWrite(sameAs: write) ?? false }

    /// Whether the write itself, or one that has seen it, has arrived.
    func covers(_ write: TaggedWrite, intervals: IntervalRule) -> Bool { unsafe box?.content.covers(write, intervals: intervals) ?? false }

    /// The edit that a put undoes in the field at an index among its own.
    func edit(undoneBy write: TaggedWrite, atField index: Int) -> TaggedWrite? {
        unsafe box?.content.edit(undoneBy: write, atField: index)
    }

    /// Whether a write may follow on the one maximal write and had seen all that ever arrived.
    func isDominated(by write: TaggedWrite) -> Bool { unsafe box?.content.isDominated(by: write) ?? false }

    /// Whether both are one set, kept once.
    package func isIdentical(to other: SharedMaximalSet) -> Bool { box === other.box }

    mutating func modify<Result>(_ body: (inout MaximalSet) -> Result) -> Result {
        let own = isKnownUniquelyReferenced(&box) ? box : Box(value)
        guard let own else { preconditionFailure("a set that is referred to is there") }
        box = own
        return unsafe body(&own.content.value)
    }

    /// What a write that met no rival made of a set: it makes the same of every register that shares it.
    struct Step {
        fileprivate var before: Box?
        fileprivate var after: Box?

        /// Nothing has been done yet.
        init() {}
    }

    /// Takes a write in where no maximal write stays beside it: whatever the policy, there is nothing to decide.
    ///
    /// - Parameters:
    ///   - dominates: Whether it had seen all that ever arrived at the record.
    ///   - step: What the write did to the register before this one.
    /// - Returns: False, and nothing is changed, where it has rivals.
    mutating func advance(by write: TaggedWrite, intervals: IntervalRule, dominates: Bool, like step: inout Step) -> Bool {
        if step.before === box, let after = step.after {
            box = after
            return true
        }
        if isUntouched, write.hasSeenVector {
            box = Box(MaximalSet(only: write))
            step.before = nil
            step.after = box
            return true
        }
        let needsNoQuestion = unsafe dominates && box?.content.isDominatedWithRecord == true
        guard unsafe needsNoQuestion || box?.content.canBeFollowed(by: write, intervals: intervals) == true else {
            return advanceUnusually(by: write, intervals: intervals, like: &step)
        }
        if isKnownUniquelyReferenced(&box) {
            unsafe box?.content.value.follow(with: write, dominates: needsNoQuestion)
            return true
        }
        guard let before = box else { return false }
        // Made first and changed where it lies: what is not copied need not be counted.
        let next = Box(toFollow: before, dominates: needsNoQuestion)
        unsafe next.content.value.follow(with: write, dominates: needsNoQuestion)
        step.before = before
        step.after = next
        box = next
        return true
    }

    private mutating func advanceUnusually(by write: TaggedWrite, intervals: IntervalRule, like step: inout Step) -> Bool {
        guard unsafe box?.content.hasNoRival(to: write, intervals: intervals) ?? true else { return false }
        let before = box
        modify { _ = $0.insert(write, intervals: intervals) }
        step.before = before
        step.after = box
        return true
    }
}
