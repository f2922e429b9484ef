import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Unsent writes under new names.
@Suite struct RenamingTests {
    private static let values: [FieldValue] = [1, 2, "s", .null, ["a"], SetWrite(added: ["a", "b"]).value, SetWrite(removed: ["a"]).value]

    @Test(arguments: [true, false])
    func aRecordOfRenamedWritesIsTheRecordOfTheNewNames(_ isSet: Bool) {
        var renamings = 0
        for seed in 1...UInt64(histories(80, of: 400)) {
            let rules =
                isSet
                ? MergeRules(standard: .fields(.set))
                : MergeRules(standard: seed % 5 == 0 ? .record(.lastWriterWins) : .fields(.lastWriterWins))
            let history = RandomHistory(seed: seed, mode: .causal) { _, random in Self.values[random.below(Self.values.count)] }
            for device in RandomHistory.devices {
                let sent = history.writes.filter { $0.dot.device != device }.compactMap { $0.seen?[device] }.max() ?? 0
                let unsent = history.writes.filter { $0.dot.device == device && $0.dot.sequence > sent }
                if unsent.isEmpty { continue }
                let renaming = Renaming(unsent, from: device, to: DeviceID(device.rawValue + "~1"), acknowledged: sent, bases: [:])
                for (key, arrivals) in Dictionary(grouping: history.writes, by: \.key) {
                    var state = RecordState(key: key, writes: arrivals, rules: rules)
                    state.rename(renaming)
                    let wanted = RecordState(key: key, writes: arrivals.map(renaming.write), rules: rules)
                    renamings += 1
                    #expect(state.shown(rules: rules) == wanted.shown(rules: rules), "seed \(seed), \(device)")
                    #expect(
                        Set(state.maximalWrites(of: nil, rules: rules)) == Set(wanted.maximalWrites(of: nil, rules: rules)), "seed \(seed)")
                }
            }
        }
        #expect(renamings > histories(80, of: 400))
    }

    @Test func aRenamedWriteThatArrivesAgainIsRecognised() {
        let writes = (1...50).map { put(DeviceID("d\($0)"), at: Int64($0), ["x": .number(JSONNumber(Int64($0)))]) }
        let renaming = Renaming([writes[40]], from: "d41", to: "d41~1", acknowledged: 0, bases: [:])
        let rules = MergeRules()
        var state = RecordState(key: writes[0].key, writes: writes, rules: rules)
        state.rename(renaming)
        #expect(state.merge(renaming.renamed[0], rules: rules).isEmpty)
        for field in ["x", nil] as [FieldName?] {
            #expect(state.maximalWrites(of: field, rules: rules) == writes.map(renaming.write))
        }
    }

    @Test func aRunningTotalStartsAgainUnderANewName() {
        let rules = MergeRules(standard: .fields(.counter))
        func count(_ sequence: UInt64, _ total: Int64, saw: VersionVector) -> TaggedWrite {
            put("a", sequence, at: Int64(sequence), ["n": CounterWrite(total: total).value], saw: saw)
        }
        let (sent, first, second) = (count(1, 5, saw: [:]), count(2, 7, saw: ["a": 1]), count(3, 17, saw: ["a": 2]))
        var state = RecordState(key: sent.key, writes: [sent, first, second], rules: rules)
        let renaming = Renaming([first, second], from: "a", to: "a~1", acknowledged: 1, bases: [2: ["n": sent], 3: ["n": sent]])
        state.rename(renaming)
        #expect(renaming.renamed.map { $0.value(of: "n") } == [CounterWrite(total: 2).value, CounterWrite(total: 12).value])
        #expect(renaming.renamed.map(\.seen) == [["a": 1], ["a": 1, "a~1": 1]])
        #expect(state.shown(rules: rules) == ["n": 17])
        #expect(state.runningTotal(of: "n", by: "a") == 5 && state.runningTotal(of: "n", by: "a~1") == 12)
    }

    /// What a delete took was one total; under two names it is two, and each device tells of both.
    @Test(arguments: [true, false]) func aDeleteTookWhatARenamedTotalWentOnFrom(_ isRenamedAfterwards: Bool) throws {
        let rules = MergeRules(standard: .fields(.counter))
        func count(_ sequence: UInt64, _ total: Int64) -> TaggedWrite {
            put("a", sequence, at: Int64(sequence), ["n": CounterWrite(total: total).value], saw: ["a": sequence - 1])
        }
        let counts = (1...2).map { count($0, Int64($0)) }
        let renaming = Renaming(
            Array(counts.dropFirst()), from: "a", to: "a~1", acknowledged: 1,
            bases: [2: ["n": counts[0]]])
        let gone = delete("b", 1, at: 10, saw: [:])
        var state = RecordState(key: counts[0].key, writes: counts, rules: rules)
        if isRenamedAfterwards {
            state.rename(renaming)
            #expect(state.merge(gone, rules: rules).map(\.loser.dot) == [renaming.renamed[0].dot, counts[0].dot])
            return
        }
        let told = state.merge(gone, rules: rules)
        #expect(told.map(\.loser.dot) == [counts[1].dot])
        state.rename(renaming)
        let more = try #require(told.first.flatMap { state.decisionOnBase($0, renaming, rules: rules) })
        #expect(more.winner == gone && more.loser == counts[0] && more.reason == .deleteWins)
        // Another delete takes nothing more.
        #expect(state.merge(delete("c", 1, at: 11, saw: [:]), rules: rules).allSatisfy { $0.loser.isDelete })
    }

    /// A total that a delete had taken before another one went on from it is told with that delete.
    @Test func aDeleteTakesATotalOnce() throws {
        let rules = MergeRules(standard: .fields(.counter))
        let sent = put("a", 1, at: 1, ["n": CounterWrite(total: 1).value], saw: [:])
        let first = delete("b", 1, at: 2, saw: [:])
        let later = put("a", 2, at: 3, ["n": CounterWrite(total: 2).value], saw: ["a": 1, "b": 1])
        // It has seen the first delete, of which nothing is held any more.
        let second = delete("b", 2, at: 4, saw: ["b": 1])
        var state = RecordState(key: sent.key)
        let told = [sent, first, later, second].flatMap { state.merge($0, rules: rules) }.filter { !$0.loser.isDelete }
        #expect(told.map(\.loser.dot) == [sent.dot, later.dot])
        let renaming = Renaming([later], from: "a", to: "a~1", acknowledged: 1, bases: [2: ["n": sent]])
        state.rename(renaming)
        #expect(told.compactMap { state.decisionOnBase($0, renaming, rules: rules) }.isEmpty)
    }
}
