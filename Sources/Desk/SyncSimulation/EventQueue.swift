import SyncBytes
import SyncModel

/// What is to happen later, earliest first; of what happens at one time, in the order in which it was planned.
///
/// - Complexity: O(log *n*) for adding and for taking out.
struct EventQueue<Event> {
    private struct Entry: Comparable {
        let time: Int64
        let number: Int
        let event: Event

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.number) < (right.time, right.number) }
    }

    private var entries = BinaryHeap<Entry>()
    private var planned = 0

    /// When the first event is due, nil where none is planned.
    var nextTime: Int64? { entries.first?.time }

    mutating func add(_ event: Event, at time: Int64) {
        planned += 1
        entries.insert(Entry(time: time, number: planned, event: event))
    }

    mutating func popFirst() -> (time: Int64, event: Event)? {
        entries.removeFirst().map { ($0.time, $0.event) }
    }
}
