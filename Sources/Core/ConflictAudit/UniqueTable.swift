import SyncBytes
import SyncModel

/// The values of unique fields in memory.
struct UniqueTable: UniqueIndex, Sendable {
    private struct Value: Hashable {
        let type: RecordType
        let name: FieldName
        let value: FieldValue

        init(_ value: FieldValue, _ field: RecordField) {
            (type, name, self.value) = (field.key.type, field.name, value)
        }
    }

    private struct Holding {
        let value: FieldValue
        let rank: WriteOrder
        var put: TaggedWrite
    }

    private var holdings: [RecordField: Holding] = [:]
    private var queues: [Value: HolderQueue] = [:]
    private var reported: Set<ConflictID> = []

    func value(of field: RecordField) -> FieldValue? { holdings[field]?.value }

    mutating func setValue(_ value: FieldValue?, of field: RecordField, by put: TaggedWrite?) {
        let old = holdings[field]
        if let old, old.value == value {
            if let put { holdings[field]?.put = put }
            return
        }
        holdings[field] = nil
        if let old, case let value = Value(old.value, field), queues[value]?.removeOne() == true { queues[value] = nil }
        guard let value, let put else { return }
        let rank = WriteOrder(put.timestamp, put.dot)
        holdings[field] = Holding(value: value, rank: rank, put: put)
        queues[Value(value, field), default: HolderQueue()].insert(HolderQueue.Entry(rank: rank, field: field)) { entry in
            holdings[entry.field].map { $0.rank == entry.rank && $0.value == value } ?? false
        }
    }

    mutating func holders(of value: FieldValue, in field: RecordField) -> [TaggedWrite] {
        let first = queues[Value(value, field)]?.first(2) { entry in
            holdings[entry.field].map { $0.rank == entry.rank && $0.value == value } ?? false
        }
        return first?.compactMap { holdings[$0.field]?.put } ?? []
    }

    mutating func insert(_ finding: ConstraintFinding) -> Bool { reported.insert(finding.id).inserted }
}

/// The records that show one value, the one of the lowest rank first.
///
/// Who no longer shows the value stays until it comes to the top, or until those that left are more than those that stay.
struct HolderQueue: Sendable {
    struct Entry: Hashable, Comparable, Sendable {
        let rank: WriteOrder
        let field: RecordField

        static func < (left: Entry, right: Entry) -> Bool { left.rank < right.rank }
    }

    private(set) var entries = BinaryHeap<Entry>()
    private var count = 0

    /// - Parameter isCurrent: Whether a record shows the value since that rank.
    mutating func insert(_ entry: Entry, isCurrent: (Entry) -> Bool) {
        count += 1
        if entries.count > 2 * count + 8 {
            entries = BinaryHeap(Set(entries.unordered.filter(isCurrent)).subtracting([entry]))
        }
        entries.insert(entry)
    }

    /// Counts a record that no longer shows the value.
    ///
    /// - Returns: Whether it was the last.
    mutating func removeOne() -> Bool {
        count -= 1
        return count == 0
    }

    /// - Complexity: O(*n* log *s*) for *n* records asked for and *s* that share the value, and once that for each that left.
    mutating func first(_ wanted: Int, isCurrent: (Entry) -> Bool) -> [Entry] {
        var first: [Entry] = []
        while first.count < wanted, let entry = entries.removeFirst() {
            if entry != first.last, isCurrent(entry) { first.append(entry) }
        }
        for entry in first { entries.insert(entry) }
        return first
    }
}
