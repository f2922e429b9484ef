import SyncModel
import SyncOracle
import Testing

/// The random histories reach what they are meant to reach.
@Suite struct RandomHistoryTests {
    @Test func everyKindSeverityBasisAndReasonOccurs() {
        var words: Set<String> = []
        for deletes in Oracle.Deletes.allCases {
            for mode in RandomHistory.Mode.allCases {
                for seed in 0..<UInt64(histories(60, of: 300)) {
                    let history = RandomHistory(seed: seed, mode: mode)
                    for policy in [Oracle.Policy.lastWriterWins, .maximum] {
                        for finding in Oracle.judge(history.arrivals, Oracle.Settings(policy: policy, deletes: deletes)).findings {
                            words.formUnion([finding.kind, finding.severity, finding.basis, finding.reason])
                            words.insert(finding.didWinnerArriveFirst ? "winner first" : "loser first")
                        }
                    }
                }
            }
        }
        let expected: Set = [
            "update_update", "insert_insert", "delete_update", "delete_delete", "disjoint_update", "benign", "merged", "lossy",
            "destructive",
            "causal", "arrival", "window", "newer", "tie_break", "delete_wins", "edit_wins", "policy", "winner first", "loser first",
        ]
        #expect(words == expected)
    }

    @Test(
        arguments: RandomHistory.Mode.allCases)
    func everyShapeOfHistoryOccurs(_ mode: RandomHistory.Mode) {
        var found: Set<String> = []
        for seed in 0..<500 as Range<UInt64> {
            let history = RandomHistory(seed: seed, mode: mode)
            #expect((3...14).contains(history.writes.count))
            if history.arrivals.count > history.writes.count { found.insert("duplicate") }
            if Set(history.writes.map(\.key)).count == 2 { found.insert("two records") }
            for (index, one) in history.writes.enumerated() {
                for other in history.writes[..<index] where other.key == one.key {
                    let hasSeen = one.seen?.covers(other.dot) ?? false
                    if one.dot.device != other.dot.device, one.timestamp == other.timestamp { found.insert("tie") }
                    if one.timestamp.milliseconds - other.timestamp.milliseconds == 300_000 { found.insert("edge") }
                    if hasSeen, one.timestamp < other.timestamp { found.insert("clock against causality") }
                    if hasSeen, other.isDelete, !one.isDelete { found.insert("re-creation") }
                    if one.seen?.covers(one.dot) == true { found.insert("sees itself") }
                }
            }
        }
        var expected: Set = ["duplicate", "two records", "tie", "edge"]
        if [.causal, .mixed, .everyForm].contains(mode) { expected.formUnion(["clock against causality", "re-creation", "sees itself"]) }
        #expect(found == expected)
    }

    @Test func theSameSeedGivesTheSameHistory() {
        for seed in 0..<50 as Range<UInt64> {
            let history = RandomHistory(seed: seed, mode: .mixed)
            #expect(history.arrivals == RandomHistory(seed: seed, mode: .mixed).arrivals)
            for (device, writes) in Dictionary(grouping: history.writes, by: \.dot.device) {
                #expect(writes.map(\.dot.sequence) == Array(1...UInt64(writes.count)), "\(device)")
            }
        }
    }
}
