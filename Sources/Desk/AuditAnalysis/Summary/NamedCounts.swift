import AuditLog
import ConflictAudit
import SyncBytes

/// Conflicts by names of one or two parts, compact enough for millions: a record by type and identity, a pair of devices by winner and
/// loser, a device.
///
/// - Complexity: counting is O(1) expected; merging O(*n*) in the names of the other. A name takes what `NameTable` says and 16 bytes for
///   its count.
package struct NamedCounts: Sendable {
    package typealias Count = ConflictTally.Count

    /// A name; one of one part has no first.
    package typealias Name = (first: String?, second: String)

    /// The first parts.
    private var owners = NameTable()
    /// The second parts; the owner is the number of the first part plus 1, and 0 where there is none.
    private var names = NameTable()
    /// By the number of the second part.
    ///
    /// Names that were not counted have no conflicts, or are beyond the end.
    private var counts: [Count] = []

    /// Nothing counted.
    package init() {}

    /// Counts by the numbers of names.
    init(owners: NameTable = NameTable(), names: NameTable, counts: [Count]) {
        self.owners = owners
        self.names = names
        self.counts = counts
    }

    /// Proven and suspected conflicts by pairs of devices, with the same numbers for the same pair.
    static func pairs(of devices: NameTable, proven: PairCounts, suspected: PairCounts) -> (proven: NamedCounts, suspected: NamedCounts) {
        var names = NameTable()
        func counts(_ pairs: PairCounts) -> [Count] {
            var all: [(name: Int, owner: Int)] = []
            pairs.forEach { winner, loser, _ in all.append((loser, winner + 1)) }
            let numbers = names.numbers(of: all, in: devices)
            var counts: [Count] = []
            counts.reserveCapacity(numbers.isEmpty ? 0 : names.count)
            var index = 0
            pairs.forEach { _, _, count in
                counts.add(count.count, at: numbers[index])
                index += 1
            }
            return counts
        }
        let counts = (proven: counts(proven), suspected: counts(suspected))
        func named(_ counts: [Count]) -> NamedCounts { NamedCounts(owners: devices, names: names, counts: counts) }
        return (named(counts.proven), named(counts.suspected))
    }

    /// Adds to the count of a name.
    package mutating func add(_ count: Count, _ first: String?, _ second: String) {
        let owner = first.map { owners.number(of: $0) + 1 } ?? 0
        counts.add(count, at: names.number(of: second, owner: owner))
    }

    /// Adds all counts of another.
    package mutating func merge(_ other: NamedCounts) {
        if counts.isEmpty {
            self = other
        } else {
            for (number, here) in adopt(other) { counts.add(other.counts[number], at: here) }
        }
    }

    /// How many names there is memory for: those counted, and maybe others.
    ///
    /// - Complexity: O(1).
    package var nameCount: Int { counts.count }

    /// Forgets the names with the lowest counts of both, so that no more than half of the limit remain, where there are more than the
    /// limit.
    ///
    /// - Returns: The highest count of a name that was forgotten.
    package static func evict(_ proven: inout NamedCounts, _ suspected: inout NamedCounts, limit: Int) -> Int {
        let both = Both(proven, suspected)
        let totals = both.indices.map { both[$0].proven.conflicts.addingCount(both[$0].suspected.conflicts) }
        guard totals.count(where: { $0 > 0 }) > limit else { return 0 }
        let price = RecordEviction.price(totals, room: limit / 2)
        let kept = both.indices.filter { totals[$0] > price }
        var names = NameTable()
        _ = names.numbers(of: kept.map { ($0, both.names.names.owner($0)) }, in: both.names.names)
        let owners = both.names.owners
        func counts(_ count: (Int) -> Count) -> NamedCounts { NamedCounts(owners: owners, names: names, counts: kept.map(count)) }
        (proven, suspected) = (counts { both[$0].proven }, counts { both[$0].suspected })
        return price
    }

    /// How many names were counted.
    package var count: Int { counts.count { $0.conflicts > 0 } }

    /// All counts together.
    package var total: Count {
        counts.reduce(into: Count()) { $0.add($1) }
    }

    /// How many names were counted in this or another.
    package func distinctCount(with other: NamedCounts) -> Int {
        var all = self
        all.merge(other)
        return all.count
    }

    /// The counts by the first part; a name of one part counts as its own.
    ///
    /// - Complexity: O(*n*).
    package var byFirst: NamedCounts {
        let whole = counted.filter { names.owner($0) == 0 }
        return by(whole, all: counted) { names.owner($0) }
    }

    /// The counts by the second part.
    ///
    /// - Complexity: O(*n*).
    var bySecond: NamedCounts { by(counted, all: counted) { _ in 0 } }

    /// - Parameters:
    ///   - seconds: The numbers of the names that count for their second part.
    ///   - all: Those of all names, the others counting for their owner.
    private func by(_ seconds: [Int], all: [Int], _ owner: (Int) -> Int) -> NamedCounts {
        var sums = NamedCounts(names: owners, counts: [])
        var numbers = sums.names.numbers(of: seconds.map { ($0, 0) }, in: names)[...]
        for index in all {
            let owner = owner(index)
            guard let number = owner > 0 ? owner - 1 : numbers.popFirst() else { continue }
            sums.counts.add(counts[index], at: number)
        }
        return sums
    }

    /// All names and counts.
    ///
    /// - Complexity: O(*n*).
    func dictionary<Key: Hashable>(_ key: (Name) -> Key) -> [Key: Count] {
        counted.reduce(into: [:]) { $0[key(name($1))] = counts[$1] }
    }

    /// All names and counts, in the order of the bytes of the names.
    ///
    /// - Complexity: O(*n* log *n*) comparisons; the names are made as they come.
    package var sorted: some Sequence<(name: Name, count: Count)> {
        inOrder.lazy.map { (name: name($0), count: counts[$0]) }
    }

    /// All names and counts in the same order, each with the count that another has for the name.
    package func sorted(with other: NamedCounts) -> some Sequence<(name: Name, count: Count, other: Count)> {
        let both = Both(self, other)
        return inOrder.lazy.map { (name: name($0), count: counts[$0], other: both[$0].suspected) }
    }

    /// The numbers of the names counted, in the order that ``precedes(_:_:)`` says.
    private var inOrder: [Int] {
        let counted = counted
        let whole = names.sorted(counted.filter { names.owner($0) == 0 })
        let parts = names.sorted(counted.filter { names.owner($0) > 0 })
        if parts.isEmpty { return whole }
        var ranks = [Int](repeating: 0, count: owners.count)
        for (rank, owner) in owners.sorted(Array(0..<owners.count)).enumerated() { ranks[owner] = rank }
        let ranked = parts.indices.map { (rank: ranks[names.owner(parts[$0]) - 1], index: $0) }
        var sorted: [Int] = []
        sorted.reserveCapacity(counted.count)
        var rest = whole[...]
        for (_, index) in ranked.ordered(by: { $0 < $1 }) {
            while let name = rest.first, precedes(name, parts[index]) { sorted.append(rest.removeFirst()) }
            sorted.append(parts[index])
        }
        return sorted + rest
    }

    private var counted: [Int] { counts.indices.filter { counts[$0].conflicts > 0 } }

    private func name(_ number: Int) -> Name {
        let (owner, second) = names.name(number)
        return (owner > 0 ? owners.name(owner - 1).text : nil, second)
    }

    /// Whether a name comes before another: by its first part, which for a name of one part is that, then by the number of parts, then by
    /// the second.
    private func precedes(_ number: Int, _ other: Int) -> Bool {
        let (mine, theirs) = (names.owner(number), names.owner(other))
        if mine == theirs { return names.precedes(number, names, other) }
        if mine > 0 { return theirs > 0 ? owners.precedes(mine - 1, owners, theirs - 1) : owners.precedes(mine - 1, names, other) }
        return !owners.precedes(theirs - 1, names, number)
    }

    /// Whether the names of both have the same numbers, as far as is known.
    private func hasNames(of other: NamedCounts) -> Bool { names.isCopy(of: other.names) && owners.isCopy(of: other.owners) }

    /// Takes over the names that another has counted, and returns their numbers there and here.
    private mutating func adopt(_ other: NamedCounts) -> some Sequence<(Int, Int)> {
        let counted = other.counted
        if hasNames(of: other) { return zip(counted, counted) }
        let owners = owners.adopt(other.owners) { _ in 0 }
        let wanted = counted.map { number in
            let owner = other.names.owner(number)
            return (name: number, owner: owner > 0 ? owners[owner - 1] + 1 : 0)
        }
        return zip(counted, names.numbers(of: wanted, in: other.names))
    }
}

