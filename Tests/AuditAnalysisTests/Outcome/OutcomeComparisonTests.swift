import AuditAnalysis
import AuditSamples
import ConflictAudit
import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// An outcome agrees with the policies with which brute force agrees.
@Suite struct OutcomeComparisonTests {
    private static let policies: [Oracle.Settings] = [
        Oracle.Settings(), Oracle.Settings(isRecordLevel: true), Oracle.Settings(policy: .firstWriterWins),
    ]

    @Test(arguments: Batch.otherPolicies(count: UInt64(histories(1, of: 40)), firstSeed: 90_000_000))
    func agreesWithTheOracle(_ batch: Batch) {
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode)
            let candidates = Self.policies.map { policy in
                var policy = policy
                (policy.deletes, policy.inference) = (batch.settings.deletes, batch.settings.inference)
                return policy
            }
            // The system has a policy of its own, or one of the candidates.
            let system = seed % 2 == 0 ? batch.settings : candidates[Int(seed / 2 % 3)]
            let outcome = Oracle.judge(history.arrivals, system).state
            let result = Self.compare(history.arrivals, outcome, candidates + [system])
            let story = Comment(rawValue: RandomHistory.story(seed, history.arrivals))
            guard let type = result.types.first else {
                #expect(outcome.isEmpty, story)
                continue
            }
            // The rule stated is that of the system, so that none explains more.
            #expect(type.deletes == candidates[0].rules.deletes, story)
            #expect(result.unexplainedCount == 0, story)
            let states = (candidates + [system]).map { Oracle.judge(history.arrivals, $0).state }
            let expected = Expected(states, outcome, fields: Set(history.writes.flatMap { $0.fields?.names.map(\.self) ?? [] }))
            #expect(type.total.differing == expected.differing, story)
            #expect((0..<4).map(type.total.agreeing) == expected.agreeing, story)
            #expect(type.total.agreeing(with: 3) == type.total.differing, story)
            #expect(type.total.alikeAgreeing == type.total.alike, story)
        }
    }

    @Test(arguments: Oracle.Deletes.allCases)
    func theDeletePolicyIsFoundWithoutBeingStated(deletes: Oracle.Deletes) {
        var told = 0
        for seed in 91_000_000..<91_000_000 + UInt64(histories(80, of: 400)) {
            let history = RandomHistory(seed: seed, mode: .causal)
            let system = Oracle.Settings(deletes: deletes)
            let result = Self.compare(history.arrivals, Oracle.judge(history.arrivals, system).state, Self.policies)
            guard let type = result.types.first else { continue }
            #expect(result.unexplainedCount == 0, Comment(rawValue: RandomHistory.story(seed, history.arrivals)))
            // Another policy may explain all under another rule.
            guard type.best == [0], type.deletesDiffering > 0 else { continue }
            let best = type.deletesAgreeing[system.rules.deletes] == type.deletesDiffering
            #expect(best || type.deletes != system.rules.deletes)
            if best { told += 1 }
        }
        #expect(told > histories(2, of: 10))
    }

    private static func compare(
        _ writes: [TaggedWrite], _ outcome: [RecordKey: FieldMap], _ policies: [Oracle.Settings]
    ) -> OutcomeResult {
        var comparison = OutcomeComparison(
            recorded: policies[0].rules, candidates: policies.map { .init(name: "\($0.policy)", rules: $0.rules) })
        for write in writes { comparison.observe(write) }
        var rows = OutcomeRows()
        for (key, fields) in outcome { rows.insert(OutcomeRows.Row(fields: fields, isText: false), of: key, at: "") }
        return comparison.result(rows, listing: 10)
    }

    /// The counts, by a look at every field of every record.
    private struct Expected {
        private(set) var differing = 0
        private(set) var agreeing: [Int]

        init(_ states: [[RecordKey: FieldMap]], _ outcome: [RecordKey: FieldMap], fields: Set<FieldName>) {
            agreeing = states.map { _ in 0 }
            for key in Set(states.flatMap(\.keys)) {
                add(states.map { .bool($0[key] != nil) }, .bool(outcome[key] != nil))
                guard let row = outcome[key] else { continue }
                for field in fields { add(states.map { $0[key]?[field] }, row[field]) }
            }
        }

        private mutating func add(_ values: [FieldValue?], _ actual: FieldValue?) {
            guard Set(values).count > 1 else { return }
            differing += 1
            for index in values.indices where values[index] == actual { agreeing[index] += 1 }
        }
    }

    // MARK: Small cases

    private var writes: [TaggedWrite] = []

    private mutating func write(_ device: DeviceID, id: RecordID = "1", _ fields: FieldMap?, saw seen: VersionVector = [:]) {
        let number = UInt64(writes.count { $0.dot.device == device }) + 1
        writes.append(
            TaggedWrite(
                dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(writes.count) * 1000),
                key: RecordKey(type: "Card", id: id), operation: fields.map { .put($0) } ?? .delete, seen: seen))
    }

    private func result(_ outcome: [RecordID: FieldMap], _ policies: [Oracle.Settings] = policies) -> OutcomeResult {
        let rows = outcome.map { (RecordKey(type: "Card", id: $0.key), $0.value) }
        return Self.compare(writes, Dictionary(uniqueKeysWithValues: rows), policies)
    }

    @Test mutating func twoPoliciesThatNoFieldTellsApartAreNamed() throws {
        write("a", ["name": "Ada", "phone": "1"])
        write("b", ["name": "Bea", "phone": "2"])
        let type = try #require(result(["1": ["name": "Bea", "phone": "2"]]).types.first)
        #expect(type.best == [0, 1])
        #expect(type.mergesRecords == nil)
        #expect(type.total.groups(of: 3) == [[0, 1], [2]])
        #expect(type.lost == ["name": 1, "phone": 1])
    }

    @Test mutating func mergingPerRecordLosesWhatMergingPerPropertyKeeps() throws {
        write("a", ["name": "Ada", "phone": "1"])
        write("a", ["name": "Eve"], saw: ["a": 1])
        write("b", ["phone": "2"], saw: ["a": 1])
        let perRecord = try #require(result(["1": ["name": "Ada", "phone": "2"]]).types.first)
        #expect(perRecord.mergesRecords == true && perRecord.best == [1])
        #expect(perRecord.lost == ["name": 1])
        let perProperty = try #require(result(["1": ["name": "Eve", "phone": "2"]]).types.first)
        #expect(perProperty.mergesRecords == false && perProperty.best == [0, 2])
        #expect(perProperty.lost == [:])
    }

    @Test mutating func anEditOfADeletedRecordWasLost() throws {
        write("a", ["name": "Ada"])
        write("a", nil, saw: ["a": 1])
        write("b", ["name": "Eve"], saw: ["a": 1])
        write("a", id: "2", ["name": "Bea"])
        let gone = try #require(result(["2": ["name": "Bea"]]).types.first)
        #expect(gone.deletes == .deleteWins && gone.deletesDiffering == 1)
        #expect(gone.deletesAgreeing == [.deleteWins: 1, .editWins: 0, .lastWriterWins: 0])
        #expect(gone.lost == ["name": 1])
        let kept = try #require(result(["1": ["name": "Eve"], "2": ["name": "Bea"]]).types.first)
        // The record and its field: both rules by which it is there have the field too.
        #expect(kept.deletes == .editWins && kept.deletesDiffering == 2)
        #expect(kept.deletesAgreeing == [.deleteWins: 0, .editWins: 2, .lastWriterWins: 2])
        #expect(kept.lost == [:])
    }

    @Test mutating func anEditOfAFieldThatNoPolicyShowsWasLost() throws {
        write("a", ["name": "Ada"])
        write("a", nil, saw: ["a": 1])
        write("b", ["name": "Eve"], saw: ["a": 1])
        write("c", ["phone": "1"], saw: ["a": 2])
        #expect(try #require(result(["1": ["phone": "1"]]).types.first).lost == ["name": 1])
    }

    @Test mutating func whoWroteWhatWasThereLostNothing() throws {
        write("a", ["name": "Ada"])
        write("b", ["name": "Ada"], saw: ["a": 1])
        write("a", ["name": "Eve"], saw: ["a": 1])
        #expect(try #require(result(["1": ["name": "Eve"]]).types.first).lost == [:])
        #expect(try #require(result(["1": ["name": "Ada"]]).types.first).lost == ["name": 1])
    }

    @Test mutating func aRowThatNoPolicyExplainsIsListedAndTheRestCounted() throws {
        for id in 1...12 { write("a", id: RecordID("\(id)"), ["name": "Ada"]) }
        var outcome: [RecordID: FieldMap] = ["13": ["name": "Nobody"], "14": ["age": 3]]
        for id in 2...12 { outcome[RecordID("\(id)")] = ["name": id == 3 ? "Ada" : "Eve"] }
        let result = result(outcome)
        #expect(result.unexplainedCount == 11)
        #expect(result.unexplained.count == 10)
        let first = try #require(result.unexplained.first)
        #expect(first.key.id == "1")
        #expect(first.fields.map(\.name) == [nil] && first.fields[0].shown == false && first.fields[0].expected == true)
        #expect(result.unexplained[1].fields.map(\.name) == ["name"])
        #expect(result.unexplained[1].fields[0].shown == "Eve" && result.unexplained[1].fields[0].expected == "Ada")
        let type = try #require(result.types.first)
        #expect((type.rows, type.rowsOfOthers) == (11, 2))
        #expect(type.unknownFields == ["age"])
        // An edit that is not shown was not lost to another that the trace knows.
        #expect(type.lost == [:])
    }

    @Test mutating func aFieldWrittenInAnotherWayThroughoutIsNotCompared() throws {
        for id in 1...4 { write("a", id: RecordID("\(id)"), ["at": "2026-01-15T14:00:00Z", "name": "Ada"]) }
        var outcome: [RecordID: FieldMap] = [:]
        for id in 1...4 { outcome[RecordID("\(id)")] = ["at": "2026-01-15 14:00:00+00", "name": "Ada"] }
        let all = result(outcome)
        #expect(all.types.first?.fieldsNotCompared == ["at"])
        #expect(all.unexplainedCount == 0)
        outcome["4"]?["at"] = "2026-01-15T14:00:00Z"
        let some = result(outcome)
        #expect(some.types.first?.fieldsNotCompared == [])
        #expect(some.unexplainedCount == 3)
    }

    @Test mutating func aCounterIsRecognizedByItsSum() throws {
        write("a", ["visits": 5])
        write("a", ["visits": 6], saw: ["a": 1])
        write("b", ["visits": 7], saw: ["a": 1])
        let counter = Oracle.Settings(policy: .counter)
        let type = try #require(result(["1": ["visits": 8]], Self.policies + [counter]).types.first)
        #expect(type.best == [3])
        #expect(type.lost == [:])
    }
}
