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

    @Test func circleAfterAClockWasSetBackAndForthLeavesTheLatestStanding() {
        // B's clock was behind A's and C's is right; C and D say that they have seen each other.
        let writes = [
            write("a", 1, at: 100, 1, saw: [:]), write("b", 1, at: 50, 2, saw: ["a": 1]),
            write("c", 1, at: 200, 3, saw: ["a": 1, "b": 1, "d": 1]), write("d", 1, at: 150, 4, saw: ["a": 1, "b": 1, "c": 1]),
        ]
        for order in permutations(writes) {
            #expect(shown(order, MergeRules()) == ["x": 3], "order \(order.map(\.dot))")
        }
    }

    @Test func circleBehindClocksThatFallLeavesTheLatestStanding() {
        // Each has seen those before it, by a clock that is further behind; the first has seen the last.
        let writes = [
            write("a", 1, at: 100, 1, saw: ["d": 1]), write("b", 1, at: 50, 2, saw: ["a": 1, "d": 1]),
            write("c", 1, at: 30, 3, saw: ["a": 1, "b": 1, "d": 1]), write("d", 1, at: 10, 4, saw: ["a": 1, "b": 1, "c": 1]),
        ]
        for order in permutations(writes) {
            #expect(shown(order, MergeRules()) == ["x": 1], "order \(order.map(\.dot))")
        }
    }

    @Test func writeThatSaysItHasSeenALaterOneOfItsDeviceIsOlderAllTheSame() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let writes = [write("a", 1, at: 1, 1, saw: ["a": 2]), write("a", 2, at: 2, 2, saw: [:])]
        for order in permutations(writes) {
            #expect(shown(order, rules) == ["x": 2], "order \(order.map(\.dot))")
        }
    }

    @Test func aDeviceThatStartsToNumberItsWritesIsMergedInAnyOrder() {
        // The second and the third are in the order of their numbers, the first goes by the clock.
        let unnumbered = TaggedWrite(
            dot: Dot(device: "a", sequence: 1), isNumbered: false, timestamp: HybridTimestamp(milliseconds: 100), key: key,
            operation: .put(["x": 1]), seen: [:])
        let numbered = TaggedWrite(
            dot: Dot(device: "a", sequence: 2), timestamp: HybridTimestamp(milliseconds: 200), key: key, operation: .put(["y": 2]),
            seen: [:])
        for order in permutations([unnumbered, numbered, write("a", 3, at: 50, 3, saw: [:])]) {
            #expect(shown(order, MergeRules()) == ["x": 1, "y": 2], "order \(order.map(\.dot))")
        }
    }
}
