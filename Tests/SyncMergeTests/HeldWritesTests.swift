import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The writes that a state holds stand for all that were merged.
@Suite struct HeldWritesTests {
    private struct Decision: Hashable {
        let field: FieldName?
        let winner: Dot
        let loser: Dot
        let didArrivingWin: Bool
        let contention: MergeDecision.Contention

        init(_ decision: MergeDecision) {
            (field, winner, loser) = (decision.field, decision.winner.dot, decision.loser.dot)
            (didArrivingWin, contention) = (decision.didArrivingWin, decision.contention)
        }
    }

    private static let scopes: [MergeRules.Scope] =
        RecordStateCodingTests.policies.map { .fields($0) } + [.record(.lastWriterWins), .record(.maximum)]

    private static let values: [FieldValue] = [
        1, 2, "s", .null, ["a", 1], CounterWrite(total: 3).value, SetWrite(added: ["a", "b"]).value, SetWrite(removed: ["a"]).value,
    ]

    /// Merges what comes after a point both into the whole state and into what was made of its writes.
    private func check(_ rules: MergeRules, _ writes: (RecordState) -> [TaggedWrite]?) -> Int {
        var compared = 0
        var differences: [String] = []
        for seed in 1...UInt64(histories(2, of: 12)) {
            let history = RandomHistory(seed: seed, mode: .causal) { _, random in Self.values[random.below(Self.values.count)] }
            for (key, arrivals) in Dictionary(grouping: history.writes, by: \.key) {
                for cut in arrivals.indices.dropFirst() {
                    var whole = RecordState(key: key, writes: Array(arrivals[..<cut]), rules: rules)
                    guard let held = writes(whole) else { continue }
                    var remade = RecordState(key: key, writes: held, rules: rules)
                    remade.keepTold(whole)
                    compared += 1
                    if remade.shown(rules: rules) != whole.shown(rules: rules) { differences.append("seed \(seed), cut \(cut)") }
                    // Those that came before come again, as they do where everything is fetched anew.
                    var again = remade
                    if arrivals[..<cut].contains(where: { !again.merge($0, rules: rules).isEmpty }) {
                        differences.append("seed \(seed), cut \(cut): a write that came again was decided again")
                    }
                    for write in arrivals[cut...] {
                        let wanted = Set(whole.merge(write, rules: rules).map(Decision.init))
                        let found = Set(remade.merge(write, rules: rules).map(Decision.init))
                        if found != wanted || remade.shown(rules: rules) != whole.shown(rules: rules) {
                            differences.append("seed \(seed), cut \(cut), \(write.dot)")
                        }
                    }
                }
            }
        }
        #expect(differences == [])
        return compared
    }

    @Test(arguments: scopes.indices, DeletePolicy.allCases)
    func theHeldWritesStandForAllThatWereMerged(_ scope: Int, deletes: DeletePolicy) {
        #expect(check(MergeRules(standard: Self.scopes[scope], deletes: deletes)) { $0.heldWrites } > 0)
    }

    @Test(arguments: scopes.indices, DeletePolicy.allCases)
    func theTraceOfADeletedRecordJudgesLateWritesAsTheRecordDid(_ scope: Int, deletes: DeletePolicy) {
        let rules = MergeRules(standard: Self.scopes[scope], deletes: deletes)
        let compared = check(rules) { $0.shown(rules: rules) == nil && $0.leavesNothing ? $0.trace(rules: rules) : nil }
        #expect(compared > 0)
    }

    @Test(
        arguments: [([:], 4), (["a": 1], 1)] as [(VersionVector, FieldValue)])
    func aCountConcurrentWithADeleteShowsAgainAfterTheNextOne(seen: VersionVector, shown: FieldValue) {
        let rules = MergeRules(standard: .fields(.counter))
        func count(_ device: DeviceID, _ total: Int64, at time: Int64, saw seen: VersionVector) -> TaggedWrite {
            put(device, at: time, ["n": CounterWrite(total: total).value], saw: seen)
        }
        let counted = count("a", 3, at: 1, saw: [:])
        var record = RecordState(key: counted.key, writes: [counted, delete("b", at: 2, saw: seen)], rules: rules)
        #expect(record.shown(rules: rules) == nil)
        #expect(record.leavesNothing == !seen.isEmpty)
        _ = record.merge(count("c", 1, at: 3, saw: ["a": 1, "b": 1]), rules: rules)
        #expect(record.shown(rules: rules) == ["n": shown])
    }

    @Test func aFoldedWriteIsHeldOnceThoughItsClockWasAhead() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let writes = [
            put("a", 1, at: 1, ["x": 0]), put("a", 2, at: 100, ["y": 1], saw: ["a": 1]), put("b", 1, at: 50, ["z": 2], saw: ["a": 2]),
        ]
        var record = RecordState(key: writes[0].key, writes: writes, rules: rules)
        #expect(record.forgetHistory(settled: ["a": 2], rules: rules).isSmaller)
        #expect(record.heldWrites.map(\.dot) == [writes[2].dot, writes[1].dot])
        let remade = RecordState(key: record.key, writes: record.heldWrites, rules: rules)
        #expect(remade.shown(rules: rules) == ["x": 0, "y": 1, "z": 2])
    }
}

extension RecordState {
    /// Keeps which puts the other state has told of as taken by a delete, as a store does: writes say nothing of it.
    fileprivate mutating func keepTold(_ other: RecordState) {
        for (index, tally) in zip(tallies.indices, tallies) {
            guard let tally, let slot = other.names.firstIndex(of: names[index]), let told = other.tallies[slot]?.told else { continue }
            tallies[index] = Tally(resets: tally.resets, totals: tally.totals, elements: tally.elements, told: told)
        }
    }
}
