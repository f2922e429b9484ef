import OracleRules
import SyncModel
import SyncOracle
import Testing

@Suite("Product and brute force agree on every decision, the final state and the winner of every register")
struct OracleAgreementTests {
    @Test("default rules, every delete policy", arguments: Batch.each("last writer", Oracle.Settings(), count: 4000, firstSeed: 1))
    func lastWriterWins(_ batch: Batch) {
        check(batch)
    }

    @Test("every other policy", arguments: Batch.otherPolicies(count: 450, firstSeed: 1_000_000))
    func otherPolicies(_ batch: Batch) {
        check(batch)
    }

    private func check(_ batch: Batch) {
        let rules = batch.settings.rules
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode)
            let expected = Oracle.judge(history.arrivals, batch.settings)
            let actual = Replay(history.arrivals, rules: rules)
            let wanted = expected.findings.map(Replay.withoutCost)
            let missed = wanted.filter { !actual.findings.contains($0) }
            let invented = actual.findings.filter { !wanted.contains($0) }
            func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, history.arrivals)) }
            #expect(missed == [], story())
            #expect(invented == [], story())
            #expect(actual.findings.count == wanted.count, story())
            #expect(actual.state == expected.state, story())
            #expect(actual.winners == expected.winners, story())
        }
    }
}
