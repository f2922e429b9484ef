import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The random histories elsewhere have few devices; here are so many that the merge keeps lists of them.
@Suite struct ManyDevicesTests {
    /// What most of the writes say of what their writers had seen.
    enum Form: CaseIterable {
        case vectors
        case cursors
        case nothing
    }

    private static let policies: [(String, Oracle.Policy)] = [
        ("last writer", .lastWriterWins), ("first writer", .firstWriterWins), ("maximum", .maximum), ("minimum", .minimum),
        ("preferred devices", .preferDevices(["d7", "d3"])), ("manual", .manual),
        ("counter", .counter), ("set", .set),
    ]

    @Test(arguments: policies.indices, Oracle.Deletes.allCases)
    func agreement(policy: Int, deletes: Oracle.Deletes) {
        // A few: one form and one level for each, in turn.
        let turn = policy + (Oracle.Deletes.allCases.firstIndex(of: deletes) ?? 0)
        let forms = Form.allCases[(turn % 3)...] + Form.allCases[..<(turn % 3)]
        for form in forms.prefix(histories(1, of: 3)) { agree(policy, deletes, form, turn) }
    }

    private func agree(_ policy: Int, _ deletes: Oracle.Deletes, _ form: Form, _ turn: Int) {
        var most = 0
        let addsUp = ["counter", "set"].contains(Self.policies[policy].0)
        let levels = addsUp ? [false] : [turn % 2 == 0, turn % 2 == 1].prefix(histories(1, of: 2))
        for isRecordLevel in levels {
            let settings = Oracle.Settings(policy: Self.policies[policy].1, isRecordLevel: isRecordLevel, deletes: deletes)
            for seed in UInt64(1)...4 {
                // A few: until one has so many.
                if histories(0, of: 1) == 0, most > 33 { break }
                var random = SplitMix64(seed: seed)
                let writes = Self.writes(form, Self.policies[policy].1, &random)
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
        // From 33 on the merge keeps lists.
        #expect(most > 33)
    }

    /// A plain number, or what counts and adds under the policies by which nobody loses.
    private static func value(_ policy: Oracle.Policy, _ random: inout SplitMix64) -> FieldValue {
        let number = Int64(random.below(9))
        switch policy {
        case .counter where random.percent(30): return CounterWrite(total: number).value
        case .set where random.percent(30): return SetWrite(added: [.number(JSONNumber(number))], removed: [3]).value
        default: return .number(JSONNumber(number))
        }
    }

    /// A write or two of each device, in any order, with some of which it has seen a few others.
    private static func writes(_ form: Form, _ policy: Oracle.Policy, _ random: inout SplitMix64) -> [TaggedWrite] {
        var writes: [TaggedWrite] = []
        let (deletes, otherFields) = (random.percent(50) ? 3 : 40, random.percent(50) ? 1 : 30)
        // As many as brute force takes.
        for index in 0..<64 {
            let dot = Dot(device: DeviceID("d\(index % 58)"), sequence: UInt64(index / 58 + 1))
            let known = index == 0 || random.percent(70) ? [] : (0..<random.below(3)).map { _ in writes[random.below(writes.count)].dot }
            let seen = VersionVector(known.filter { $0.device != dot.device })
            let name = random.percent(70) ? "x" : FieldName("y\(random.below(otherFields))")
            let fields: FieldMap = random.percent(20) ? [name: 1, "z": 2] : [name: value(policy, &random)]
            let hasCursor = form == .cursors && random.percent(98)
            let time = form == .nothing ? random.below(400_000) : random.below(1000)
            let write = TaggedWrite(
                dot: dot, timestamp: HybridTimestamp(milliseconds: Int64(time)), key: RecordKey(type: "note", id: "1"),
                operation: random.percent(deletes) ? .delete : .put(fields),
                seen: form == .vectors && random.percent(98) ? seen : nil,
                cursor: hasCursor ? UInt64(random.percent(95) ? 0 : random.below(index + 1)) : nil)
            // In another order than they were made in, as after a while offline.
            let position = form == .cursors ? UInt64((index * 37) % 64 + 1) : nil
            writes.append(position.map { write.received(TaggedWrite.Receipt(milliseconds: nil, hubSequence: $0)) } ?? write)
        }
        return random.shuffled(writes)
    }

    @Test func theOnlyPutOfAnotherFieldIsFoundAmongMany() {
        let many = (0..<40).map { put(DeviceID("d\($0)"), at: 10 + Int64($0), ["x": .number(JSONNumber($0))]) }
        let replica = OneRecord([put("z", at: 1, ["y": 0])] + many)
        #expect(replica.decisions.filter { $0.hasPrefix("record:") }.count == 40)
        #expect(!OneRecord(many).decisions.contains { $0.hasPrefix("record:") })
    }
}
