/// Elements of which the least is at hand.
///
/// A value type; its owner guards it.
@usableFromInline package struct BinaryHeap<Element: Comparable> {
    /// Every element's children, at twice its index and one and two more, are not less.
    @usableFromInline var elements: [Element] = []

    @inlinable package init() {}

    /// - Complexity: O(*n* log *n*).
    @inlinable package init(_ elements: some Sequence<Element>) {
        // What is in order is a heap.
        self.elements = elements.sorted()
    }

    @inlinable package var isEmpty: Bool { elements.isEmpty }

    @inlinable package var count: Int { elements.count }

    /// The least.
    @inlinable package var first: Element? { elements.first }

    /// The elements in no order.
    @inlinable package var unordered: [Element] { elements }

    /// - Complexity: O(log *n*).
    @inlinable package mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the least element.
    ///
    /// - Complexity: O(log *n*).
    @inlinable package mutating func removeFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        if elements.isEmpty { return first }
        elements[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count && elements[child] < elements[least] {
                least = child
            }
            if least == parent { return first }
            elements.swapAt(parent, least)
            parent = least
        }
    }
}

extension BinaryHeap: Sendable where Element: Sendable {}
