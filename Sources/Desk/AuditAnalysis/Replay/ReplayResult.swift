package import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// What came of a trace under each set of rules.
package struct ReplayResult: Sendable {
    /// What came of it under one set of rules.
    package struct Outcome: Sendable {
        /// The name of the rules.
        package let name: String
        /// Fields that hold single values and would hold lists, of those fought over.
        package internal(set) var fieldsMadeLists = 0
        /// All registers together.
        package internal(set) var total = Count()
        /// Each register that was fought over, or shows something else than under the recorded rules.
        package internal(set) var byField: [ConflictStatistics.FieldKey: Count] = [:]
    }

    /// What became of a register, or of all.
    package struct Count: Hashable, Sendable {
        /// Conflicts found.
        package internal(set) var conflicts = 0
        /// Those that discarded a value, or would if the app never decided.
        package internal(set) var lost = 0
        /// Those of the lost that are suspected and not proven.
        package internal(set) var suspected = 0
        /// Those of the lost that wait for the app.
        package internal(set) var waiting = 0
        /// Losses under the recorded rules whose edits are all kept here.
        package internal(set) var saved = 0
        /// Losses here of edits that the recorded rules keep.
        package internal(set) var newlyLost = 0
        /// Conflicts that both find and decide differently.
        package internal(set) var winnersChanged = 0
        /// Fields that show another value in the end.
        package internal(set) var valuesChanged = 0
    }

    /// Writes replayed.
    package let writes: Int
    /// How far they can tell of conflicts.
    package let evidence: TraceEvidence
    /// What was found under the recorded rules, and what was looked for, as a sentence's end.
    package let finding: String
    /// Writes of numbers or lists that do not say what they had seen.
    package let plainWritesWithoutContext: Int
    /// The recorded rules first.
    package let outcomes: [Outcome]
    /// What to change, where most is lost first.
    package let recommendations: [Recommendation]

    /// The registers in the order in which they are shown: where most is lost under any of the rules first.
    package var fields: [ConflictStatistics.FieldKey] {
        var worst: [ConflictStatistics.FieldKey: (any: Int, recorded: Int)] = [:]
        for (index, outcome) in outcomes.enumerated() {
            for (field, count) in outcome.byField where count.conflicts > 0 {
                var entry = worst[field] ?? (0, 0)
                if index == 0 { entry.recorded = count.lost }
                entry.any = max(entry.any, count.lost)
                worst[field] = entry
            }
        }
        return worst.ordered { left, right in
            left.value == right.value ? left.key < right.key : left.value > right.value
        }.map(\.key)
    }
}

extension ReplayResult.Outcome {
    init(_ pass: ReplayPass, against recorded: ReplayPass, shown: [(key: RecordKey, fields: FieldMap)]) {
        name = pass.name
        for (register, count) in pass.conflicts { add(register) { $0.conflicts += count } }
        for loss in pass.losses {
            let isNew = loss.edits.contains { !recorded.lostEdits.contains($0) }
            add(loss.register) { count in
                count.lost += 1
                if loss.isSuspected { count.suspected += 1 }
                if loss.isWaiting { count.waiting += 1 }
                if isNew { count.newlyLost += 1 }
            }
        }
        for loss in recorded.losses where !loss.edits.contains(where: pass.lostEdits.contains) {
            add(loss.register) { $0.saved += 1 }
        }
        for (id, winner) in pass.winners {
            if let other = recorded.winners[id], other.isFirst != winner.isFirst {
                add(pass.register(of: winner)) { $0.winnersChanged += 1 }
            }
        }
        compare(pass.auditor.records(), shown, rules: (pass.rules, recorded.rules))
    }

    private mutating func add(_ register: ConflictStatistics.FieldKey, _ change: (inout ReplayResult.Count) -> Void) {
        change(&total)
        change(&byField[register, default: ReplayResult.Count()])
    }

    /// Counts the fields that show something else; both lists are in order.
    private mutating func compare(
        _ mine: [(key: RecordKey, fields: FieldMap)], _ theirs: [(key: RecordKey, fields: FieldMap)],
        rules: (mine: MergeRules, theirs: MergeRules)
    ) {
        var (left, right) = (mine[...], theirs[...])
        while let key = [left.first?.key, right.first?.key].compactMap({ $0 }).min() {
            let one = left.first?.key == key ? left.removeFirst().fields : FieldMap()
            let other = right.first?.key == key ? right.removeFirst().fields : FieldMap()
            guard one != other else { continue }
            for name in Set(one.names).union(other.names) {
                let policies = [rules.mine, rules.theirs].map {
                    $0.scope(for: key.type).isRecord ? nil : $0.policy(for: key.type, field: name)
                }
                if ShownValue.areSame(one[name], other[name], policies) { continue }
                add(ConflictStatistics.FieldKey(type: key.type, field: name)) { $0.valuesChanged += 1 }
            }
        }
    }
}
