/// What is to happen later, earliest first; of what happens at one moment, in the order in which it was planned.
///
/// - Complexity: O(log *n*) for adding and for taking out.
struct EventQueue<Event> {
    private struct Entry {
        let moment: Int64
        let number: Int
        let event: Event

        func isBefore(_ other: Entry) -> Bool {
            moment == other.moment ? number < other.number : moment < other.moment
        }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var planned = 0

    /// When the first event is due, nil where none is planned.
    var nextMoment: Int64? { entries.first?.moment }

    mutating func add(_ event: Event, at moment: Int64) {
        planned += 1
        entries.append(Entry(moment: moment, number: planned, event: event))
        var index = entries.count - 1
        while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func takeFirst() -> (moment: Int64, event: Event)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        if entries.isEmpty { return (first.moment, first.event) }
        entries[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < entries.count && entries[child].isBefore(entries[least]) {
                least = child
            }
            if least == index { return (first.moment, first.event) }
            entries.swapAt(index, least)
            index = least
        }
    }
}
