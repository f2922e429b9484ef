import SyncMerge
import SyncModel
import Testing

@Suite("Counters of running totals")
struct CounterTests {
    private static let rules = MergeRules(standard: .fields(.counter))

    private func count(_ device: DeviceID, _ sequence: UInt64 = 1, at time: Int64, _ total: Int64, saw: VersionVector = [:]) -> TaggedWrite
    {
        put(device, sequence, at: time, ["n": CounterWrite(total: total).value], saw: saw)
    }

    private func shown(_ writes: [TaggedWrite], deletes: DeletePolicy = .deleteWins) -> FieldMap? {
        var rules = Self.rules
        rules.deletes = deletes
        return Replica(writes, rules: rules).shown
    }

    @Test("0, then +2 and +3 at once, is 5")
    func concurrentIncrements() {
        let writes = [put("a", 1, at: 1, ["n": 0]), count("a", 2, at: 2, 2, saw: ["a": 1]), count("b", at: 2, 3, saw: ["a": 1])]
        for order in permutations(writes) { #expect(shown(order) == ["n": 5]) }
    }

    @Test("a running total replaces the same device's earlier one")
    func runningTotals() {
        let writes = [count("a", 1, at: 1, 2), count("a", 2, at: 2, 7, saw: ["a": 1]), count("b", at: 3, -3)]
        for order in permutations(writes) { #expect(shown(order) == ["n": 4]) }
    }

    @Test("a delete and re-creation starts again")
    func recreationStartsAgain() {
        let writes = [
            count("a", 1, at: 1, 5), delete("b", at: 2, saw: ["a": 1]), count("a", 2, at: 3, 1, saw: ["a": 1, "b": 1]),
        ]
        for order in permutations(writes) { #expect(shown(order) == ["n": 1]) }
    }

    @Test("an increment beside a delete goes with the record, or keeps it alive with what the delete had not seen")
    func concurrentIncrementAndDelete() {
        let writes = [count("a", at: 1, 5), delete("b", at: 2, saw: ["a": 1]), count("c", at: 2, 3, saw: ["a": 1])]
        for order in permutations(writes) {
            #expect(shown(order) == nil)
            #expect(shown(order, deletes: .editWins) == ["n": 3])
        }
    }

    @Test("a plain number sets a new start and takes away what its writer had seen")
    func plainNumberSets() {
        let writes = [count("a", at: 1, 5), put("b", at: 2, ["n": 100], saw: ["a": 1]), count("c", at: 2, 3, saw: ["a": 1])]
        for order in permutations(writes) { #expect(shown(order) == ["n": 103]) }
    }

    @Test("a sum beyond 64 bits is exact, whatever the order")
    func sumBeyond64Bits() {
        func number(_ text: String) -> FieldValue { .number(JSONNumber(Int128(text) ?? 0)) }
        let writes = [count("a", at: 1, .max), count("b", at: 1, .max), count("c", at: 1, -1)]
        for order in permutations(writes) { #expect(shown(order) == ["n": number("18446744073709551613")]) }
        let opposite = [count("a", at: 1, .min), count("b", at: 1, .min)]
        #expect(shown(opposite) == ["n": number("-18446744073709551616")])
        let balanced = [count("a", at: 1, .max), count("b", at: 1, .min), count("c", at: 1, .max)]
        for order in permutations(balanced) { #expect(shown(order) == ["n": .number(JSONNumber(Int64.max - 1))]) }
    }

    @Test(
        "a value that cannot be counted from loses to an increment, and the decision does not say that both were kept",
        arguments: RandomValues.uncountable)
    func uncountableBesideIncrement(_ value: FieldValue) throws {
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

    @Test("of values set at the same time, the one that can be counted from is kept", arguments: RandomValues.uncountable)
    func uncountableBesideNumber(_ value: FieldValue) {
        let writes = [put("a", at: 3, ["n": value]), put("b", at: 1, ["n": 5]), count("c", at: 2, 3)]
        for order in permutations(writes) { #expect(shown(order) == ["n": 8]) }
    }

    @Test("a number that is displaced by another is lost although an increment was shown between them")
    func displacedNumberIsLost() throws {
        var record = RecordState(key: RecordKey(type: "note", id: "1"))
        for write in [put("a", at: 1, ["n": 5]), count("c", at: 3, 1)] { _ = record.merge(write, rules: Self.rules) }
        let decisions = record.merge(put("b", at: 2, ["n": 7]), rules: Self.rules)
        #expect(decisions.map { "\($0.winner.dot) over \($0.loser.dot)" } == ["b:1 over a:1", "c:1 over b:1"])
        #expect(decisions.map(\.result) == [nil, 8])
        #expect(record.shown(rules: Self.rules) == ["n": 8])
    }

    @Test("nobody loses: the decision carries the sum")
    func decisionCarriesSum() throws {
        var record = RecordState(key: RecordKey(type: "note", id: "1"))
        _ = record.merge(count("a", at: 1, 2), rules: Self.rules)
        let decision = try #require(record.merge(count("b", at: 2, 3), rules: Self.rules).first)
        #expect(decision.result == 5)
    }

    @Test(
        "what is no running total is a plain value",
        arguments: [["$counter": 1, "x": 1], ["$counter": "1"], ["$counter": 1.5], [:], 3, "3", .null] as [FieldValue])
    func noRunningTotal(_ value: FieldValue) {
        #expect(CounterWrite(value) == nil)
    }
}
