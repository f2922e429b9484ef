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
    /// By the number of the second part. Names that were not counted have no conflicts, or stand beyond the end.
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
        for pair in pairs { add(pair.count, at: names.number(ofName: pair.second, in: table, owner: pair.first)) }
    }

    /// Adds to the count of a name.
    mutating func add(_ count: Count, _ first: String, _ second: String) {
        let owner = owners.number(of: first)
        add(count, at: names.number(of: second, owner: owner))
    }

    /// Adds all counts of another.
    mutating func merge(_ other: NamedCounts) {
        for (index, count) in other.counts.enumerated() where count.conflicts > 0 { add(count, at: number(of: index, in: other)) }
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

    private mutating func number(of index: Int, in other: NamedCounts) -> Int {
        let owner = owners.number(ofName: other.names.owner(index), in: other.owners)
        return names.number(ofName: index, in: other.names, owner: owner)
    }
}

extension NamedCounts {
    /// A name with what two counts, proven and suspected, say of it.
    struct Row<Key: Comparable> {
        let key: Key
        var proven: Count
        var suspected: Count

        var conflicts: Int { proven.conflicts.addingCount(suspected.conflicts) }
    }

    /// The names with the most conflicts, by their number from the highest and then by name, and what all names are together.
    ///
    /// - Complexity: O(*n* + *n* log `limit`) in the names, as long as few have the same count.
    static func top<Key: Comparable>(
        _ limit: Int, proven: NamedCounts, suspected: NamedCounts, key: (String, String) -> Key
    ) -> (rows: [Row<Key>], count: Int, proven: Count, suspected: Count) {
        var all = proven
        var suspectedCounts = [Count](repeating: Count(), count: proven.counts.count)
        for (index, count) in suspected.counts.enumerated() where count.conflicts > 0 {
            let number = all.number(of: index, in: suspected)
            if number >= suspectedCounts.count {
                suspectedCounts.append(contentsOf: repeatElement(Count(), count: number + 1 - suspectedCounts.count))
            }
            suspectedCounts[number] = count
        }
        var rows: [Row<Key>] = []
        var (count, ofProven, ofSuspected) = (0, Count(), Count())
        func precedes(_ one: Row<Key>, _ other: Row<Key>) -> Bool {
            one.conflicts == other.conflicts ? one.key < other.key : one.conflicts > other.conflicts
        }
        for index in 0..<suspectedCounts.count {
            let counts = (index < proven.counts.count ? proven.counts[index] : Count(), suspectedCounts[index])
            let conflicts = counts.0.conflicts.addingCount(counts.1.conflicts)
            guard conflicts > 0 else { continue }
            count += 1
            ofProven.add(counts.0)
            ofSuspected.add(counts.1)
            if rows.count == limit, let last = rows.last, conflicts < last.conflicts { continue }
            let (owner, second) = all.names.name(index)
            let row = Row(key: key(all.owners.name(owner).text, second), proven: counts.0, suspected: counts.1)
            var (low, high) = (0, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if precedes(rows[middle], row) { low = middle + 1 } else { high = middle }
            }
            guard low < limit else { continue }
            rows.insert(row, at: low)
            if rows.count > limit { rows.removeLast() }
        }
        return (rows, count, ofProven, ofSuspected)
    }
}

extension NamedCounts: Hashable {
    private var content: [[String]: Count] { dictionary { [$0, $1] } }

    static func == (left: NamedCounts, right: NamedCounts) -> Bool { left.content == right.content }

    func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