extension NamedCounts {
    /// A name with what two counts, proven and suspected, say of it.
    package struct Row {
        package let name: Name
        package let proven: Count
        package let suspected: Count
    }

    /// The names with the highest counts, and what the rest of them add up to.
    package struct Top {
        /// By count from the highest, and then by name.
        package var rows: [Row] = []
        /// The names that are in no row.
        package var others = 0
        package var othersProven = Count()
        package var othersSuspected = Count()
    }

    /// The names with the highest counts, `limit` of them, or one more where that is all.
    ///
    /// - Complexity: O(*n* log `limit`) comparisons in the names.
    package static func top(_ limit: Int, by measure: (Count) -> Int, proven: NamedCounts, suspected: NamedCounts) -> Top {
        let both = Both(proven, suspected)
        func amount(_ index: Int) -> Int {
            let count = both[index]
            return measure(count.proven).addingCount(measure(count.suspected))
        }
        var top: [(index: Int, amount: Int)] = []
        var found = 0
        for index in both.indices {
            let amount = amount(index)
            guard amount > 0 else { continue }
            found += 1
            func precedes(_ other: (index: Int, amount: Int)) -> Bool {
                amount == other.amount ? both.names.precedes(index, other.index) : amount > other.amount
            }
            if top.count > limit, let last = top.last, !precedes(last) { continue }
            top.insert((index, amount), at: top.partitioningIndex(where: precedes))
            if top.count > limit + 1 { top.removeLast() }
        }
        if found > limit + 1 { top.removeLast() }
        var result = Top()
        result.rows = top.map { Row(name: both.names.name($0.index), proven: both[$0.index].proven, suspected: both[$0.index].suspected) }
        result.others = found - top.count
        guard result.others > 0 else { return result }
        let shown = Set(top.map(\.index))
        for index in both.indices where amount(index) > 0 && !shown.contains(index) {
            result.othersProven.add(both[index].proven)
            result.othersSuspected.add(both[index].suspected)
        }
        return result
    }

