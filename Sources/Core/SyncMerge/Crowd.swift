import SyncBytes
import SyncModel

/// An index of the maximal writes of a register, for when there are so many that a look at each takes longer than asking here.
///
/// A matter of speed alone. A device has one maximal write at most, because of two of its writes one has seen the other.
///
/// - Complexity: O(log *m*) for each write that comes or goes, for *m* maximal writes.
struct Crowd: Sendable {
    /// From here on an index is worth its memory.
    static let least = 32

    /// The maximal writes, in no order.
    private(set) var writes: [TaggedWrite] = []
    private var offsets: [DeviceID: Int] = [:]
    /// By where their intervals end, and by where they are in the hub's order, once a write goes by that.
    private var ends: (ranking: Ranking<Int64>, intervals: IntervalRule)?
    private var positions: Ranking<UInt64>?
    private var parties: Parties?

    /// An index of some writes; nil where two of them are of one device.
    init?(_ writes: [TaggedWrite]) {
        for write in writes {
            guard offsets[write.dot.device] == nil else { return nil }
            insert(write)
        }
    }

    /// The maximal write of a device.
    func write(of device: DeviceID) -> TaggedWrite? { offsets[device].map { writes[$0] } }

    mutating func insert(_ write: TaggedWrite) {
        offsets[write.dot.device] = writes.count
        writes.append(write)
        if let intervals = ends?.intervals { ends?.ranking.insert(write, write.end(intervals)) }
        if let position = write.hubSequence { positions?.insert(write, position) }
        parties?.insert(write)
        if (ends?.ranking.count ?? 0) > 2 * writes.count + Self.least { ends = nil }
        if (positions?.count ?? 0) > 2 * writes.count + Self.least { positions = nil }
    }

    private mutating func remove(_ write: TaggedWrite) {
        guard let offset = offsets.removeValue(forKey: write.dot.device) else { return }
        let last = writes.removeLast()
        if offset < writes.count {
            writes[offset] = last
            offsets[last.dot.device] = offset
        }
        parties?.remove(write)
    }

    /// Removes and returns the writes that another had seen.
    ///
    /// - Complexity: O((*s* + *r*) log *m*) for *s* entries of its version vector, if it has one, and *r* writes taken out.
    mutating func removeSeen(by write: TaggedWrite, intervals: IntervalRule) -> [TaggedWrite] {
        var seen: [TaggedWrite] = []
        if let vector = write.seen {
            if vector.entries.count < writes.count {
                seen = vector.entries.compactMap { self.write(of: $0.device) }
            } else {
                seen = writes
            }
        } else if let cursor = write.cursor {
            seen = ranked(by: cursor)
        } else {
            seen = ranked(by: write.made, intervals)
        }
        if let own = self.write(of: write.dot.device), !seen.contains(where: { $0.hasSameDot(as: own) }) { seen.append(own) }
        seen.removeAll { !write.hasSeen($0, intervals: intervals) }
        for other in seen { remove(other) }
        return seen
    }

    /// The writes at a position in the hub's order that is no later.
    private mutating func ranked(by cursor: UInt64) -> [TaggedWrite] {
        var ranking = positions.take() ?? Ranking(writes) { $0.hubSequence }
        defer { positions = ranking }
        return ranking.first(where: { $0 <= cursor }, isThere)
    }

    /// The writes whose interval ended earlier.
    private mutating func ranked(by made: Int64, _ intervals: IntervalRule) -> [TaggedWrite] {
        var ranking = ends.take().flatMap { $0.intervals == intervals ? $0.ranking : nil } ?? Ranking(writes) { $0.end(intervals) }
        defer { ends = (ranking, intervals) }
        return ranking.first(where: { $0 < made }, isThere)
    }

    private func isThere(_ write: TaggedWrite) -> Bool { self.write(of: write.dot.device)?.hasSameDot(as: write) ?? false }

    /// The latest of the deletes but one.
    mutating func latestDelete(beside write: TaggedWrite) -> TaggedWrite? {
        var parties = parties.take() ?? Parties(writes)
        defer { self.parties = parties }
        return parties.latestDelete(beside: write, isThere)
    }

    /// The latest of the puts that name none of a put's fields.
    ///
    /// - Complexity: O(*g*) for *g* different lists of fields, and less where the latest puts name other fields, or all name one of these.
    mutating func latestPut(sharingNothingWith write: TaggedWrite) -> TaggedWrite? {
        var parties = parties.take() ?? Parties(writes)
        defer { self.parties = parties }
        return parties.latestPut(sharingNothingWith: write, writes, isThere)
    }
}

