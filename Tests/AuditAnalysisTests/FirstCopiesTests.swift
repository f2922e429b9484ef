import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

@testable import AuditAnalysis

@Suite struct FirstCopiesTests {
    @Test(arguments: [10, 1000, 100_000]) func theTableIsASetUntilItIsFull(limit: Int) {
        var random = SplitMix64(seed: UInt64(limit))
        var (table, set) = (IDTable(limit: limit), Set<UInt64>())
        for _ in 0..<30_000 {
            let id = UInt64.random(in: 0..<40_000, using: &random) &* (Bool.random(using: &random) ? 1 : 1 << 40)
            let expected: IDTable.Outcome = set.contains(id) ? .known : set.count < limit ? .new : .unknown
            if expected == .new { set.insert(id) }
            #expect(table.insert(id) == expected)
        }
        #expect(table.count == set.count && table.isFull == (set.count == limit))
    }

    @Test func beyondTheLimitEveryLineCountsAndIsSaidTo() {
        var copies = FirstCopies(limit: 3)
        var summary = Summary()
        for round in 0..<2 {
            for number in 0..<5 {
                let conflict = conflict(RecordKey(type: "Note", id: RecordID("\(number)")))
                summary.observe(AuditEvent(at: Int64(round), .conflict(conflict)), source: "phone", once: &copies)
                let write = write(device: DeviceID("\(number)"))
                summary.observe(AuditEvent(at: Int64(round), .write(write)), source: "phone", once: &copies)
            }
        }
        summary.add(copies.tallies)
        #expect(summary.proven.total.conflicts == 3 + 2 * 2)
        #expect(summary.writes.count == 3 + 2 * 2)
        #expect(summary.unchecked == 4 && summary.copiesLeftOut == 3)
        #expect(summary.distinctConflicts == (5, true))
    }

    @Test func aWriteCountsOnceByItsDot() {
        var copies = FirstCopies()
        var summary = Summary()
        func observe(_ device: DeviceID, _ number: UInt64, seen: VersionVector?, from source: DeviceID) {
            let write = TaggedWrite(
                dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: 5),
                key: RecordKey(type: "Note", id: "1"),
                operation: .put(["title": "x"]), seen: seen)
            summary.observe(AuditEvent(at: 5, .write(write)), source: source, once: &copies)
        }
        for source: DeviceID in ["a", "b", "c"] {
            observe("a", 1, seen: VersionVector(), from: source)
            observe("a", 2, seen: nil, from: source)
            observe("b", 1, seen: VersionVector(), from: source)
        }
        summary.add(copies.tallies)
        #expect(summary.writes.count == 3 && summary.writes.countWithContext == 2)
        #expect(summary.writes.bySource.mapValues(\.observed) == ["a": 3, "b": 3, "c": 3])
        // Put together with another part that has one of them.
        var (more, others) = (Summary(), FirstCopies())
        swap(&summary, &more)
        swap(&copies, &others)
        observe("b", 1, seen: VersionVector(), from: "d")
        observe("d", 1, seen: nil, from: "d")
        summary.add(copies.tallies)
        more.merge(summary)
        #expect(more.writes.count == 4 && more.parts == 2)
        #expect(more.writes.countWithContext == 2)
    }
}
