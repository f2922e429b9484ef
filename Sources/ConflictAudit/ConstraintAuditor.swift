import SyncMerge
import SyncModel

/// Finds what no single record's merge can see: values that must be unique and are not, and references to records deleted meanwhile.
///
/// Both are decided by what is shown after each arrival, so a conflict is found whichever write comes second.
struct ConstraintAuditor {
    private let classifier: ConflictClassifier
    /// For each declared unique field and value, the records that show it.
    private var holders: [UniqueValue: Set<RecordKey>] = [:]
    /// What each record shows in its unique fields, to take it out of `holders` when that changes.
    private var held: [Register: FieldValue] = [:]
    /// For each record referred to, the fields that refer to it.
    private var referrers: [RecordKey: Set<Register>] = [:]
    private var targets: [Register: RecordKey] = [:]
    private var reported: Set<ConflictID> = []

    private struct UniqueValue: Hashable {
        let field: ConflictStatistics.FieldKey
        let value: FieldValue
    }

    private struct Register: Hashable {
        let key: RecordKey
        let field: FieldName
    }

    /// An auditor of the declared constraints; nil where none is declared.
    init?(rules: AuditRules) {
        guard !rules.uniqueFields.isEmpty || !rules.references.isEmpty else { return nil }
        classifier = ConflictClassifier(rules: rules)
    }

    /// Looks at a record after a write to it was merged.
    mutating func observe(_ write: TaggedWrite, state: RecordState, states: [RecordKey: RecordState], rules: MergeRules) -> [Conflict] {
        let shown = state.shown(rules: rules)
        var found: [Conflict] = []
        for unique in classifier.rules.uniqueFields where unique.type == write.key.type {
            guard let field = unique.field else { continue }
            found += checkUnique(unique, field: field, state: state, value: shown?[field], states: states, rules: rules)
        }
        for reference in classifier.rules.references where reference.from.type == write.key.type {
            guard let field = reference.from.field else { continue }
            found += checkReference(reference, field: field, state: state, value: shown?[field], states: states, rules: rules)
        }
        if shown == nil, let deletion = state.winner(of: nil, rules: rules), deletion.isDelete {
            for referrer in (referrers[write.key] ?? []).sorted(by: { ($0.key, $0.field) < ($1.key, $1.field) }) {
                guard let put = states[referrer.key]?.winner(of: referrer.field, rules: rules) else { continue }
                found += dangling(put: put, field: referrer.field, deletion: deletion)
            }
        }
        return found.filter { reported.insert($0.id).inserted }
    }

    private mutating func checkUnique(
        _ unique: ConflictStatistics.FieldKey, field: FieldName, state: RecordState, value: FieldValue?, states: [RecordKey: RecordState],
        rules: MergeRules
    ) -> [Conflict] {
        let register = Register(key: state.key, field: field)
        guard held[register] != value else { return [] }
        if let old = held[register] { holders[UniqueValue(field: unique, value: old)]?.remove(state.key) }
        held[register] = value
        guard let value, let mine = state.winner(of: field, rules: rules) else { return [] }
        var found: [Conflict] = []
        for other in holders[UniqueValue(field: unique, value: value), default: []].sorted() {
            guard let theirs = states[other]?.winner(of: field, rules: rules), areConcurrent(mine, theirs) else { continue }
            let (winner, loser) = theirs.precedes(mine) ? (mine, theirs) : (theirs, mine)
            found.append(
                conflict(
                    .uniqueKey, severity: .merged, winner: winner, loser: loser, field: field, related: loser.key,
                    resolution: .manualPending,
                    reason: winner.timestamp == loser.timestamp ? .tieBreak : .newer, policy: "unique"))
        }
        holders[UniqueValue(field: unique, value: value), default: []].insert(state.key)
        return found
    }

    private mutating func checkReference(
        _ reference: AuditRules.Reference, field: FieldName, state: RecordState, value: FieldValue?, states: [RecordKey: RecordState],
        rules: MergeRules
    ) -> [Conflict] {
        let register = Register(key: state.key, field: field)
        if let old = targets.removeValue(forKey: register) { referrers[old]?.remove(register) }
        guard let target = value?.string.map({ RecordKey(type: reference.to, id: RecordID($0)) }) else { return [] }
        targets[register] = target
        referrers[target, default: []].insert(register)
        guard let put = state.winner(of: field, rules: rules), let deletion = states[target]?.winner(of: nil, rules: rules),
            deletion.isDelete
        else { return [] }
        return dangling(put: put, field: field, deletion: deletion)
    }

    private func dangling(put: TaggedWrite, field: FieldName, deletion: TaggedWrite) -> [Conflict] {
        guard areConcurrent(put, deletion) else { return [] }
        return [
            conflict(
                .danglingReference, severity: .lossy, winner: deletion, loser: put, field: field, related: deletion.key,
                resolution: .manualPending, reason: .deleteWins, policy: "reference")
        ]
    }

    /// Whether neither writer is known to have seen the other's write, which here is to a different record.
    private func areConcurrent(_ one: TaggedWrite, _ other: TaggedWrite) -> Bool {
        one.dot.device != other.dot.device && one.seen?.covers(other.dot) != true && other.seen?.covers(one.dot) != true
    }

    private func conflict(
        _ kind: Conflict.Kind, severity: Conflict.Severity, winner: TaggedWrite, loser: TaggedWrite, field: FieldName, related: RecordKey,
        resolution: Conflict.Resolution, reason: Conflict.Reason, policy: String
    ) -> Conflict {
        let gap = classifier.gap(winner, loser)
        // A dangling reference belongs to the record that refers, a shared value to the record that keeps it.
        let key = kind == .danglingReference ? loser.key : winner.key
        return Conflict(
            id: ConflictID(key: min(winner.key, loser.key), field: field, dots: (winner.dot, loser.dot)), kind: kind, severity: severity,
            basis: winner.evidence(against: loser), key: key, field: field, related: related,
            winner: Conflict.Side(winner, field: field), loser: Conflict.Side(loser, field: field), gapMilliseconds: gap,
            withinWindow: gap <= classifier.rules.window, windowMilliseconds: classifier.rules.window, policy: policy,
            resolution: resolution, reason: reason, clockSuspect: false)
    }
}
