import OracleRules
import SyncModel
import SyncOracle
import Testing

/// Product and brute force agree on every decision, the final state and the winner of every register.
@Suite struct OracleAgreementTests {
    @Test(arguments: Batch.each("last writer", Oracle.Settings(), count: UInt64(histories(40, of: 4000)), firstSeed: 1))
    func defaultRulesAndEveryDeletePolicyAgree(_ batch: Batch) {
        check(batch)
    }

    @Test(arguments: Batch.otherPolicies(count: UInt64(histories(5, of: 450)), firstSeed: 1_000_000))
    func everyOtherPolicyAgrees(_ batch: Batch) {
        check(batch)
    }

    @Test(
        arguments: Batch.addingUp(.counter, count: UInt64(histories(30, of: 300)), firstSeed: 2_000_000))
    func countersAgreeAndOnlyDisplacedValuesAreLost(_ batch: Batch) {
        check(batch, values: RandomValues.counter)
    }

    @Test(arguments: Batch.addingUp(.set, count: UInt64(histories(30, of: 300)), firstSeed: 2_010_000))
    func setsAgreeAndNothingIsLost(_ batch: Batch) {
        check(batch, values: RandomValues.set)
    }

    private func check(_ batch: Batch, values: (@Sendable (_ device: Int, inout SplitMix64) -> FieldValue)? = nil) {
        let rules = batch.settings.rules
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode, values: values)
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
