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

    @Test(
        "counters, in which only a value set at the same time as another, or one that is no number, is lost",
        arguments: Batch.addingUp(.counter, count: 300, firstSeed: 2_000_000))
    func counters(_ batch: Batch) {
        check(batch, values: RandomValues.counter)
    }

    @Test("sets, in which nothing is lost", arguments: Batch.addingUp(.set, count: 300, firstSeed: 2_010_000))
    func sets(_ batch: Batch) {
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
