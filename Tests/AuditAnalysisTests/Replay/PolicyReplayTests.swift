import AuditAnalysis
import ConflictAudit
import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Under every policy a replay loses what brute force says, and saves what it says.
@Suite struct PolicyReplayTests {
    /// In causal order, so that what is lost follows from the whole history.
    @Test(arguments: Batch.causal(count: UInt64(histories(5, of: 300)), firstSeed: 70_000_000))
    func everyPolicyAgreesWithBruteForce(_ batch: Batch) {
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode)
            let recorded = Oracle.Settings(deletes: batch.settings.deletes, inference: batch.settings.inference)
            let result = replay(history.writes, recorded.rules, batch.settings.rules)
            let story = Comment(rawValue: RandomHistory.story(seed, history.writes))
            let (before, after) = (Account(history, recorded), Account(history, batch.settings))
            #expect(result.outcomes[0].total.lost == before.losses.count, story)
            let outcome = result.outcomes[1]
            #expect(outcome.total.conflicts == after.conflicts, story)
            #expect(outcome.total.lost == after.losses.count, story)
            #expect(outcome.total.saved == before.losses.count { $0.edits.isDisjoint(with: after.edits) }, story)
            #expect(outcome.total.newlyLost == after.losses.count { !$0.edits.isSubset(of: before.edits) }, story)
            for (field, count) in outcome.byField {
                #expect(count.lost == after.losses.count { $0.type == field.type && $0.field == field.field }, story)
            }
            let changed = after.winners.count { pair, winner in before.winners[pair].map { $0 != winner } ?? false }
            #expect(outcome.total.winnersChanged == changed, story)
        }
    }

    @Test(arguments: Batch.otherPolicies(count: UInt64(histories(1, of: 20)), firstSeed: 71_000_000))
    func theRecordedPolicyChangesNothing(_ batch: Batch) {
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode)
            let result = replay(history.arrivals, batch.settings.rules, batch.settings.rules)
            let (recorded, same) = (result.outcomes[0].total, result.outcomes[1].total)
            #expect((same.saved, same.newlyLost, same.winnersChanged, same.valuesChanged) == (0, 0, 0, 0))
            #expect((same.conflicts, same.lost, same.waiting) == (recorded.conflicts, recorded.lost, recorded.waiting))
        }
    }

    @Test(arguments: [0, 1, 2] as [UInt64])
    func numbersAndListsReadAsIncrementsAddUpAsByBruteForce(_ block: UInt64) {
        for seed in (72_000_000 + block * 400)..<(72_000_000 + block * 400 + UInt64(histories(20, of: 400))) {
            let isCounter = seed % 2 == 0
            let history = RandomHistory(seed: seed, mode: .causal) { _, random in
                if random.percent(5) { return .null }
                if isCounter { return .number(JSONNumber(random.below(9))) }
                return .array((0..<random.below(4)).map { _ in .string(["x", "y", "z"][random.below(3)]) })
            }
            let recorded = Oracle.Settings(deletes: Oracle.Deletes.allCases[Int(seed / 2 % 3)])
            let policy: Oracle.Policy = isCounter ? .counter : .set
            let other = Oracle.Settings(policy: policy, deletes: recorded.deletes)
            var replay = PolicyReplay(
                recorded: .init(name: "", rules: recorded.rules), candidates: [.init(name: "", rules: other.rules)])
            for write in history.writes { replay.observe(write) }
            let story = Comment(rawValue: RandomHistory.story(seed, history.writes))
            var (before, after) = (Account(), Account())
            before.add(Oracle.judge(history.writes, recorded, isWhole: true).findings, history.writes)
            for register in Self.registers(history) {
                let own = history.writes.filter { $0.key == register.key }
                let changes = Changes(own, field: register.field, isCounter: isCounter, recorded).writes
                after.add(Oracle.judge(changes, other, isWhole: true).findings.filter { $0.field == register.field }, changes)
                guard let fields = replay.candidates[0].auditor.records().first(where: { $0.key == register.key })?.fields,
                    let value = fields[register.field]
                else { continue }
                if isCounter {
                    #expect(value == TallyOracle.counter(register.field, changes, deletes: other.deletes), story)
                } else {
                    #expect(value.array == TallyOracle.set(register.field, changes), story)
                }
            }
            let result = replay.result()
            #expect(result.outcomes[0].total.lost == before.losses.count, story)
            #expect(result.outcomes[1].total.lost == after.losses.count, story)
            #expect(result.outcomes[1].total.saved == before.losses.count { $0.edits.isDisjoint(with: after.edits) }, story)
            #expect(result.outcomes[1].total.newlyLost == after.losses.count { !$0.edits.isSubset(of: before.edits) }, story)
            for (field, count) in result.outcomes[1].byField {
                #expect(count.lost == after.losses.count { $0.type == field.type && $0.field == field.field }, story)
            }
        }
    }

    private static func registers(_ history: RandomHistory) -> Set<FieldRegister> {
        Set(history.writes.flatMap { write in (write.fields ?? [:]).map { FieldRegister(key: write.key, field: $0.name) } })
    }

    private struct FieldRegister: Hashable {
        let key: RecordKey
        let field: FieldName
    }

    private func replay(_ writes: [TaggedWrite], _ recorded: MergeRules, _ other: MergeRules) -> ReplayResult {
        var replay = PolicyReplay(recorded: .init(name: "recorded", rules: recorded), candidates: [.init(name: "other", rules: other)])
        for write in writes { replay.observe(write) }
        return replay.result()
    }
}

