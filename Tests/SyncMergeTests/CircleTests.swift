import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Accounts of each other that run in a circle leave no write maximal.
///
/// The value must not vanish for it.
@Suite struct CircleTests {
    private let key = RecordKey(type: "T", id: "r")

    private func write(_ device: DeviceID, _ sequence: UInt64, at moment: Int64, _ value: FieldValue, saw: VersionVector? = nil)
        -> TaggedWrite
    {
        TaggedWrite(
            dot: Dot(device: device, sequence: sequence), timestamp: HybridTimestamp(milliseconds: moment), key: key,
            operation: .put(["x": value]), seen: saw)
    }

    private func shown(_ writes: [TaggedWrite], _ rules: MergeRules) -> FieldMap? {
        var state = RecordState(key: key)
        for write in writes { _ = state.merge(write, rules: rules) }
        return state.shown(rules: rules)
    }

    @Test(arguments: [MergeRules(), MergeRules(standard: .record(.lastWriterWins))])
    func clockThatJumpsBackLeavesTheLatestStanding(rules: MergeRules) {
        // A's second write saw its first, that one is later than B's, and B's is later than A's second by its clock.
        let writes = [write("a", 1, at: 1_000_000, 1), write("b", 1, at: 500_000, 2), write("a", 2, at: 5, 3)]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(shown(order.map { writes[$0] }, rules) == ["x": 1], "order \(order)")
        }
    }

    @Test func versionVectorsThatContradictEachOtherLeaveTheLatestStanding() {
        let writes = [write("a", 1, at: 1, 1, saw: ["b": 1]), write("b", 1, at: 2, 2, saw: ["a": 1])]
        #expect(shown(writes, MergeRules()) == ["x": 2])
        #expect(shown(writes.reversed(), MergeRules()) == ["x": 2])
    }
}
