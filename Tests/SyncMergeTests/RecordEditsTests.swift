import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Who wrote what is shown, and when.
@Suite struct RecordEditsTests {
    @Test(arguments: Batch.otherPolicies(count: UInt64(histories(3, of: 100)), firstSeed: 95_000_000))
    func theWriterOfEachFieldIsTheOneThatBruteForceFinds(_ batch: Batch) {
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.settings.isRecordLevel ? .causal : batch.mode)
            check(history, seed, batch.settings)
        }
    }

    @Test(arguments: [Oracle.Policy.counter, .set] as [Oracle.Policy])
    func theWriterOfACounterOrSetIsTheLatestOfItsWriters(_ policy: Oracle.Policy) {
        let isCounter = if case .counter = policy { true } else { false }
        for seed in 96_000_000..<96_000_000 + UInt64(histories(80, of: 300)) {
            let values = isCounter ? RandomValues.counter : RandomValues.set
            check(RandomHistory(seed: seed, mode: .causal, values: values), seed, Oracle.Settings(policy: policy))
        }
    }

    private func check(_ history: RandomHistory, _ seed: UInt64, _ settings: Oracle.Settings) {
        let verdict = Oracle.judge(history.arrivals, settings)
        let writes = Dictionary(history.arrivals.map { ($0.dot, $0) }) { one, _ in one }
        let story = Comment(rawValue: RandomHistory.story(seed, history.arrivals))
        for key in Set(history.arrivals.map(\.key)) {
            var state = RecordState(key: key)
            let own = history.arrivals.filter { $0.key == key }
            for write in own { _ = state.merge(write, rules: settings.rules) }
            let edits = state.edits(rules: settings.rules)
            guard let shown = verdict.state[key] else {
                #expect(edits == nil, story)
                continue
            }
            let authors =
                settings.isRecordLevel
                ? Self.authors(own, settings)
                : verdict.winners.filter { $0.key.key == key }.reduce(into: [:]) { $0[$1.key.field ?? ""] = $1.value }
            #expect(edits?.fields.mapValues(\.dot) == authors.filter { shown[$0.key] != nil }, story)
            for (name, edit) in edits?.fields ?? [:] { #expect(writes[edit.dot]?.fields?[name] != nil, story) }
            if let latest = authors.values.compactMap({ writes[$0] }).max(by: { $0.precedes($1) }) {
                #expect(edits?.latest.dot == latest.dot, story)
                #expect(edits?.latest.timestamp == latest.timestamp, story)
            }
        }
    }

    /// Under a record-level policy: for each field the first to name it of the winner, the winner among what that one had seen, and so on.
    private static func authors(_ writes: [TaggedWrite], _ settings: Oracle.Settings) -> [FieldName: Dot] {
        var authors: [FieldName: Dot] = [:]
        var left = writes
        while let dot = Oracle.judge(left, settings).winners.values.first, let winner = left.first(where: { $0.dot == dot }) {
            for name in winner.fields?.names.map(\.self) ?? [] where authors[name] == nil { authors[name] = dot }
            left = left.filter { write in
                write.dot.device == dot.device
                    ? write.dot.sequence < dot.sequence : (winner.seen?[write.dot.device] ?? 0) >= write.dot.sequence
            }
        }
        return authors
    }

    // MARK: Small cases

    private static let key = RecordKey(type: "card", id: "1")

    private static func write(
        _ device: DeviceID, _ number: UInt64, at milliseconds: Int64, _ fields: FieldMap?, saw seen: VersionVector = [:]
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: milliseconds), key: key,
            operation: fields.map { .put($0) } ?? .delete, seen: seen)
    }

    private static func edits(_ writes: [TaggedWrite], _ rules: MergeRules = MergeRules()) -> RecordEdits? {
        RecordState(key: key, writes: writes, rules: rules).edits(rules: rules)
    }

    @Test func theRecordIsAsNewAsTheNewestOfItsFields() {
        let writes = [
            Self.write("a", 1, at: 10, ["name": "Ada", "phone": "1"]), Self.write("b", 1, at: 40, ["name": "Bea"], saw: ["a": 1]),
            Self.write("a~1f3a9c02", 2, at: 30, ["phone": "2"], saw: ["a": 1]),
        ]
        let edits = Self.edits(writes)
        #expect(edits?.fields.mapValues(\.dot.device) == ["name": "b", "phone": "a~1f3a9c02"])
        #expect(edits?.fields["phone"]?.device == "a")
        #expect(edits?.latest.device == "b" && edits?.latest.timestamp.milliseconds == 40)
    }

    @Test func aRemovedFieldIsAnEditOfTheRecordAndADeletedRecordHasNone() {
        let removed = [
            Self.write("a", 1, at: 10, ["name": "Ada", "phone": "1"]), Self.write("b", 1, at: 20, ["phone": .null], saw: ["a": 1]),
        ]
        #expect(Self.edits(removed)?.fields.keys.sorted() == ["name"])
        #expect(Self.edits(removed)?.latest.device == "b")
        let deleted = removed + [Self.write("a", 2, at: 30, nil, saw: ["a": 1, "b": 1])]
        #expect(Self.edits(deleted) == nil)
        let again = deleted + [Self.write("c", 1, at: 40, ["phone": "3"], saw: ["a": 2, "b": 1])]
        #expect(Self.edits(again)?.fields.mapValues(\.device) == ["phone": "c"])
    }

    @Test func whatLostToADeleteIsNoEditOfWhatIsShown() {
        let writes = [
            Self.write("a", 1, at: 10, ["name": "Ada"]), Self.write("a", 2, at: 20, nil, saw: ["a": 1]),
            Self.write("b", 1, at: 50, ["name": "Eve"], saw: ["a": 1]), Self.write("c", 1, at: 30, ["phone": "1"], saw: ["a": 2]),
        ]
        #expect(Self.edits(writes)?.fields.mapValues(\.device) == ["phone": "c"])
        #expect(Self.edits(writes)?.latest.device == "c")
        #expect(Self.edits(writes, MergeRules(deletes: .editWins))?.latest.device == "b")
    }

    @Test func ofACounterTheLatestCounts() {
        let rules = MergeRules(standard: .fields(.counter))
        let writes = [
            Self.write("a", 1, at: 10, ["n": ["$counter": 1]]), Self.write("b", 1, at: 30, ["n": ["$counter": 4]]),
            Self.write("c", 1, at: 20, ["n": ["$counter": 2]]),
        ]
        #expect(Self.edits(writes, rules)?.fields["n"]?.device == "b")
        #expect(Self.edits(writes, rules)?.latest.timestamp.milliseconds == 30)
    }

    @Test func underARecordLevelPolicyAFieldShowsThroughWithItsWriter() {
        let rules = MergeRules(standard: .record(.lastWriterWins))
        let writes = [
            Self.write("a", 1, at: 10, ["name": "Ada", "phone": "1"]), Self.write("b", 1, at: 20, ["name": "Bea"], saw: ["a": 1]),
            Self.write("c", 1, at: 30, ["phone": "2"], saw: ["a": 1]),
        ]
        #expect(Self.edits(writes, rules)?.fields.mapValues(\.device) == ["name": "a", "phone": "c"])
        #expect(Self.edits(writes, rules)?.latest.device == "c")
        #expect(Self.edits(writes + [Self.write("d", 1, at: 40, nil)], rules) == nil)
    }

    @Test func aRecordWithoutFieldsHasAnEditAllTheSame() {
        #expect(Self.edits([Self.write("a", 1, at: 10, [:])])?.latest.device == "a")
        #expect(Self.edits([Self.write("a", 1, at: 10, [:])], MergeRules(standard: .record(.lastWriterWins)))?.latest.device == "a")
    }
}
