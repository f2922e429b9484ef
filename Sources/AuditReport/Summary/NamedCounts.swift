import AuditLog
import ConflictAudit

/// Conflicts by names of two parts, compact enough for hundreds of thousands: a record by type and identity, a pair of devices by winner and loser.
///
/// - Complexity: counting is O(1) expected; merging O(*n*) in the names of the other.
struct NamedCounts: Sendable {
    typealias Count = ConflictTally.Count

    /// The first parts.
    private var owners = NameTable()
    /// The second parts, each with the number of the first for its owner.
    private var names = NameTable()
    /// By the number of the second part.
    ///
    /// Names that were not counted have no conflicts, or stand beyond the end.
    private var counts: [Count] = []

    /// Nothing counted.
    init() {}

    /// Counts by the numbers of names.
    init(owners: NameTable, names: NameTable, counts: [Count]) {
        self.owners = owners
        self.names = names
        self.counts = counts
    }

    /// Counts of pairs whose parts are names of one table.
    init(_ table: NameTable, _ pairs: [(first: Int, second: Int, count: Count)]) {
        owners = table
        names = NameTable(capacity: pairs.count)
        let numbers = names.numbers(of: pairs.map { ($0.second, $0.first) }, in: table)
        for (pair, number) in zip(pairs, numbers) { add(pair.count, at: number) }
    }

    /// Adds to the count of a name.
    mutating func add(_ count: Count, _ first: String, _ second: String) {
        let owner = owners.number(of: first)
        add(count, at: names.number(of: second, owner: owner))
    }

    /// Adds all counts of another.
    mutating func merge(_ other: NamedCounts) {
        if counts.isEmpty {
            self = other
            return
        }
        for (count, number) in adopt(other) { add(count, at: number) }
    }

    /// How many names were counted in this or another.
    func distinctCount(with other: NamedCounts) -> Int {
        var both = self
        both.merge(other)
        return both.counts.count { $0.conflicts > 0 }
    }

    /// All names and counts.
    ///
    /// - Complexity: O(*n*).
    func dictionary<Key: Hashable>(_ key: (String, String) -> Key) -> [Key: Count] {
        var dictionary: [Key: Count] = [:]
        for (index, count) in counts.enumerated() where count.conflicts > 0 {
            let (owner, second) = names.name(index)
            dictionary[key(owners.name(owner).text, second)] = count
        }
        return dictionary
    }

    private mutating func add(_ count: Count, at index: Int) {
        if index >= counts.count { counts.append(contentsOf: repeatElement(Count(), count: index + 1 - counts.count)) }
        counts[index].add(count)
    }

    /// Takes over the names that another has counted, and returns their counts and their numbers here.
    private mutating func adopt(_ other: NamedCounts) -> some Sequence<(Count, Int)> {
        let counted = other.counts.indices.filter { other.counts[$0].conflicts > 0 }
        let owners = owners.adopt(other.owners) { _ in 0 }
        let numbers = names.numbers(of: counted.map { ($0, owners[other.names.owner($0)]) }, in: other.names)
        return zip(counted.map { other.counts[$0] }, numbers)
    }
}

extension NamedCounts {
    /// A name with what two counts, proven and suspected, say of it.
    struct Row<Key: Comparable> {
        let key: Key
        let proven: Count
        let suspected: Count
        fileprivate let number: Int

        fileprivate var conflicts: Int { proven.conflicts.addingCount(suspected.conflicts) }

        fileprivate func precedes(_ other: Row) -> Bool {
            conflicts == other.conflicts ? key < other.key : conflicts > other.conflicts
        }
    }

    /// The names with the most conflicts, and what the rest of them add up to.
    struct Top<Key: Comparable> {
        /// By number of conflicts from the highest, and then by name.
        var rows: [Row<Key>] = []
        /// The names that are in no row.
        var others = 0
        var othersProven = Count()
        var othersSuspected = Count()
    }

    /// The names with the most conflicts, `limit` of them, or one more where that is all.
    ///
    /// - Complexity: O(*n* + *n* log `limit`) in the names, as long as few have the same count.
    static func top<Key: Comparable>(
        _ limit: Int, proven: NamedCounts, suspected: NamedCounts, key: (String, String) -> Key
    ) -> Top<Key> {
        let (all, counts) = paired(proven, suspected)
        var (top, found) = (Top<Key>(), 0)
        // Who has fewer conflicts is in no row.
        var least = 0
        for (index, count) in counts.enumerated() {
            let conflicts = count.proven.conflicts.addingCount(count.suspected.conflicts)
            guard conflicts > 0 else { continue }
            found += 1
            if conflicts < least { continue }
            let (owner, second) = all.names.name(index)
            let row = Row(
                key: key(all.owners.name(owner).text, second), proven: count.proven, suspected: count.suspected, number: index)
            top.rows.insert(row, at: top.rows.firstIndex { row.precedes($0) } ?? top.rows.count)
            if top.rows.count > limit + 1 { top.rows.removeLast() }
            if top.rows.count > limit, let last = top.rows.last { least = last.conflicts }
        }
        if found > limit + 1 { top.rows.removeLast() }
        var shown = top.rows.map(\.number).sorted()[...]
        for (index, count) in counts.enumerated() {
            if index == shown.first {
                shown.removeFirst()
                continue
            }
            top.othersProven.add(count.proven)
            top.othersSuspected.add(count.suspected)
        }
        top.others = found - top.rows.count
        return top
    }

    /// The names of both, with both counts by their numbers.
    private static func paired(
        _ proven: NamedCounts, _ suspected: NamedCounts
    ) -> (names: NamedCounts, counts: [(proven: Count, suspected: Count)]) {
        var all = proven
        var counts = proven.counts.map { (proven: $0, suspected: Count()) }
        for (count, number) in all.adopt(suspected) {
            while counts.count <= number { counts.append((Count(), Count())) }
            counts[number].suspected = count
        }
        return (all, counts)
    }
}

extension NamedCounts: Hashable {
    // By bytes: texts that only look the same are different names. No byte of UTF-8 is 0xff.
    private var content: [[UInt8]: Count] { dictionary { Array($0.utf8) + [0xff] + Array($1.utf8) } }

    static func == (left: NamedCounts, right: NamedCounts) -> Bool { left.content == right.content }

    func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
