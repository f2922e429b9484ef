import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The random histories elsewhere have few devices; here are so many that the merge keeps lists of them.
@Suite("Many devices that have hardly seen each other are merged as brute force does")
struct ManyDevicesTests {
    private static let policies: [(String, Oracle.Policy)] = [
        ("last writer", .lastWriterWins), ("first writer", .firstWriterWins), ("maximum", .maximum), ("minimum", .minimum),
        ("preferred devices", .preferDevices(["d7", "d3"])), ("manual", .manual),
    ]

    @Test(arguments: policies.indices, Oracle.Deletes.allCases)
    func agreement(policy: Int, deletes: Oracle.Deletes) {
        var most = 0
        for isRecordLevel in [false, true] {
            let settings = Oracle.Settings(policy: Self.policies[policy].1, isRecordLevel: isRecordLevel, deletes: deletes)
            for seed in UInt64(1)...3 {
                var random = SplitMix64(seed: seed)
                let writes = Self.writes(&random)
                let expected = Oracle.judge(writes, settings)
                let actual = Replay(writes, rules: settings.rules)
                let wanted = expected.findings.map(Replay.withoutCost)
                func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, writes)) }
                #expect(Set(actual.findings) == Set(wanted), story())
                #expect(actual.findings.count == wanted.count, story())
                #expect(actual.state == expected.state, story())
                #expect(actual.winners == expected.winners, story())
                var record = RecordState(key: RecordKey(type: "note", id: "1"))
                for write in writes { _ = record.merge(write, rules: settings.rules) }
                most = max(most, record.maximalWrites(of: nil, rules: settings.rules).count)
            }
        }
        // From 34 on the merge keeps lists.
        #expect(most > 40)
    }

    /// A write or two of each device, in any order, with some of which it has seen a few others.
    private static func writes(_ random: inout SplitMix64) -> [TaggedWrite] {
        var writes: [TaggedWrite] = []
        // As many as brute force takes.
        for index in 0..<64 {
            let dot = Dot(device: DeviceID("d\(index % 58)"), sequence: UInt64(index / 58 + 1))
            let known = index == 0 || random.percent(70) ? [] : (0..<random.below(3)).map { _ in writes[random.below(writes.count)].dot }
            let seen = VersionVector(known.filter { $0.device != dot.device })
            let fields = random.percent(70) ? FieldMap(dictionaryLiteral: ("x", .number(JSONNumber(Int64(random.below(9)))))) : ["y": 1]
            writes.append(
                TaggedWrite(
                    dot: dot, timestamp: HybridTimestamp(milliseconds: Int64(random.below(1000))), key: RecordKey(type: "note", id: "1"),
                    operation: random.percent(3) ? .delete : .put(fields), seen: random.percent(2) ? nil : seen))
        }
        return random.shuffled(writes)
    }
}
