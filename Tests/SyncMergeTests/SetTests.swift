import SyncLines
import SyncMerge
import SyncModel
import Testing

@Suite("Observed-remove sets")
struct SetTests {
    private static let rules = MergeRules(standard: .fields(.set))

    private func shown(_ writes: [TaggedWrite]) -> FieldMap? {
        Replica(writes, rules: Self.rules).shown
    }

    private func add(_ device: DeviceID, _ sequence: UInt64 = 1, at time: Int64, _ elements: FieldValue..., saw: VersionVector = [:])
        -> TaggedWrite
    {
        put(device, sequence, at: time, ["tags": SetWrite(added: elements).value], saw: saw)
    }

    private func remove(_ device: DeviceID, _ sequence: UInt64 = 1, at time: Int64, _ elements: FieldValue..., saw: VersionVector)
        -> TaggedWrite
    {
        put(device, sequence, at: time, ["tags": SetWrite(removed: elements).value], saw: saw)
    }

    @Test("an addition wins over a concurrent removal, whichever is newer", arguments: [1, 3, 9] as [Int64])
    func additionWins(removedAt: Int64) {
        let first = add("a", 1, at: 1, "red")
        let removal = remove("b", at: removedAt, "red", saw: ["a": 1])
        let again = add("c", at: 5, "red")
        for order in permutations([first, removal, again]) { #expect(shown(order) == ["tags": ["red"]]) }
    }

    @Test("a removal takes away what its writer had seen")
    func removalOfSeenAddition() {
        for order in permutations([add("a", at: 1, "red", "blue"), remove("b", at: 2, "red", saw: ["a": 1])]) {
            #expect(shown(order) == ["tags": ["blue"]])
        }
    }

    @Test("a plain array replaces what its writer had seen, and nothing else")
    func plainArrayReplaces() {
        let writes = [add("a", at: 1, "red"), put("b", at: 2, ["tags": ["green"]], saw: ["a": 1]), add("c", at: 3, "blue")]
        for order in permutations(writes) { #expect(shown(order) == ["tags": ["blue", "green"]]) }
    }

    @Test("nobody loses: the decision carries the merged elements")
    func decisionCarriesResult() throws {
        var record = RecordState(key: RecordKey(type: "note", id: "1"))
        _ = record.merge(add("a", at: 1, "red"), rules: Self.rules)
        let decision = try #require(record.merge(add("b", at: 2, "blue"), rules: Self.rules).first)
        #expect(decision.result == ["blue", "red"])
    }

    @Test("an element written in two ways is shown as those who still hold it wrote it, in every order of arrival")
    func spellingDoesNotDependOnArrival() {
        let writes = [
            add("a", 1, at: 1, 1), put("b", at: 2, ["tags": SetWrite(added: [1.0], removed: []).value], saw: ["a": 1]),
            remove("a", 2, at: 3, 1.00, saw: ["a": 1]),
        ]
        for order in permutations(writes) {
            var bytes: [UInt8] = []
            JSONText.append(shown(order) ?? [:], to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == #"{"tags":[1.0]}"#)
        }
    }
}