    /// The counts of two by the numbers of one, which then has the names of the other too.
    private struct Both {
        private(set) var names: NamedCounts
        private var suspected: [Count] = []

        init(_ proven: NamedCounts, _ suspected: NamedCounts) {
            names = proven
            if proven.hasNames(of: suspected) {
                self.suspected = suspected.counts
            } else {
                for (number, here) in names.adopt(suspected) { self.suspected.add(suspected.counts[number], at: here) }
            }
        }

        var indices: Range<Int> { 0..<max(names.counts.count, suspected.count) }

        subscript(index: Int) -> (proven: Count, suspected: Count) {
            (index < names.counts.count ? names.counts[index] : Count(), index < suspected.count ? suspected[index] : Count())
        }
    }
}

extension NamedCounts: Hashable {
    // By bytes: texts that only look the same are different names. No byte of UTF-8 is 0xff.
    private var content: [[UInt8]: Count] {
        dictionary { name in (name.first.map { Array($0.utf8) + [0xff] } ?? []) + Array(name.second.utf8) }
    }

    package static func == (left: NamedCounts, right: NamedCounts) -> Bool { left.content == right.content }

    package func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension [ConflictTally.Count] {
    /// Adds to the count at an index that may be new.
    mutating func add(_ count: ConflictTally.Count, at index: Int) {
        if index >= self.count { append(contentsOf: repeatElement(ConflictTally.Count(), count: index + 1 - self.count)) }
        self[index].add(count)
    }
}
