import SyncModel

/// A maximal set that registers of a record share for as long as it is equal for them, copied when one of them changes it.
///
/// A put mostly names fields that the same writes have written before: all of them go through the same steps, so one copy serves. A register
/// keeps one reference, and states that are equal because they came about together are encoded once.
struct SharedMaximalSet: Sendable {
    /// The set, in an array of one for the sake of its storage; empty where nothing has arrived.
    ///
    /// Copies share the storage, and a copy that is changed gets its own.
    private var storage: [MaximalSet] = []

    /// Nothing has arrived.
    init() {}

    init(_ value: MaximalSet) {
        storage = [value]
    }

    /// Whether nothing has ever been done to the set.
    var isUntouched: Bool { storage.isEmpty }

    /// An address that no other set has for as long as this one is kept; nil where ``isUntouched``.
    var identity: UInt? { isUntouched ? nil : storage.address }

    /// The set itself.
    var value: MaximalSet { storage.first ?? MaximalSet() }

    /// The only maximal write, nil where there are none or several.
    var only: TaggedWrite? { look { $0.only } ?? nil }

    /// The maximal writes, in no order.
    var writes: [TaggedWrite] { look { $0.writes } ?? [] }

    /// The writes among which the policy chooses what is shown.
    var contenders: [TaggedWrite] { look { $0.contenders } ?? [] }

    /// The maximal write that has the dot of another write.
    func maximalWrite(sameAs write: TaggedWrite) -> TaggedWrite? { look { $0.maximalWrite(sameAs: write) } ?? nil }

    /// Whether a look for a maximal write of the same dot could find one; false where the only one has another dot.
    func mayHoldWrite(sameAs write: TaggedWrite) -> Bool { look { $0.mayHoldWrite(sameAs: write) } ?? false }

    /// Whether the write itself, or one that has seen it, has arrived.
    func covers(_ write: TaggedWrite, intervals: IntervalRule) -> Bool { look { $0.covers(write, intervals: intervals) } ?? false }

    /// Whether a write dominates the set: it has seen the one maximal write and all that ever arrived.
    func isDominated(by write: TaggedWrite) -> Bool { look { $0.isDominated(by: write) } ?? false }

    /// Whether both are one set, kept once.
    func isIdentical(to other: SharedMaximalSet) -> Bool { identity == other.identity }

    /// Calls a body with the set where it lies: a copy would count the references in it.
    @inline(__always) private func look<Result>(_ body: (borrowing MaximalSet) -> Result) -> Result? {
        isUntouched ? nil : body(storage.span[0])
    }

    /// Changes the set where it lies; a set that other registers share is copied first.
    mutating func modify<Result>(_ body: (inout MaximalSet) -> Result) -> Result {
        if isUntouched { storage = [MaximalSet()] }
        return body(&storage[0])
    }

    /// What a write that met no rival made of a set: it makes the same of every register that shares the set.
    struct Step {
        /// The identity of the set before.
        ///
        /// The sets that a write meets were all there before it came, so that none of them has the address of one
        /// that is gone.
        fileprivate var before: UInt?
        /// The set after, empty where nothing has been done yet.
        fileprivate var after: [MaximalSet] = []

        /// Nothing has been done yet.
        init() {}
    }

    /// Inserts a write where no maximal write stays beside it: whatever the policy, there is nothing to decide.
    ///
    /// - Parameters:
    ///   - dominates: Whether the write dominates the record.
    ///   - step: What the same write did to the register before this one.
    /// - Returns: False, and nothing is changed, where the write has rivals.
    mutating func advance(by write: TaggedWrite, intervals: IntervalRule, dominates: Bool, like step: inout Step) -> Bool {
        let before = identity
        if before == step.before, !step.after.isEmpty {
            storage = step.after
            return true
        }
        let dominatesSet = dominates && look { $0.isDominatedWithRecord } == true
        if isUntouched, write.hasSeenVector {
            storage = [MaximalSet(only: write)]
        } else if dominatesSet || look({ $0.canBeFollowed(by: write, intervals: intervals) }) == true {
            storage[0].follow(with: write, dominates: dominatesSet)
        } else {
            guard look({ $0.hasNoRival(to: write, intervals: intervals) }) ?? true else { return false }
            modify { _ = $0.insert(write, intervals: intervals) }
        }
        // A set that was changed where it lay belongs to no other register.
        if identity != before {
            step.before = before
            step.after = storage
        }
        return true
    }
}
