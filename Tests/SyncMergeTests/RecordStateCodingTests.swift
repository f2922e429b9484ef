import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// A record that was stored after every step merges as one that never was.
@Suite struct RecordStateCodingTests {
    static let policies: [MergePolicy] = [
        .lastWriterWins, .firstWriterWins, .maximum, .minimum, .counter, .set, .preferDevices(["c", "a"]), .manual,
    ]

    @Test(arguments: policies, RandomHistory.Mode.allCases)
    func storedRecordsMergeTheSameUnderFieldPolicies(_ policy: MergePolicy, mode: RandomHistory.Mode) throws {
        // A few: one delete policy for each, in turn.
        let turn = policy.name.utf8.count + mode.rawValue.utf8.count
        for (index, deletes) in DeletePolicy.allCases.enumerated() where histories(0, of: 1) == 1 || index == turn % 3 {
            try check(MergeRules(standard: .fields(policy), deletes: deletes), mode: mode)
        }
    }

    @Test(arguments: RandomHistory.Mode.allCases)
    func storedRecordsMergeTheSameUnderRecordPolicies(_ mode: RandomHistory.Mode) throws {
        try check(MergeRules(standard: .record(.lastWriterWins)), mode: mode)
        try check(MergeRules(standard: .record(.manual), deletes: .editWins), mode: mode)
    }

    private func check(_ rules: MergeRules, mode: RandomHistory.Mode) throws {
        for seed in 1...UInt64(histories(1, of: 60)) {
            let history = RandomHistory(seed: seed, mode: mode) { _, random in Self.values[random.below(Self.values.count)] }
            var kept: [RecordKey: RecordState] = [:]
            var restarted: [RecordKey: [UInt8]] = [:]
            for write in history.arrivals {
                let wanted = kept[write.key, default: RecordState(key: write.key)].merge(write, rules: rules)
                var state = try restarted[write.key].map { try RecordState(stored: $0, key: write.key) } ?? RecordState(key: write.key)
                let found = state.merge(write, rules: rules)
                restarted[write.key] = state.stored
                #expect(found.map(encoded) == wanted.map(encoded), "seed \(seed), \(write.dot)")
                #expect(state.shown(rules: rules) == kept[write.key]?.shown(rules: rules), "seed \(seed), \(write.dot)")
                #expect(restarted[write.key] == kept[write.key].map(\.stored), "seed \(seed), \(write.dot)")
            }
        }
    }

    private static let values: [FieldValue] = [
        1, 2, 1.0, "s", true, .null, ["a", 1], CounterWrite(total: 3).value, CounterWrite(total: 4).value,
        SetWrite(added: ["a", "b"]).value, SetWrite(removed: ["a"]).value, SetWrite(added: [1.0], removed: ["b"]).value,
    ]

    private func encoded(_ decision: MergeDecision) -> [UInt8] {
        var encoder = StateEncoder()
        decision.encode(into: &encoder)
        return encoder.bytes
    }

    @Test func aDecisionIsDecodedAsItWasEncoded() throws {
        let before = put("a", 1, at: 1, ["x": "old"])
        var record = RecordState(key: before.key)
        let rules = MergeRules(standard: .fields(.manual))
        _ = record.merge(before, rules: rules)
        _ = record.merge(put("a", 2, at: 2, ["x": 1.50], saw: ["a": 1]), rules: rules)
        let decision = try #require(record.merge(put("b", at: 2, ["x": ["k": .null]], saw: ["a": 1]), rules: rules).first)
        var decoder = try StateDecoder(encoded(decision))
        let read = try MergeDecision(from: &decoder)
        #expect(read.ancestor == before)
        #expect(read.winner == decision.winner && read.loser == decision.loser)
        #expect(read.isPending && read.reason == .policy && read.policy == "manual" && read.field == "x" && read.didArrivingWin)
    }

    @Test func fieldsBesideACounterAreStoredOnceTogether() {
        func size(_ count: Int, _ rules: MergeRules) -> Int {
            var fields: FieldMap = ["n": 1]
            for number in 0..<count { fields[FieldName("f\(number)")] = 1 }
            return OneRecord([put("a", at: 1, fields), put("b", at: 2, fields, saw: ["a": 1])], rules: rules).record.stored.count
        }
        func growth(_ rules: MergeRules) -> Int { size(9, rules) - size(5, rules) }
        #expect(growth(MergeRules(fields: ["note": ["n": .counter]])) == growth(MergeRules()))
    }

    @Test func aStateDoesNotGrowWithTheNumberOfWrites() throws {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var sizes: [Int] = []
        for number in 1...1000 as ClosedRange<UInt64> {
            let device: DeviceID = number.isMultiple(of: 2) ? "a" : "b"
            let seen = VersionVector([Dot(device: "a", sequence: 1000 + number), Dot(device: "b", sequence: 1000 + number)])
            let write = put(device, 1001 + number, at: 1_000_000 + Int64(number), ["x": 7], saw: seen)
            _ = state.merge(write, rules: MergeRules())
            if number == 10 || number == 1000 { sizes.append(state.stored.count) }
        }
        #expect(sizes[0] == sizes[1])
    }

    @Test func fieldsOfTheSameWritesAreStoredAsOne() {
        let names = (10..<90).map { FieldName("f\($0)") }
        func size(hasSeenVector: Bool) -> Int {
            let writes = (1...3 as ClosedRange<UInt64>).map { number in
                let fields = FieldMap(sortedNames: names, values: names.map { _ in .number(JSONNumber(Int64(number))) })
                return put("a", number, at: Int64(number), fields, saw: hasSeenVector ? ["a": number - 1] : nil)
            }
            return RecordState(key: writes[0].key, writes: writes, rules: MergeRules()).stored.count
        }
        #expect(size(hasSeenVector: false) <= size(hasSeenVector: true) + 16)
    }

    @Test func damagedBytesAreAnErrorAndNothingElse() throws {
        var random = SplitMix64(seed: 7)
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        let rules = MergeRules(standard: .fields(.set))
        for write in [put("a", at: 1, ["x": ["1"], "y": 2]), put("b", at: 2, ["x": SetWrite(added: ["2"]).value]), delete("c", at: 3)] {
            _ = state.merge(write, rules: rules)
        }
        let sound = state.stored
        var refused = 0
        let count = histories(1_000, of: 20_000)
        for _ in 0..<count {
            var bytes = sound
            for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
            if random.percent(20) { bytes.removeLast(random.below(bytes.count)) }
            do throws(CodingFailure) {
                var decoder = try StateDecoder(bytes)
                _ = try RecordState(key: state.key, from: &decoder).shown(rules: rules)
            } catch {
                refused += 1
            }
        }
        #expect(refused > count / 2)
        #expect(throws: CodingFailure("the form has version 9, and this program reads version 2")) { try StateDecoder([9]) }
    }
}
