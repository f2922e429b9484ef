import SyncBytes
import SyncMerge
import SyncModel
import Testing

/// Observed-remove sets.
@Suite struct SetTests {
    private static let rules = MergeRules(standard: .fields(.set))

    private func shown(_ writes: [TaggedWrite]) -> FieldMap? {
        OneRecord(writes, rules: Self.rules).shown
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

    @Test(arguments: [1, 3, 9] as [Int64])
    func anAdditionWinsOverAConcurrentRemovalWhicheverIsNewer(removedAt: Int64) {
        let first = add("a", 1, at: 1, "red")
        let removal = remove("b", at: removedAt, "red", saw: ["a": 1])
        let again = add("c", at: 5, "red")
        for order in permutations([first, removal, again]) { #expect(shown(order) == ["tags": ["red"]]) }
    }

    @Test func aRemovalTakesAwayWhatItsWriterHadSeen() {
        for order in permutations([add("a", at: 1, "red", "blue"), remove("b", at: 2, "red", saw: ["a": 1])]) {
            #expect(shown(order) == ["tags": ["blue"]])
        }
    }

    @Test func aPlainArrayReplacesWhatItsWriterHadSeenAndNothingElse() {
        let writes = [add("a", at: 1, "red"), put("b", at: 2, ["tags": ["green"]], saw: ["a": 1]), add("c", at: 3, "blue")]
        for order in permutations(writes) { #expect(shown(order) == ["tags": ["blue", "green"]]) }
    }

    @Test func theDecisionCarriesTheMergedElements() throws {
        var record = RecordState(key: RecordKey(type: "note", id: "1"))
        _ = record.merge(add("a", at: 1, "red"), rules: Self.rules)
        let decision = try #require(record.merge(add("b", at: 2, "blue"), rules: Self.rules).first)
        #expect(decision.result == ["blue", "red"])
    }

    @Test func theSpellingOfAnElementDoesNotDependOnArrival() {
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
