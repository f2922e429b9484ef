import SyncModel

/// A maximal set that registers of a record share for as long as it is the same for them.
///
/// A put mostly names fields that the same writes have written before: all of them go through the same steps, so one copy serves. What is kept
/// is one reference, and states that are equal because they came about together are encoded once.
struct SharedMaximalSet: Sendable {
    private final class Box: @unchecked Sendable {
        // Sound: it is changed only in `modify`, where one set alone refers to it, and that set belongs to the caller.
        var value: MaximalSet

        init(_ value: MaximalSet) {
            self.value = value
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
    var value: MaximalSet { box.value }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? { box.value.only }

    /// The maximal writes, by order of arrival.
    var writes: [TaggedWrite] { box.value.writes }

    /// The writes among which the policy chooses what is shown.
    var contenders: [TaggedWrite] { box.value.contenders }

    /// Whether both are one set, kept once.
    func isShared(with other: SharedMaximalSet) -> Bool { box === other.box }

    mutating func modify<Result>(_ body: (inout MaximalSet) -> Result) -> Result {
        if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
        return body(&box.value)
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
        guard box.value.hasNoRival(to: write, proximity: proximity) else { return false }
        let before = self
        modify { _ = $0.insert(write, proximity: proximity) }
        step = Step(before: before, after: self)
        return true
    }
}
