import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Records kept whole: what shows through the winner costs what the writes are, not their square.
@Suite struct RecordViewTests {
    private static let key = RecordKey(type: "note", id: "1")
    private static let rules = MergeRules(standard: .record(.lastWriterWins))

    private static func name(_ number: Int) -> FieldName { FieldName("f\(number)") }

    @Test(
        .timeLimit(.minutes(10)))
    func eachWinnersFieldShowsThroughEightThousandConcurrentPairs() {
        var state = RecordState(key: Self.key)
        let count = histories(400, of: 4000)
        for round in 1...count {
            let seen = round == 1 ? [] : [Dot(device: "a", sequence: UInt64(round - 1)), Dot(device: "b", sequence: UInt64(round - 1))]
            for (place, device) in (["a", "b"] as [DeviceID]).enumerated() {
                let write = TaggedWrite(
                    dot: Dot(device: device, sequence: UInt64(round)),
                    timestamp: HybridTimestamp(milliseconds: Int64(round * 10 + place)), key: Self.key,
                    operation: .put([Self.name(round * 2 + place): .number(JSONNumber(round))]), seen: VersionVector(seen))
                _ = state.merge(write, rules: Self.rules)
            }
        }
        let shown = state.shown(rules: Self.rules)
        #expect(shown?.count == count)
        #expect((1...count).allSatisfy { shown?[Self.name($0 * 2 + 1)] == .number(JSONNumber($0)) })
    }

    @Test(.timeLimit(.minutes(10)))
    func aFieldOfAnOldWriteShowsThroughAllLaterOnes() {
        var state = RecordState(key: Self.key)
        let count = histories(800, of: 8000)
        for number in 1...count {
            let write = TaggedWrite(
                dot: Dot(device: "a", sequence: UInt64(number)), timestamp: HybridTimestamp(milliseconds: Int64(number)), key: Self.key,
                operation: .put([Self.name(number): .number(JSONNumber(number))]), seen: VersionVector())
            _ = state.merge(write, rules: Self.rules)
        }
        #expect(state.shown(rules: Self.rules)?.count == count)
    }
}
