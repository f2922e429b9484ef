import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Counters and sets are what brute force adds up.
@Suite struct TallyAgreementTests {
    @Test(arguments: 0..<histories(5, of: 20))
    func aCounterIsTheSumOfAllCountsSinceItWasLastSet(_ batch: Int) {
        check(batch, policy: .counter, values: RandomValues.counter) { field, writes in
            TallyOracle.counter(field, writes)
        }
    }

    @Test(arguments: 0..<histories(5, of: 20))
    func aSetHoldsWhatWasAddedAndNotKnowinglyRemoved(_ batch: Int) {
        check(batch, policy: .set, values: RandomValues.set) { field, writes in
            .array(TallyOracle.set(field, writes))
        }
    }

    private func check(
        _ batch: Int, policy: MergePolicy, values: @escaping @Sendable (Int, inout SplitMix64) -> FieldValue,
        expected: (FieldName, [TaggedWrite]) -> FieldValue
    ) {
        let rules = MergeRules(standard: .fields(policy))
        var compared = 0
        let count = histories(20, of: 100)
        for seed in UInt64(90_000_000 + batch * 1000)..<UInt64(90_000_000 + batch * 1000 + count) {
            let history = RandomHistory(seed: seed, mode: .causal, values: values)
            func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, history.arrivals)) }
            for key in Set(history.writes.map(\.key)) {
                var record = RecordState(key: key)
                for write in history.arrivals where write.key == key { _ = record.merge(write, rules: rules) }
                let writes = history.writes.filter { $0.key == key }
                for element in record.shown(rules: rules) ?? [:] {
                    #expect(element.value == expected(element.name, writes), story())
                    compared += 1
                }
            }
        }
        #expect(compared > count / 2)
    }
}
