import SyncMerge
import SyncModel
import Testing

/// Counters of running totals.
@Suite struct CounterTests {
    private static let rules = MergeRules(standard: .fields(.counter))

    private func count(_ device: DeviceID, _ sequence: UInt64 = 1, at time: Int64, _ total: Int64, saw: VersionVector = [:]) -> TaggedWrite
    {
        put(device, sequence, at: time, ["n": CounterWrite(total: total).value], saw: saw)
    }

    private func shown(_ writes: [TaggedWrite], deletes: DeletePolicy = .deleteWins) -> FieldMap? {
        var rules = Self.rules
        rules.deletes = deletes
        return OneRecord(writes, rules: rules).shown
    }

    @Test func concurrentIncrementsAddUp() {
        let writes = [put("a", 1, at: 1, ["n": 0]), count("a", 2, at: 2, 2, saw: ["a": 1]), count("b", at: 2, 3, saw: ["a": 1])]
        for order in permutations(writes) { #expect(shown(order) == ["n": 5]) }
    }

    @Test func aRunningTotalReplacesTheSameDevicesEarlierOne() {
        let writes = [count("a", 1, at: 1, 2), count("a", 2, at: 2, 7, saw: ["a": 1]), count("b", at: 3, -3)]
        for order in permutations(writes) { #expect(shown(order) == ["n": 4]) }
    }

    @Test func aDeleteAndARecreationStartAgain() {
        let writes = [
            count("a", 1, at: 1, 5), delete("b", at: 2, saw: ["a": 1]), count("a", 2, at: 3, 1, saw: ["a": 1, "b": 1]),
        ]
        for order in permutations(writes) { #expect(shown(order) == ["n": 1]) }
    }

    @Test func anIncrementKeepsARecordAliveWithWhatTheDeleteHadNotSeen() {
        let writes = [count("a", at: 1, 5), delete("b", at: 2, saw: ["a": 1]), count("c", at: 2, 3, saw: ["a": 1])]
        for order in permutations(writes) {
            #expect(shown(order) == nil)
            #expect(shown(order, deletes: .editWins) == ["n": 3])
        }
    }

    @Test func aPlainNumberReplacesWhatItsWriterHadSeen() {
        let writes = [count("a", at: 1, 5), put("b", at: 2, ["n": 100], saw: ["a": 1]), count("c", at: 2, 3, saw: ["a": 1])]
        for order in permutations(writes) { #expect(shown(order) == ["n": 103]) }
    }

    @Test func aSumBeyond64BitsIsExactInAnyOrder() {
        func number(_ text: String) -> FieldValue { .number(JSONNumber(Int128(text) ?? 0)) }
        let writes = [count("a", at: 1, .max), count("b", at: 1, .max), count("c", at: 1, -1)]
        for order in permutations(writes) { #expect(shown(order) == ["n": number("18446744073709551613")]) }
        let opposite = [count("a", at: 1, .min), count("b", at: 1, .min)]
        #expect(shown(opposite) == ["n": number("-18446744073709551616")])
        let balanced = [count("a", at: 1, .max), count("b", at: 1, .min), count("c", at: 1, .max)]
        for order in permutations(balanced) { #expect(shown(order) == ["n": .number(JSONNumber(Int64.max - 1))]) }
    }

    @Test(
        arguments: RandomValues.uncountable)
    func aValueThatIsNoNumberLosesToAnIncrement(_ value: FieldValue) throws {
        for time in [1, 3] as [Int64] {
            let writes = [put("a", at: time, ["n": value]), count("b", at: 2, 3)]
            for order in permutations(writes) {
                var record = RecordState(key: RecordKey(type: "note", id: "1"))
                _ = record.merge(order[0], rules: Self.rules)
                let decision = try #require(record.merge(order[1], rules: Self.rules).first)
                #expect((decision.winner.dot.device, decision.loser.dot.device) == ("b", "a"))
                #expect(decision.result == nil)
                #expect(record.shown(rules: Self.rules) == ["n": 3])
            }
        }
    }

    @Test(arguments: RandomValues.uncountable)
    func theCountableOneOfConcurrentValuesIsKept(_ value: FieldValue) {
        let writes = [put("a", at: 3, ["n": value]), put("b", at: 1, ["n": 5]), count("c", at: 2, 3)]
        for order in permutations(writes) { #expect(shown(order) == ["n": 8]) }
    }

    @Test func aDisplacedNumberIsLostThoughAnIncrementWasBetween() throws {
        var record = RecordState(key: RecordKey(type: "note", id: "1"))
        for write in [put("a", at: 1, ["n": 5]), count("c", at: 3, 1)] { _ = record.merge(write, rules: Self.rules) }
        let decisions = record.merge(put("b", at: 2, ["n": 7]), rules: Self.rules)
        #expect(decisions.map { "\($0.winner.dot) over \($0.loser.dot)" } == ["b:1 over a:1", "c:1 over b:1"])
        #expect(decisions.map(\.result) == [nil, 8])
        #expect(record.shown(rules: Self.rules) == ["n": 8])
    }

    @Test func theDecisionCarriesTheSum() throws {
        var record = RecordState(key: RecordKey(type: "note", id: "1"))
        _ = record.merge(count("a", at: 1, 2), rules: Self.rules)
        let decision = try #require(record.merge(count("b", at: 2, 3), rules: Self.rules).first)
        #expect(decision.result == 5)
    }

    @Test(
        arguments: [["$counter": 1, "x": 1], ["$counter": "1"], ["$counter": 1.5], [:], 3, "3", .null] as [FieldValue])
    func anythingButARunningTotalIsAPlainValue(_ value: FieldValue) {
        #expect(CounterWrite(value) == nil)
    }
}
