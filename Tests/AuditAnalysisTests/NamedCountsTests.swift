import ConflictAudit
import SyncOracle
import Testing

@testable import AuditAnalysis
@testable import AuditLog

/// Counts by names are those of a dictionary.
@Suite struct NamedCountsTests {
    private struct Name: Hashable, Comparable {
        let first: String?
        let second: String

        /// What decides about the order, as bytes: the first part, or the only one; then one part before two; then the second part.
        private var parts: ([UInt8], Int, [UInt8]) { (Array((first ?? second).utf8), first == nil ? 0 : 1, Array(second.utf8)) }

        static func < (left: Name, right: Name) -> Bool {
            let (mine, theirs) = (left.parts, right.parts)
            if mine.0 != theirs.0 { return mine.0.lexicographicallyPrecedes(theirs.0) }
            return mine.1 == theirs.1 ? mine.2.lexicographicallyPrecedes(theirs.2) : mine.1 < theirs.1
        }
    }

    private struct Twin {
        var counts = NamedCounts()
        var known: [Name: ConflictTally.Count] = [:]

        mutating func add(_ number: Int, _ random: inout SplitMix64) {
            for _ in 0..<number {
                let name = Name(first: random.below(4) == 0 ? nil : Twin.text(&random), second: Twin.text(&random))
                let count = ConflictTally.Count(conflicts: 1 + random.below(3), losses: random.below(2))
                counts.add(count, name.first, name.second)
                known[name, default: .init()].add(count)
            }
        }

        /// Up to 40 bytes that begin and end alike, some with a NUL or beyond ASCII.
        private static func text(_ random: inout SplitMix64) -> String {
            let text = String(repeating: "a", count: random.below(3) * random.below(15)) + ["", "b", "\0", "\u{e9}"][random.below(4)]
            return text + String(repeating: "z", count: random.below(2) * random.below(12))
        }

        func sums(_ key: (Name) -> String) -> [Name: ConflictTally.Count] {
            known.reduce(into: [:]) { $0[Name(first: nil, second: key($1.key)), default: .init()].add($1.value) }
        }
    }

    private static func content(_ counts: NamedCounts) -> [Name: ConflictTally.Count] {
        counts.dictionary { Name(first: $0.first, second: $0.second) }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func countsAreThoseOfADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (one, other) = (Twin(), Twin())
        one.add(400, &random)
        other.add(300, &random)
        #expect(Self.content(one.counts) == one.known)
        #expect(Self.content(one.counts.byFirst) == one.sums { $0.first ?? $0.second })
        #expect(Self.content(one.counts.bySecond) == one.sums(\.second))
        #expect(one.counts.sorted.map { Name(first: $0.name.first, second: $0.name.second) } == one.known.keys.sorted())
        #expect(one.counts.sorted.map(\.count) == one.known.sorted { $0.key < $1.key }.map(\.value))
        #expect(one.counts.sorted(with: other.counts).map(\.other) == one.known.keys.sorted().map { other.known[$0] ?? .init() })

        let both = one.known.merging(other.known) { one, other in
            var sum = one
            sum.add(other)
            return sum
        }
        for (measure, limit) in [(\ConflictTally.Count.conflicts, 5), (\.losses, 7), (\.conflicts, 10_000)] {
            let top = NamedCounts.top(limit, by: { $0[keyPath: measure] }, proven: one.counts, suspected: other.counts)
            let sorted = both.filter { $0.value[keyPath: measure] > 0 }.sorted {
                let (mine, theirs) = ($0.value[keyPath: measure], $1.value[keyPath: measure])
                return mine == theirs ? $0.key < $1.key : mine > theirs
            }
            let rows = sorted.prefix(limit)
            #expect(top.rows.map { Name(first: $0.name.first, second: $0.name.second) } == rows.map(\.key))
            #expect(top.rows.map(\.proven) == rows.map { one.known[$0.key] ?? .init() })
            #expect(top.others == sorted.count - rows.count)
            var rest = ConflictTally.Count()
            for row in sorted.dropFirst(rows.count) { rest.add(other.known[row.key] ?? .init()) }
            #expect(top.othersSuspected == rest)
        }
        #expect(one.counts.distinctCount(with: other.counts) == both.count)
        var sum = one.counts
        sum.merge(other.counts)
        #expect(Self.content(sum) == both)
    }
}