/// What brute force says was lost.
private struct Account {
    struct Loss {
        let type: RecordType
        let field: FieldName?
        let edits: Set<Edit>
    }

    struct Edit: Hashable {
        let key: RecordKey
        let dot: Dot
        let field: FieldName?
    }

    struct Pair: Hashable {
        let key: RecordKey
        let field: FieldName?
        let dots: [Dot]
    }

    private(set) var conflicts = 0
    var losses: [Loss] = []
    var edits: Set<Edit> = []
    var winners: [Pair: Dot] = [:]

    init() {}

    init(_ history: RandomHistory, _ settings: Oracle.Settings) {
        add(Oracle.judge(history.writes, settings, isWhole: true).findings, history.writes)
    }

    mutating func add(_ findings: [Oracle.Finding], _ writes: [TaggedWrite]) {
        conflicts += findings.count
        for finding in findings {
            let dots = [finding.winner, finding.loser].sorted()
            winners[Pair(key: finding.key, field: finding.field, dots: dots)] = finding.winner
            guard ["lossy", "destructive"].contains(finding.severity), !finding.isRepeated else { continue }
            let edits = Self.edits(finding, writes)
            losses.append(Loss(type: finding.key.type, field: finding.field, edits: edits))
            self.edits.formUnion(edits)
        }
    }

    private static func edits(_ finding: Oracle.Finding, _ writes: [TaggedWrite]) -> Set<Edit> {
        let loser = writes.first { $0.dot == finding.loser && $0.key == finding.key }
        let winner = writes.first { $0.dot == finding.winner && $0.key == finding.key }
        guard let fields = loser?.fields else { return [Edit(key: finding.key, dot: finding.loser, field: nil)] }
        if let field = finding.field { return [Edit(key: finding.key, dot: finding.loser, field: field)] }
        let lost = fields.filter { finding.part?.contains($0.name) != false && winner?.fields?[$0.name] != $0.value }
        return Set(lost.map { Edit(key: finding.key, dot: finding.loser, field: $0.name) })
    }
}

/// The writes to one record, their values of one field replaced by changes: each value against what the oracle shows of the writes that its writer
/// had seen.
private struct Changes {
    private(set) var writes: [TaggedWrite] = []

    init(_ plain: [TaggedWrite], field: FieldName, isCounter: Bool, _ recorded: Oracle.Settings) {
        for write in plain {
            guard case .put(let fields) = write.operation, let value = fields[field] else {
                writes.append(write)
                continue
            }
            let seen = plain.filter { write.hasSeen($0) && ($0.isDelete || $0.fields?[field] != nil) }
            let alone = seen.map { $0.isDelete ? $0 : $0.with($0.fields?[field] ?? .null, for: field) }
            let base = Oracle.judge(alone, recorded).state[write.key]?[field]
            var change = value
            if isCounter, let number = value.integer {
                let own = writes.last { $0.dot.device == write.dot.device && $0.fields?[field]?.object != nil }
                let isReset = writes.contains { reset in
                    guard let own, write.hasSeen(reset), reset.fields?[field]?.object == nil else { return false }
                    return (reset.isDelete || reset.fields?[field] != nil) && reset.hasSeen(own)
                }
                let total = isReset ? 0 : own?.fields?[field]?.object?["$counter"]?.integer ?? 0
                change = ["$counter": .number(JSONNumber(total + number - (base?.integer ?? 0)))]
            } else if let list = value.array {
                let before = base?.array ?? []
                change = ["$add": .array(list.filter { !before.contains($0) }), "$remove": .array(before.filter { !list.contains($0) })]
            }
            writes.append(write.with(change, for: field))
        }
    }
}

extension TaggedWrite {
    fileprivate func hasSeen(_ other: TaggedWrite) -> Bool {
        other.dot.device == dot.device ? other.dot.sequence < dot.sequence : (seen?[other.dot.device] ?? 0) >= other.dot.sequence
    }

    fileprivate func with(_ value: FieldValue, for field: FieldName) -> TaggedWrite {
        TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: .put([field: value]), seen: seen)
    }
}
