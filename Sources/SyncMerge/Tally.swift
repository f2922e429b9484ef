import SyncModel

/// What a register adds up beside its maximal writes, under the policies by which nobody loses.
///
/// A *reset* is a write that sets the value instead of adding to it: a delete, or a put of a plain value. It takes away what its writer had
/// seen and nothing else. Like the maximal sets, a tally depends on the set of arrived writes only.
struct Tally: Sendable {
    var resets: MaximalSet
    /// Under `counter`, the latest running total of each device.
    var totals: [DeviceID: TaggedWrite] = [:]
    /// Under `set`, what is known of each element.
    var elements: [FieldValue: Element] = [:]

    /// A tally to which only the record's deletes have been counted so far.
    init(resets: MaximalSet) {
        self.resets = resets
    }

    struct Element {
        /// The latest write of each device that added the element.
        var additions: [DeviceID: Addition] = [:]
        var removals = MaximalSet()
    }

    struct Addition {
        let write: TaggedWrite
        /// How the write spells the element: equal numbers can be written differently.
        let spelling: FieldValue
    }

    /// Counts a write to a field under the `counter` policy.
    mutating func count(_ write: TaggedWrite, field: FieldName, proximity: Int64) {
        if let value = write.value(of: field), CounterWrite(value) != nil {
            if !resets.covers(write, proximity: proximity) { totals.keepLatest(write) }
        } else {
            totals = totals.filter { !write.hasSeen($0.value, proximity: proximity) }
            resets.insert(write, proximity: proximity)
        }
    }

    /// The sum of the running totals and of the number that the winning reset set; a sum that does not fit stays at the limit.
    func sum(field: FieldName, rules: RegisterRules) -> FieldValue {
        let start = rules.verdict(among: resets.contenders)?.winner.value(of: field)
        let totals = totals.values.compactMap { $0.value(of: field).flatMap(CounterWrite.init)?.total }
        // A plain value that is no whole number has nothing to add to.
        if totals.isEmpty, let start, start != .null { return start }
        var sum: Int64 = 0
        var excess: Int64 = 0
        for term in totals + [start?.integer ?? 0] {
            let (partial, overflow) = sum.addingReportingOverflow(term)
            sum = partial
            if overflow { excess += term > 0 ? 1 : -1 }
        }
        return .number(JSONNumber(excess == 0 ? sum : excess > 0 ? .max : .min))
    }

    /// Whether a put is part of the sum: it counts, or it sets the number that is counted from.
    func counts(_ put: TaggedWrite, field: FieldName, rules: RegisterRules) -> Bool {
        put.value(of: field).flatMap(CounterWrite.init) != nil || rules.verdict(among: resets.contenders)?.winner.dot == put.dot
    }

    /// Whether only deletes are left of what arrived.
    var leavesNothing: Bool {
        totals.isEmpty && elements.values.allSatisfy(\.additions.isEmpty) && resets.contenders.allSatisfy(\.isDelete)
    }

    /// Takes a write to a field under the `set` policy into account.
    mutating func collect(_ write: TaggedWrite, field: FieldName, proximity: Int64) {
        let value = write.value(of: field) ?? .null
        let added: [FieldValue]
        if let change = SetWrite(value) {
            added = change.added
            for element in change.removed where !added.contains(element) {
                elements[element]?.forgetAdditions(seenBy: write, proximity: proximity)
                elements[element, default: Element()].removals.insert(write, proximity: proximity)
            }
        } else {
            added = value.array ?? (value == .null ? [] : [value])
            // What neither stands nor was removed says nothing: it goes, or every reset would look at all elements that ever were.
            for element in elements.keys {
                elements[element]?.forgetAdditions(seenBy: write, proximity: proximity)
                if elements[element]?.saysNothing == true { elements[element] = nil }
            }
        }
        let isReset = resets.covers(write, proximity: proximity)
        for element in added {
            var entry = elements[element, default: Element()]
            if !isReset, !entry.removals.covers(write, proximity: proximity) { entry.add(element, by: write) }
            elements[element] = entry.saysNothing ? nil : entry
        }
        if SetWrite(value) == nil { resets.insert(write, proximity: proximity) }
    }

    /// The elements of the set, in the order of ``FieldValue``.
    func members() -> FieldValue {
        .array(elements.values.compactMap(\.spelling).sorted())
    }
}

extension Tally.Element {
    /// How the element is written: of the spellings that were added and are still there, always the same one.
    fileprivate var spelling: FieldValue? {
        additions.values.lazy.map(\.spelling).reduce(nil) { chosen, other in
            chosen.map { FieldValue.firstSpelling($0, other) } ?? other
        }
    }

    /// Keeps an addition unless a later one of its device is there.
    fileprivate mutating func add(_ element: FieldValue, by write: TaggedWrite) {
        var spelling = element
        if let known = additions[write.dot.device] {
            if write.dot.sequence < known.write.dot.sequence { return }
            if write.dot == known.write.dot { spelling = FieldValue.firstSpelling(known.spelling, element) }
        }
        additions[write.dot.device] = Tally.Addition(write: write, spelling: spelling)
    }

    fileprivate var saysNothing: Bool { additions.isEmpty && removals.isEmpty }

    fileprivate mutating func forgetAdditions(seenBy write: TaggedWrite, proximity: Int64) {
        if additions.values.contains(where: { write.hasSeen($0.write, proximity: proximity) }) {
            additions = additions.filter { !write.hasSeen($0.value.write, proximity: proximity) }
        }
    }
}

extension [DeviceID: TaggedWrite] {
    /// Keeps a write unless a later one of its device is there.
    fileprivate mutating func keepLatest(_ write: TaggedWrite) {
        if let known = self[write.dot.device], write.dot.sequence < known.dot.sequence { return }
        self[write.dot.device] = write
    }
}

extension FieldValue {
    /// Of two equal values, the one whose JSON sorts first.
    fileprivate static func firstSpelling(_ one: FieldValue, _ other: FieldValue) -> FieldValue {
        if case .string = one { return one }
        var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
        JSONText.append(one, to: &mine)
        JSONText.append(other, to: &theirs)
        return theirs.lexicographicallyPrecedes(mine) ? other : one
    }
}
