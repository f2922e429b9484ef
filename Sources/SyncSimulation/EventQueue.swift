import SyncModel

/// What is to happen later, earliest first; of what happens at one moment, in the order in which it was planned.
///
/// - Complexity: O(log *n*) for adding and for taking out.
struct EventQueue<Event> {
    private struct Entry: Comparable {
        let moment: Int64
        let number: Int
        let event: Event

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }

        static func < (left: Entry, right: Entry) -> Bool { (left.moment, left.number) < (right.moment, right.number) }
    }

    private var entries = BinaryHeap<Entry>()
    private var planned = 0

    /// When the first event is due, nil where none is planned.
    var nextMoment: Int64? { entries.first?.moment }

    mutating func add(_ event: Event, at moment: Int64) {
        planned += 1
        entries.insert(Entry(moment: moment, number: planned, event: event))
    }

    mutating func popFirst() -> (moment: Int64, event: Event)? {
        entries.removeFirst().map { ($0.moment, $0.event) }
    }
}