/// Writes by a measure, the least first.
///
/// Those that are there no longer are passed over.
private struct Ranking<Measure: Comparable & Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let measure: Measure
        let write: TaggedWrite

        static func == (one: Entry, other: Entry) -> Bool { one.measure == other.measure }
        static func < (one: Entry, other: Entry) -> Bool { one.measure < other.measure }
    }

    private var heap: BinaryHeap<Entry>

    /// - Parameter measure: Nil where a write has none and is left out.
    init(_ writes: [TaggedWrite], _ measure: (TaggedWrite) -> Measure?) {
        heap = BinaryHeap(writes.compactMap { write in measure(write).map { Entry(measure: $0, write: write) } })
    }

    var count: Int { heap.count }

    mutating func insert(_ write: TaggedWrite, _ measure: Measure) { heap.insert(Entry(measure: measure, write: write)) }

    /// The first writes, as long as their measure is right; they stay.
    mutating func first(where isRight: (Measure) -> Bool, _ isThere: (TaggedWrite) -> Bool) -> [TaggedWrite] {
        var found: [Entry] = []
        while let first = heap.first, isRight(first.measure) {
            _ = heap.removeFirst()
            if isThere(first.write) { found.append(first) }
        }
        for entry in found { heap.insert(entry) }
        return found.map(\.write)
    }

    /// The first write that is right; all stay.
    mutating func first(_ isThere: (TaggedWrite) -> Bool, where isRight: (TaggedWrite) -> Bool) -> TaggedWrite? {
        var passed: [Entry] = []
        defer { for entry in passed { heap.insert(entry) } }
        while let first = heap.first {
            if isThere(first.write) {
                if isRight(first.write) { return first.write }
                passed.append(first)
            }
            _ = heap.removeFirst()
        }
        return nil
    }
}

/// The maximal writes of a record by what they write: deletes, and puts by the fields that they name.
private struct Parties: Sendable {
    /// Writes that name the same.
    private struct Party: Sendable {
        private var count = 0
        private var latest: TaggedWrite?
        private var isLatestGone = false

        var isEmpty: Bool { count == 0 }

        mutating func insert(_ write: TaggedWrite) {
            count += 1
            guard latest?.precedes(write) ?? true else { return }
            latest = write
            isLatestGone = false
        }

        mutating func remove(_ write: TaggedWrite) {
            count -= 1
            if latest?.hasSameDot(as: write) == true { isLatestGone = true }
        }

        /// - Parameter members: The writes that are there, looked at where the latest is not known any more.
        mutating func latest(_ members: @autoclosure () -> TaggedWrite?) -> TaggedWrite? {
            if isLatestGone {
                latest = members()
                isLatestGone = false
            }
            return latest
        }
    }

    /// The later of two comes first.
    private struct Age: Comparable, Sendable {
        let write: TaggedWrite

        static func == (one: Age, other: Age) -> Bool { one.write.dot == other.write.dot }
        static func < (one: Age, other: Age) -> Bool { other.write.precedes(one.write) }
    }

    /// From here on the latest puts are looked at one by one before the parties are.
    private static let manyParties = 16

    private var latestDeletes: Ranking<Age>
    private var puts: [[FieldName]: Party] = [:]
    private var putCount = 0
    /// How many puts name a field.
    private var counts: [FieldName: Int] = [:]
    private var latestPuts: Ranking<Age>?

    init(_ writes: [TaggedWrite]) {
        latestDeletes = Ranking([]) { _ in nil }
        for write in writes { insert(write) }
    }

    mutating func insert(_ write: TaggedWrite) {
        guard let names = write.fieldNames else { return latestDeletes.insert(write, Age(write: write)) }
        puts[names, default: Party()].insert(write)
        putCount += 1
        for name in names { counts[name, default: 0] += 1 }
        latestPuts?.insert(write, Age(write: write))
        if (latestPuts?.count ?? 0) > 2 * putCount + Crowd.least { latestPuts = nil }
    }

    mutating func remove(_ write: TaggedWrite) {
        // A ranking passes over what is not there any more.
        guard let names = write.fieldNames else { return }
        puts[names]?.remove(write)
        if puts[names]?.isEmpty == true { puts[names] = nil }
        putCount -= 1
        for name in names {
            counts[name, default: 0] -= 1
            if counts[name] == 0 { counts[name] = nil }
        }
    }

    mutating func latestDelete(beside write: TaggedWrite, _ isThere: (TaggedWrite) -> Bool) -> TaggedWrite? {
        latestDeletes.first(isThere) { !$0.hasSameDot(as: write) }
    }

    mutating func latestPut(
        sharingNothingWith write: TaggedWrite, _ writes: [TaggedWrite], _ isThere: (TaggedWrite) -> Bool
    ) -> TaggedWrite? {
        guard let fields = write.fields, !fields.names.contains(where: { counts[$0] == putCount }) else { return nil }
        if puts.count > Self.manyParties || fields.isEmpty {
            var ranking = latestPuts.take() ?? Ranking(writes) { $0.isDelete ? nil : Age(write: $0) }
            defer { latestPuts = ranking }
            return ranking.first(isThere) { other in
                !other.hasSameDot(as: write) && other.fields.map { !fields.sharesField(with: $0) } ?? false
            }
        }
        var found: [TaggedWrite] = []
        for (names, party) in puts where !names.contains(where: { fields[$0] != nil }) {
            var party = party
            if let latest = party.latest(writes.lazy.filter { $0.fieldNames == names }.latest) { found.append(latest) }
            puts[names] = party
        }
        return found.latest
    }
}
