package import SyncModel

/// What a register adds up beside its maximal writes, under the policies by which nobody loses.
///
/// A *reset* is a write that sets the value instead of adding to it: a delete, or a put of a plain value. It takes away what its writer had
/// seen and nothing else. Like the maximal sets, a tally depends on the set of arrived writes only.
package struct Tally: Sendable {
    package var resets: MaximalSet
    /// Under `counter`, the latest running total of each device.
    package var totals: [DeviceID: TaggedWrite] = [:] {
        didSet { sumOfTotals = nil }
    }
    /// The sum of ``totals``, where that is known; a matter of speed alone.
    private var sumOfTotals: ExactSum?
    /// Under `set`, what is known of each element.
    package var elements = SetElements()
    /// The puts since the last delete that won, which have not lost to one; some of them may count no more.
    private var untold: [TaggedWrite] = []
    /// Those that were not part of the sum or the set when a delete won: the count may start from such a number later.
    private var untoldNumbers: [Dot: TaggedWrite] = [:]
    /// So many are remembered before those that count no more are dropped.
    private var untoldLimit = 4
    /// Whether an element may have been added by a write that is no reset, so that what a reset had seen is not only what it displaces
    /// among the resets.
    private var hasChanges = false

    /// A tally to which only the record's deletes have been counted so far.
    init(resets: MaximalSet) {
        self.resets = resets
    }

    /// A tally as a store kept it.
    ///
    /// - Parameter told: What ``told`` was.
    package init(resets: MaximalSet, totals: [DeviceID: TaggedWrite], elements: SetElements, told: [TaggedWrite]) {
        self.init(resets: resets)
        self.totals = totals
        self.elements = elements
        hasChanges = true
        let told = Set(told.map(\.dot))
        untold = counted.values.filter { !told.contains($0.dot) }.sorted { $0.dot < $1.dot }
        untoldLimit = 2 * untold.count + 4
    }

    /// The puts that have lost to a delete and are part of the sum or the set again, since somebody wrote who had seen the delete.
    ///
    /// - Complexity: O(*n*) in the totals and elements.
    package var told: [TaggedWrite] {
        var counted = counted
        for write in untold { counted[write.dot] = nil }
        for dot in untoldNumbers.keys { counted[dot] = nil }
        return counted.values.sorted { $0.dot < $1.dot }
    }

    /// The puts that are part of the sum or the set, or would be if others were not.
    private var counted: [Dot: TaggedWrite] {
        var writes = resets.contenders.filter { !$0.isDelete } + totals.values
        for element in elements.values { writes += element.additions.values.lazy.map(\.write) }
        return Dictionary(writes.map { ($0.dot, $0) }) { first, _ in first }
    }

    /// Counts a write to a field under the `counter` policy.
    mutating func count(_ write: TaggedWrite, field: FieldName, rules: MergeRules, register: RegisterRules) {
        let intervals = rules.intervals
        if write.isRunningTotal(of: field) {
            if resets.covers(write, intervals: intervals) { return }
            let known = totals[write.dot.device]
            var sum = sum(of: field)
            totals.keepLatest(write)
            sum.subtract(known?.total(of: field) ?? 0)
            sum.add(totals[write.dot.device]?.total(of: field) ?? 0)
            sumOfTotals = sum
        } else {
            for total in totalsSeen(by: write, intervals: intervals) { totals[total.dot.device] = nil }
            _ = resets.choose(with: write, rules: rules, register: register)
        }
    }

    /// Remembers a put, for when a delete wins that its writer had not seen.
    ///
    /// - Complexity: amortized O(1).
    mutating func remember(_ write: TaggedWrite) {
        untold.append(write)
        if untold.count + untoldNumbers.count < untoldLimit { return }
        let counted = counted
        untold.removeAll { counted[$0.dot] == nil }
        untoldNumbers = untoldNumbers.filter { counted[$0.key] != nil }
        untoldLimit = 2 * max(untold.count + untoldNumbers.count, counted.count) + 4
    }

    /// Whether any put has not lost to a delete.
    var hasUntold: Bool { !untold.isEmpty || !untoldNumbers.isEmpty }

    /// Forgets the puts that are part of the sum or the set and had not lost to a delete, and returns them, the latest first.
    ///
    /// - Parameter start: What the count started from.
    /// - Complexity: amortized O(log *n*) for each put.
    mutating func forgetUntold(countedFrom start: TaggedWrite?, field: FieldName) -> [TaggedWrite] {
        var told: [TaggedWrite] = []
        for write in untold {
            if adds(write, field: field) { told.append(write) } else { untoldNumbers[write.dot] = write }
        }
        untold = []
        if let start, let number = untoldNumbers.removeValue(forKey: start.dot) { told.append(number) }
        return told.sorted { $1.precedes($0) }
    }

    /// Gives the puts that are remembered their new names.
    mutating func renameUntold(_ renaming: Renaming) {
        untold = (untold + untoldNumbers.values).map(renaming.write)
        untoldNumbers = [:]
    }

    /// Forgets a put that had not lost to a delete; false where it was not remembered.
    mutating func forgetUntold(_ write: TaggedWrite) -> Bool {
        guard let index = untold.firstIndex(where: { $0.hasSameDot(as: write) }) else { return false }
        untold.remove(at: index)
        return true
    }

    /// Whether a put is part of the sum or the set, or would be if others were not.
    func counts(_ write: TaggedWrite, field: FieldName) -> Bool {
        adds(write, field: field) || !write.isRunningTotal(of: field) && resets.contenders.contains { $0.dot == write.dot }
    }

    /// Whether a put is part of what is added up.
    private func adds(_ write: TaggedWrite, field: FieldName) -> Bool {
        if let total = totals[write.dot.device] { return total.dot == write.dot }
        return write.added(to: field).contains { elements[$0]?.additions[write.dot.device]?.write.dot == write.dot }
    }

    /// The running totals that a writer had seen.
    private func totalsSeen(by write: TaggedWrite, intervals: IntervalRule) -> [TaggedWrite] {
        guard let vector = write.seen, vector.entries.count < totals.count else {
            return totals.values.filter { write.hasSeen($0, intervals: intervals) }
        }
        return (vector.entries.map(\.device) + [write.dot.device]).compactMap { totals[$0] }.filter {
            write.hasSeen($0, intervals: intervals)
        }
    }

    /// The reset that the count starts from; nil where there is none, or where its value cannot be counted from and running totals are
    /// shown instead.
    func start(field: FieldName, rules: RegisterRules) -> Verdict? {
        guard let verdict = resets.choice(rules) else { return nil }
        return totals.isEmpty || verdict.winner.isDelete || verdict.winner.counts(in: field) ? verdict : nil
    }

    /// The exact sum of the running totals and of the number that the count starts from.
    func sum(field: FieldName, rules: RegisterRules) -> FieldValue {
        let start = start(field: field, rules: rules)?.winner.value(of: field)
        if totals.isEmpty, let start, start != .null { return start }
        // 64 bits are enough for the total of a device, not for those of all.
        var sum = sum(of: field)
        sum.add(start?.integer ?? 0)
        return .number(sum.number)
    }

    private func sum(of field: FieldName) -> ExactSum {
        sumOfTotals ?? totals.values.reduce(into: ExactSum()) { $0.add($1.total(of: field)) }
    }

    /// Whether nothing of a losing put is lost to another: one of the two counts, or the loser sets the number that the count starts from.
    ///
    /// A number that the count does not start from has lost to the one that it does, whatever is counted beside it: of a number and a
    /// running total every replica says the same, in whichever order numbers have come to it.
    func keeps(_ loser: TaggedWrite, against winner: TaggedWrite, field: FieldName, rules: RegisterRules) -> Bool {
        guard loser.counts(in: field) else { return false }
        return loser.isRunningTotal(of: field) || winner.isRunningTotal(of: field)
            || start(field: field, rules: rules)?.winner.dot == loser.dot
    }

    /// Whether only deletes are left of what arrived.
    var leavesNothing: Bool {
        totals.isEmpty && elements.values.allSatisfy(\.additions.isEmpty) && resets.contenders.allSatisfy(\.isDelete)
    }

    /// Collects a write to a field under the `set` policy.
    ///
    /// - Complexity: O(*k*) look-ups for a write that names *k* elements; one that sets the whole value looks at those that it displaces,
    ///   or at all where elements were added and removed one by one.
    mutating func collect(_ write: TaggedWrite, field: FieldName, intervals: IntervalRule) {
        let value = write.value(of: field) ?? .null
        let change = SetWrite(value)
        let added = write.added(to: field)
        if added.count + (change?.removed.count ?? 0) > Self.fewElements { elements.dropOrder() }
        if let change {
            let isAdded = added.isEmpty || change.removed.isEmpty ? [] : Set(added)
            for element in change.removed where !isAdded.contains(element) {
                elements.update(element) {
                    $0.forgetAdditions(seenBy: write, intervals: intervals)
                    $0.removals.insert(write, intervals: intervals)
                }
            }
            hasChanges = true
        }
        let isCovered = resets.covers(write, intervals: intervals)
        if change == nil { reset(by: write, field, intervals) }
        if !isCovered {
            for element in added {
                elements.update(element) {
                    if !$0.removals.covers(write, intervals: intervals) { $0.add(element, by: write) }
                }
            }
        }
    }

    /// Merges a write that sets the whole value.
    ///
    /// An element that is neither in the set nor removed says nothing: it goes, or every reset would look at all elements that ever were.
    private mutating func reset(by write: TaggedWrite, _ field: FieldName, _ intervals: IntervalRule) {
        let displaced = resets.insertDisplacing(write, intervals: intervals).displaced
        guard !hasChanges else {
            return elements.updateAll(
                where: { $0.hasAddition(seenBy: write, intervals: intervals) },
                { $0.forgetAdditions(seenBy: write, intervals: intervals) })
        }
        for other in displaced {
            let added = other.elements(of: field)
            if added.count > Self.fewElements { elements.dropOrder() }
            for element in added { elements.update(element) { $0.forgetAddition(by: other) } }
        }
    }

    /// So few elements are put in order one by one.
    private static let fewElements = 64

    /// The elements of the set, in the order of ``FieldValue``.
    func members() -> FieldValue {
        .array(elements.spellings)
    }
}

