package import SyncMerge
package import SyncModel

/// Finds what no single record's merge can see: values that must be unique and are not, and references to records deleted meanwhile.
///
/// Both are decided by what is shown after each arrival, so a conflict is found whichever write comes second.
package struct ConstraintAuditor {
    private let auditRules: AuditRules
    private let rules: MergeRules
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
    package init?(_ auditRules: AuditRules, mergeRules: MergeRules) {
        guard !auditRules.uniqueFields.isEmpty || !auditRules.references.isEmpty else { return nil }
        self.auditRules = auditRules
        rules = mergeRules
    }

    /// The types of records that a constraint says something about.
    package var types: Set<RecordType> {
        Set(auditRules.uniqueFields.map(\.type)).union(auditRules.references.flatMap { [$0.from.type, $0.to] })
    }

    /// Looks at a record after a write to it was merged.
    ///
    /// - Parameter other: Looks up another record.
    /// - Returns: What was not found before.
    package mutating func observe(
        _ state: RecordState, other: (RecordKey) throws -> RecordState?
    ) rethrows -> [ConstraintFinding] {
        let shown = state.shown(rules: rules)
        var found: [ConstraintFinding] = []
        for unique in auditRules.uniqueFields where unique.type == state.key.type {
            guard let field = unique.field else { continue }
            found += try checkUnique(unique, field: field, state: state, value: shown?[field], other: other)
        }
        for reference in auditRules.references where reference.from.type == state.key.type {
            guard let field = reference.from.field else { continue }
            found += try checkReference(reference, field: field, state: state, value: shown?[field], other: other)
        }
        if shown == nil, let deletion = state.winner(of: nil, rules: rules), deletion.isDelete {
            for referrer in (referrers[state.key] ?? []).sorted(by: { ($0.key, $0.field) < ($1.key, $1.field) }) {
                guard let put = try other(referrer.key)?.winner(of: referrer.field, rules: rules) else { continue }
                found += dangling(put: put, field: referrer.field, deletion: deletion)
            }
        }
        return found.filter { reported.insert($0.id).inserted }
    }

    private mutating func checkUnique(
        _ unique: ConflictStatistics.FieldKey, field: FieldName, state: RecordState, value: FieldValue?,
        other: (RecordKey) throws -> RecordState?
    ) rethrows -> [ConstraintFinding] {
        let register = Register(key: state.key, field: field)
        guard held[register] != value else { return [] }
        if let old = held[register] { holders[UniqueValue(field: unique, value: old)]?.remove(state.key) }
        held[register] = value
        guard let value, let mine = state.winner(of: field, rules: rules) else { return [] }
        var found: [ConstraintFinding] = []
        for holder in holders[UniqueValue(field: unique, value: value), default: []].sorted() {
            guard let theirs = try other(holder)?.winner(of: field, rules: rules), areConcurrent(mine, theirs) else { continue }
            let (winner, loser) = theirs.precedes(mine) ? (mine, theirs) : (theirs, mine)
            found.append(ConstraintFinding(kind: .sharedValue, field: field, winner: winner, loser: loser))
        }
        holders[UniqueValue(field: unique, value: value), default: []].insert(state.key)
        return found
    }

    private mutating func checkReference(
        _ reference: AuditRules.Reference, field: FieldName, state: RecordState, value: FieldValue?,
        other: (RecordKey) throws -> RecordState?
    ) rethrows -> [ConstraintFinding] {
        let register = Register(key: state.key, field: field)
        if let old = targets.removeValue(forKey: register) { referrers[old]?.remove(register) }
        guard let target = value?.string.map({ RecordKey(type: reference.to, id: RecordID($0)) }) else { return [] }
        targets[register] = target
        referrers[target, default: []].insert(register)
        guard let put = state.winner(of: field, rules: rules), let deletion = try other(target)?.winner(of: nil, rules: rules),
            deletion.isDelete
        else { return [] }
        return dangling(put: put, field: field, deletion: deletion)
    }

    private func dangling(put: TaggedWrite, field: FieldName, deletion: TaggedWrite) -> [ConstraintFinding] {
        guard areConcurrent(put, deletion) else { return [] }
        return [ConstraintFinding(kind: .danglingReference, field: field, winner: deletion, loser: put)]
    }

    /// Whether neither writer is known to have seen the other's write, which here is to a different record.
    private func areConcurrent(_ one: TaggedWrite, _ other: TaggedWrite) -> Bool {
        guard one.dot.device != other.dot.device, one.seen?.covers(other.dot) != true, other.seen?.covers(one.dot) != true else {
            return false
        }
        let (earlier, later) = one.precedes(other) ? (one, other) : (other, one)
        // Whoever does not say what it had seen is taken to have seen what is older, as in the merge of one record.
        return later.seen != nil || later.timestamp.milliseconds.distance(after: earlier.timestamp.milliseconds) <= rules.proximity
    }
}
