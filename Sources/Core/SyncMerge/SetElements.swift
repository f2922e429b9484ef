import SyncBytes
package import SyncModel

/// What is known of each element of a set.
///
/// - Complexity: O(1) a look-up. While the order is kept, an element that comes or goes moves those behind it.
package struct SetElements: Sendable {
    package struct Element: Sendable {
        /// The latest write of each device that added the element.
        package private(set) var additions: [DeviceID: Addition] = [:]
        package var removals = MaximalSet()
        /// How the element is written, and how many of the additions spell it so.
        ///
        /// Of the spellings that were added and are still there, it is always the same one.
        fileprivate var shown: (spelling: FieldValue, count: Int)?

        var saysNothing: Bool { additions.isEmpty && removals.isEmpty }

        /// Nothing is known.
        package init() {}
    }

    package struct Addition: Sendable {
        package let write: TaggedWrite
        /// How the write spells the element: equal numbers can be written differently.
        package let spelling: FieldValue

        package init(write: TaggedWrite, spelling: FieldValue) { (self.write, self.spelling) = (write, spelling) }
    }

    private var byValue: [FieldValue: Element] = [:]
    /// The elements in order, where that is asked for after every write; nil where it is not.
    private var order: [FieldValue]?
    /// Those of them that are there, as they are written.
    private var members: [FieldValue]?

    /// No elements.
    package init() {}

    /// What is known of the elements, in no order.
    package var values: some Collection<Element> { byValue.values }

    /// What is known of an element; nil where that is nothing.
    subscript(value: FieldValue) -> Element? { byValue[value] }

    /// The elements in the order of ``FieldValue``.
    ///
    /// - Complexity: O(*n*) while the order is kept, else O(*n* log *n*).
    package var inOrder: [(key: FieldValue, value: Element)] {
        (order ?? byValue.keys.sorted()).compactMap { value in byValue[value].map { (value, $0) } }
    }

    /// The elements that are there as they are written, in the order of ``FieldValue``.
    ///
    /// - Complexity: O(1) while the order is kept, else O(*n* log *n*).
    var spellings: [FieldValue] { members ?? inOrder.compactMap(\.value.shown?.spelling) }

    /// Keeps the elements in order from now on.
    mutating func keepOrder() {
        if order == nil { order = byValue.keys.sorted() }
        if members == nil { members = spellings }
    }

    /// Changes what is known of an element; one of which nothing is known is dropped.
    package mutating func update(_ value: FieldValue, _ body: (inout Element) -> Void) {
        let (count, old) = (byValue.count, members == nil ? nil : byValue[value]?.shown?.spelling)
        body(&byValue[value, default: Element()])
        let isNew = byValue.count > count
        if members != nil { updateMember(value, from: old, to: byValue[value]?.shown?.spelling) }
        if byValue[value]?.saysNothing == true {
            byValue[value] = nil
            if !isNew { removeFromOrder(value) }
        } else if isNew {
            insertIntoOrder(value)
        }
    }

    private mutating func updateMember(_ value: FieldValue, from old: FieldValue?, to new: FieldValue?) {
        guard let index = members.map({ position(of: value, in: $0) }) else { return }
        switch (old, new) {
        case (nil, let new?): members?.insert(new, at: index)
        case (.some, let new?): members?[index] = new
        case (.some, nil): members?.remove(at: index)
        case (nil, nil): break
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
        members = nil
        guard byValue.count < count else { return }
        let byValue = byValue
        order?.removeAll { byValue[$0] == nil }
    }

    /// Says that many elements are about to change: the order is made anew when it is next asked for.
    mutating func dropOrder() { (order, members) = (nil, nil) }

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
    /// Keeps an addition unless a later one of its device is there.
    mutating func add(_ element: FieldValue, by write: TaggedWrite) {
        var spelling = element
        if let known = additions[write.dot.device] {
            if write.dot.sequence < known.write.dot.sequence { return }
            if write.dot == known.write.dot, element.isSpelledBefore(known.spelling) != true { spelling = known.spelling }
            remove(known)
        }
        insert(SetElements.Addition(write: write, spelling: spelling))
    }

    /// Puts an addition where its device has none.
    package mutating func insert(_ addition: SetElements.Addition) {
        additions[addition.write.dot.device] = addition
        guard let known = shown else { return shown = (addition.spelling, 1) }
        switch addition.spelling.isSpelledBefore(known.spelling) {
        case true?: shown = (addition.spelling, 1)
        case false?: break
        case nil: shown?.count += 1
        }
    }

    /// Removes an addition that is there.
    mutating func remove(_ addition: SetElements.Addition) {
        additions[addition.write.dot.device] = nil
        guard let known = shown, addition.spelling.isSpelledBefore(known.spelling) == nil else { return }
        if known.count > 1 { return shown = (known.spelling, known.count - 1) }
        shown = nil
        for addition in additions.values { insert(addition) }
    }

    func hasAddition(seenBy write: TaggedWrite, intervals: IntervalRule) -> Bool {
        additions.values.contains { write.hasSeen($0.write, intervals: intervals) }
    }

    mutating func forgetAdditions(seenBy write: TaggedWrite, intervals: IntervalRule) {
        var known = Array(additions.values)
        // Of few that it had seen, each is looked for.
        if let vector = write.seen, vector.entries.count < additions.count {
            known = (vector.entries.map(\.device).filter { $0 != write.dot.device } + [write.dot.device]).compactMap { additions[$0] }
        }
        for addition in known where write.hasSeen(addition.write, intervals: intervals) { remove(addition) }
    }

    /// Forgets what a write has added, where that is the latest of its device.
    mutating func forgetAddition(by write: TaggedWrite) {
        if let known = additions[write.dot.device], known.write.hasSameDot(as: write) { remove(known) }
    }
}

extension FieldValue {
    /// Whether the JSON of this one of two equal values sorts before the other's; nil where it is the same.
    fileprivate func isSpelledBefore(_ other: FieldValue) -> Bool? {
        if case .string = self { return nil }
        var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
        JSONText.append(self, to: &mine)
        JSONText.append(other, to: &theirs)
        return mine == theirs ? nil : mine.lexicographicallyPrecedes(theirs)
    }
}
