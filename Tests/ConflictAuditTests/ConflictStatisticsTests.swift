import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Statistics of conflicts.
@Suite struct ConflictStatisticsTests {
    @Test func aConflictIsCountedOnceInEveryBreakdown() {
        var statistics = ConflictStatistics()
        statistics.recordWrites(3)
        statistics.recordWrites()
        statistics.record(conflict("a", over: "b", at: 5000, gap: 10))
        statistics.record(
            conflict(
                "c", over: "a", at: 2000, gap: 300_001, field: nil, kind: .disjointUpdate, severity: .merged, basis: .window,
                resolution: .merged, clockSuspect: true))
        statistics.record(conflict("a", over: "b", at: 9000, type: "task", severity: .benign, resolution: .manualPending, reason: .policy))
        #expect(statistics.totalConflicts == 3)
        #expect(statistics.autoResolvedConflicts == 2)
        #expect(statistics.unresolvedConflicts == 1)
        #expect(statistics.dataLost == 1)
        #expect(statistics.clockSuspect == 1)
        #expect(statistics.withinWindow == 2)
        #expect(statistics.outsideWindow == 1)
        #expect(statistics.writesObserved == 4)
        #expect(statistics.byKind == [.updateUpdate: 2, .disjointUpdate: 1])
        #expect(statistics.bySeverity == [.lossy: 1, .merged: 1, .benign: 1])
        #expect(statistics.byBasis == [.causal: 2, .window: 1])
        #expect(statistics.byReason == [.newer: 2, .policy: 1])
        #expect(statistics.byRecordType == ["note": 2, "task": 1])
        #expect(
            statistics.byField == [
                .init(type: "note", field: "x"): 1, .init(type: "note", field: nil): 1, .init(type: "task", field: "x"): 1,
            ])
        #expect(statistics.byWinningDevice == ["a": 2, "c": 1])
        #expect(statistics.byLosingDevice == ["b": 2, "a": 1])
        #expect(statistics.byDevicePair == [.init(winner: "a", loser: "b"): 2, .init(winner: "c", loser: "a"): 1])
        #expect(statistics.firstConflictDate == WallTime(millisecondsSince1970: 2000))
        #expect(statistics.lastConflictDate == WallTime(millisecondsSince1970: 9000))
        #expect(statistics.gaps.count == 3)
        #expect(statistics.gaps.maximum == .milliseconds(300_001))
    }

    @Test func everyCountOfConflictsIsInTheListOfCountersOnce() {
        let counts = Mirror(reflecting: ConflictStatistics()).children.filter { $0.value is Int }.compactMap(\.label)
        // An optional count is cast like one that is none, and writes are no conflicts.
        let others: Set = ["writesObserved", "writesWithContext", "reverts"]
        #expect(counts.filter { !others.contains($0) }.count == ConflictStatistics.counters.count)
        #expect(Set(ConflictStatistics.counters.map(\.value)).count == ConflictStatistics.counters.count)
        #expect(Set(ConflictStatistics.counters.map { "\($0.key)" }).count == ConflictStatistics.counters.count)
    }

    @Test func aConflictIsDatedByTheLaterOfItsWritesWhicheverWon() {
        #expect(conflict(at: 5000, gap: 10).milliseconds == 5000)
        #expect(conflict(at: 5000, gap: -10).milliseconds == 5010)
    }

    @Test(
        arguments: zip(Conflict.Severity.allCases, [false, false, true, true, true]))
    func onlyTheseConflictsLoseWhatAPersonEntered(severity: Conflict.Severity, isLoss: Bool) {
        var statistics = ConflictStatistics()
        statistics.record(conflict(severity: severity))
        #expect(statistics.dataLost == (isLoss ? 1 : 0))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func theTwoHalvesOfAnyListMergedInEitherOrderEqualTheWhole(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var whole = ConflictStatistics()
        var parts = [ConflictStatistics(), ConflictStatistics(), ConflictStatistics()]
        for _ in 0..<random.below(60) {
            let part = random.below(3)
            let next = Self.random(&random)
            whole.record(next)
            whole.recordWrites(2)
            parts[part].record(next)
            parts[part].recordWrites(2)
            whole.recordReverts(part)
            parts[part].recordReverts(part)
        }
        var leftToRight = parts[0]
        leftToRight.merge(parts[1])
        leftToRight.merge(parts[2])
        var rightToLeft = parts[2]
        rightToLeft.merge(parts[1])
        rightToLeft.merge(parts[0])
        #expect(leftToRight == whole, "seed \(seed)")
        #expect(rightToLeft == whole, "seed \(seed)")
        var unchanged = whole
        unchanged.merge(ConflictStatistics())
        #expect(unchanged == whole, "seed \(seed)")
    }

    private static func random(_ random: inout SplitMix64) -> Conflict {
        func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
        return conflict(
            pick(["a", "b", "c"]), over: pick(["a", "b", "c"]), at: Int64(random.below(10_000)), gap: Int64(random.below(600_000)),
            type: pick(["note", "task"]), field: pick(["x", "y", nil]), kind: pick(Conflict.Kind.allCases),
            severity: pick(Conflict.Severity.allCases), basis: pick(Conflict.Basis.allCases),
            resolution: pick(Conflict.Resolution.allCases), reason: pick(Conflict.Reason.allCases), clockSuspect: random.percent(50))
    }

    @Test func keysAreOrderedByTypeThenFieldAndPairsByWinner() {
        typealias Key = ConflictStatistics.FieldKey
        let keys = [Key(type: "a", field: nil), Key(type: "a", field: ""), Key(type: "a", field: "x"), Key(type: "b", field: nil)]
        #expect(keys.reversed().sorted() == keys)
        #expect(!(keys[0] < keys[0]))
        typealias Pair = ConflictStatistics.DevicePair
        let pairs = [Pair(winner: "a", loser: "b"), Pair(winner: "a", loser: "c"), Pair(winner: "b", loser: "a")]
        #expect(pairs.reversed().sorted() == pairs)
    }

    @Test func partsOfWritesAddUpAndTheUnknownStaysUnknown() {
        var (one, other) = (ConflictStatistics(), ConflictStatistics())
        one.recordWrites(3, withContext: 2)
        one.recordWrites(1, withContext: 1)
        other.recordWrites(2, withContext: 1)
        #expect(one.writesWithContext == 3 && other.writesWithContext == 1)
        for _ in 0..<2 {
            one.record(conflict(isStale: true))
            other.record(conflict(isStale: true))
        }
        one.merge(other)
        #expect(one.writesWithContext == 4 && one.writesObserved == 6 && one.staleOverwrites == 4)
        other.recordWrites(1)
        one.merge(other)
        #expect(one.writesWithContext == nil)
    }

    @Test func aMergeWithAnAncestorIsTwoWritesWithAContext() {
        func merge(_ ancestor: RecordedMerge.Version?) -> RecordedMerge {
            RecordedMerge(
                key: RecordKey(type: "note", id: "1"), at: WallTime(millisecondsSince1970: 1000), by: "phone", ancestor: ancestor,
                client: RecordedMerge.Version(fields: ["name": "Anna", "mail": "a@x"]),
                server: RecordedMerge.Version(fields: ["name": "Anne", "mail": "a@x"], device: "tablet"))
        }
        var auditor = TraceAuditor()
        #expect(auditor.observe(merge(RecordedMerge.Version(fields: ["name": "Ann", "mail": "a@x"]))).map(\.field) == ["name"])
        #expect(auditor.statistics.writesWithContext == 2 && auditor.statistics.writesObserved == 2)
        var without = TraceAuditor()
        #expect(without.observe(merge(nil)).map(\.field) == ["name"])
        #expect(without.statistics.writesWithContext == 0 && without.statistics.writesObserved == 2)
    }
}
