import SyncModel

/// What is known of each element of a set.
///
/// - Complexity: O(1) a look-up. While the order is kept, an element that comes or goes moves those behind it.
struct SetElements: Sendable {
    struct Element: Sendable {
        /// The latest write of each device that added the element.
        var additions: [DeviceID: Addition] = [:]
        var removals = MaximalSet()

        var saysNothing: Bool { additions.isEmpty && removals.isEmpty }
    }

    struct Addition: Sendable {
        let write: TaggedWrite
        /// How the write spells the element: equal numbers can be written differently.
        let spelling: FieldValue
    }

    private var byValue: [FieldValue: Element] = [:]
    /// The elements in order, where that is asked for after every write; nil where it is not.
    private var order: [FieldValue]?

    /// What is known of the elements, in no order.
    var values: some Collection<Element> { byValue.values }

    /// The elements in the order of ``FieldValue``.
    ///
    /// - Complexity: O(*n*) while the order is kept, else O(*n* log *n*).
    var inOrder: [(key: FieldValue, value: Element)] {
        (order ?? byValue.keys.sorted()).compactMap { value in byValue[value].map { (value, $0) } }
    }

    /// Keeps the elements in order from now on.
    mutating func keepOrder() {
        if order == nil { order = byValue.keys.sorted() }
    }

    /// Changes what is known of an element; one of which nothing is known is dropped.
    mutating func update(_ value: FieldValue, _ body: (inout Element) -> Void) {
        let count = byValue.count
        body(&byValue[value, default: Element()])
        let isNew = byValue.count > count
        if byValue[value]?.saysNothing == true {
            byValue[value] = nil
            if !isNew { removeFromOrder(value) }
        } else if isNew {
            insertIntoOrder(value)
        }
    }

    /// Changes what is known of every element that is wanted.
    mutating func updateAll(where isWanted: (Element) -> Bool, _ body: (inout Element) -> Void) {
        let wanted = byValue.filter { isWanted($0.value) }.keys
        if wanted.isEmpty { return }
        let count = byValue.count
        for value in wanted {
            body(&byValue[value, default: Element()])
            if byValue[value]?.saysNothing == true { byValue[value] = nil }
        }
        guard byValue.count < count else { return }
        let byValue = byValue
        order?.removeAll { byValue[$0] == nil }
    }

    /// Says that many elements are about to change: the order is made anew when it is next asked for.
    mutating func dropOrder() { order = nil }

    private func position(of value: FieldValue, in order: [FieldValue]) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insertIntoOrder(_ value: FieldValue) {
        guard let index = order.map({ position(of: value, in: $0) }) else { return }
        order?.insert(value, at: index)
    }

    private mutating func removeFromOrder(_ value: FieldValue) {
        guard let index = order.map({ position(of: value, in: $0) }) else { return }
        order?.remove(at: index)
    }
}

extension SetElements.Element {
    /// How the element is written: of the spellings that were added and are still there, always the same one.
    var spelling: FieldValue? {
        additions.values.lazy.map(\.spelling).reduce(nil) { chosen, other in
            chosen.map { FieldValue.firstSpelling($0, other) } ?? other
        }
    }

    /// Keeps an addition unless a later one of its device is there.
    mutating func add(_ element: FieldValue, by write: TaggedWrite) {
        var spelling = element
        if let known = additions[write.dot.device] {
            if write.dot.sequence < known.write.dot.sequence { return }
            if write.dot == known.write.dot { spelling = FieldValue.firstSpelling(known.spelling, element) }
        }
        additions[write.dot.device] = SetElements.Addition(write: write, spelling: spelling)
    }

    func hasAddition(seenBy write: TaggedWrite, intervals: IntervalRule) -> Bool {
        additions.values.contains { write.hasSeen($0.write, intervals: intervals) }
    }

    mutating func forgetAdditions(seenBy write: TaggedWrite, intervals: IntervalRule) {
        if hasAddition(seenBy: write, intervals: intervals) {
            additions = additions.filter { !write.hasSeen($0.value.write, intervals: intervals) }
        }
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