extension TaggedWrite {
    /// The elements that a plain value sets: those of a list, or itself.
    fileprivate func elements(of field: FieldName) -> [FieldValue] {
        let value = value(of: field) ?? .null
        return value.array ?? (value == .null ? [] : [value])
    }

    /// The elements that a put adds to a set, or sets.
    fileprivate func added(to field: FieldName) -> [FieldValue] { SetWrite(value(of: field) ?? .null)?.added ?? elements(of: field) }

    /// Whether a put adds to a counter instead of setting it.
    func isRunningTotal(of field: FieldName) -> Bool { value(of: field).flatMap(CounterWrite.init) != nil }

    /// What a running total says that its device has counted; 0 for any other write.
    fileprivate func total(of field: FieldName) -> Int64 { value(of: field).flatMap(CounterWrite.init)?.total ?? 0 }

    /// Whether a put can be part of the sum of a counter.
    func counts(in field: FieldName) -> Bool { value(of: field).map(CounterWrite.canCount) ?? false }
}

extension [DeviceID: TaggedWrite] {
    /// Keeps a write unless a later one of its device is there.
    fileprivate mutating func keepLatest(_ write: TaggedWrite) {
        if let known = self[write.dot.device], write.dot.sequence < known.dot.sequence { return }
        self[write.dot.device] = write
    }
}
