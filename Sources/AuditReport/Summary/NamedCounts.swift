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

    /// Proven and suspected conflicts by pairs of devices, with the same numbers for the same pair.
    static func pairs(of devices: NameTable, proven: PairCounts, suspected: PairCounts) -> (proven: NamedCounts, suspected: NamedCounts) {
        var names = NameTable()
        func counts(_ pairs: PairCounts) -> [Count] {
            var all: [(name: Int, owner: Int)] = []
            pairs.forEach { winner, loser, _ in all.append((loser, winner)) }
            var numbers = names.numbers(of: all, in: devices)[...]
            var counts = [Count](repeating: Count(), count: names.count)
            pairs.forEach { _, _, count in counts[numbers.removeFirst()] = count.count }
            return counts
        }
        let counts = (proven: counts(proven), suspected: counts(suspected))
        func named(_ counts: [Count]) -> NamedCounts { NamedCounts(owners: devices, names: names, counts: counts) }
        return (named(counts.proven), named(counts.suspected))
    }

    /// Adds to the count of a name.
    mutating func add(_ count: Count, _ first: String, _ second: String) {
        let owner = owners.number(of: first)
        counts.add(count, at: names.number(of: second, owner: owner))
    }

    /// Adds all counts of another.
    mutating func merge(_ other: NamedCounts) {
        if counts.isEmpty {
            self = other
            return
        }
        for (count, number) in adopt(other) { counts.add(count, at: number) }
    }

    /// How many names were counted in this or another.
    func distinctCount(with other: NamedCounts) -> Int {
        let both = Both(self, other)
        return both.indices.count { both[$0].proven.conflicts > 0 || both[$0].suspected.conflicts > 0 }
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

    /// Whether the names of both have the same numbers, as far as is known.
    private func hasNames(of other: NamedCounts) -> Bool { names.isCopy(of: other.names) && owners.isCopy(of: other.owners) }

    /// Takes over the names that another has counted, and returns their counts and their numbers here.
    private mutating func adopt(_ other: NamedCounts) -> some Sequence<(Count, Int)> {
        let counted = other.counts.indices.filter { other.counts[$0].conflicts > 0 }
        if hasNames(of: other) { return zip(counted.map { other.counts[$0] }, counted) }
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
        let both = Both(proven, suspected)
        var (top, found) = (Top<Key>(), 0)
        // Who has fewer conflicts is in no row.
        var least = 0
        for index in both.indices {
            let count = both[index]
            let conflicts = count.proven.conflicts.addingCount(count.suspected.conflicts)
            guard conflicts > 0 else { continue }
            found += 1
            if conflicts < least { continue }
            let (first, second) = both.name(index)
            let row = Row(key: key(first, second), proven: count.proven, suspected: count.suspected, number: index)
            top.rows.insert(row, at: top.rows.firstIndex { row.precedes($0) } ?? top.rows.count)
            if top.rows.count > limit + 1 { top.rows.removeLast() }
            if top.rows.count > limit, let last = top.rows.last { least = last.conflicts }
        }
        if found > limit + 1 { top.rows.removeLast() }
        var shown = top.rows.map(\.number).sorted()[...]
        for index in both.indices {
            if index == shown.first {
                shown.removeFirst()
                continue
            }
            top.othersProven.add(both[index].proven)
            top.othersSuspected.add(both[index].suspected)
        }
        top.others = found - top.rows.count
        return top
    }

    /// The counts of two parts by the numbers of one, which then has the names of the other too.
    private struct Both {
        private var names: NamedCounts
        private var suspected: [Count] = []

        init(_ proven: NamedCounts, _ suspected: NamedCounts) {
            names = proven
            if proven.hasNames(of: suspected) {
                self.suspected = suspected.counts
            } else {
                for (count, number) in names.adopt(suspected) { self.suspected.add(count, at: number) }
            }
        }

        var indices: Range<Int> { 0..<max(names.counts.count, suspected.count) }

        subscript(index: Int) -> (proven: Count, suspected: Count) {
            (index < names.counts.count ? names.counts[index] : Count(), index < suspected.count ? suspected[index] : Count())
        }

        func name(_ index: Int) -> (String, String) {
            let (owner, second) = names.names.name(index)
            return (names.owners.name(owner).text, second)
        }
    }
}

extension NamedCounts: Hashable {
    // By bytes: texts that only look the same are different names. No byte of UTF-8 is 0xff.
    private var content: [[UInt8]: Count] { dictionary { Array($0.utf8) + [0xff] + Array($1.utf8) } }

    static func == (left: NamedCounts, right: NamedCounts) -> Bool { left.content == right.content }

    func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension [ConflictTally.Count] {
    /// Adds to the count at an index that may be new.
    fileprivate mutating func add(_ count: ConflictTally.Count, at index: Int) {
        if index >= self.count { append(contentsOf: repeatElement(ConflictTally.Count(), count: index + 1 - self.count)) }
        self[index].add(count)
    }
}
