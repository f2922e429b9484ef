import SyncMerge
import SyncModel

/// Finds references to records that were deleted by a writer who did not know of the reference.
///
/// A reference dangles once: what becomes of its target later is told again only after the reference was written anew.
struct ReferenceAuditor: Sendable {
    /// The references to one record that have not been reported.
    private struct Referrers {
        /// Those to be held against the next deletion.
        var open: [RecordField: TaggedWrite] = [:]
        /// Those that ``deletion`` had seen: every deletion that had seen it in turn had seen them as well.
        var covered: [RecordField: TaggedWrite] = [:]
        var deletion: TaggedWrite?

        var isEmpty: Bool { open.isEmpty && covered.isEmpty }

        mutating func remove(_ field: RecordField) {
            open[field] = nil
            covered[field] = nil
        }
    }

    private struct Reference {
        let put: Dot
        let target: RecordKey
    }

    private let declared: [RecordType: [AuditRules.Reference]]
    /// The fields of any type that refer to another.
    private let everywhere: [(field: FieldName, target: RecordType)]
    private let targetTypes: Set<RecordType>
    private let rules: MergeRules
    private var references: [RecordField: Reference] = [:]
    private var referrers: [RecordKey: Referrers] = [:]

    /// An auditor of the declared references; nil where none is declared.
    init?(_ auditRules: AuditRules, mergeRules: MergeRules) {
        everywhere = auditRules.referencesInAnyType.sorted { $0.key < $1.key }.flatMap { field, targets in
            targets.sorted().map { (field, $0) }
        }
        guard !auditRules.references.isEmpty || !everywhere.isEmpty else { return nil }
        declared = Dictionary(grouping: auditRules.references.sorted { ($0.from, $0.to) < ($1.from, $1.to) }, by: \.from.type)
        targetTypes = Set(auditRules.references.map(\.to) + everywhere.map(\.target))
        rules = mergeRules
    }

    /// The types of records that are named as referring or as referred to.
    var types: Set<RecordType> { targetTypes.union(declared.keys) }

    /// Looks at a record after a write to it was merged.
    ///
    /// - Parameter other: Looks up another record.
    /// - Returns: What was not found before.
    /// - Complexity: A reference is looked at when it is written, and for each deletion of its target that had not seen the one before.
    mutating func observe(_ state: RecordState, other: (RecordKey) throws -> RecordState?) rethrows -> [ConstraintFinding] {
        var found: [ConstraintFinding] = []
        for reference in references(from: state.key.type) {
            guard let name = reference.from.field else { continue }
            found += try checkReference(reference, RecordField(key: state.key, name: name), state, other: other)
        }
        if targetTypes.contains(state.key.type), let deletion = state.deletion(rules: rules) {
            found += checkReferrers(to: state.key, deletion)
        }
        return found
    }

    private func references(from type: RecordType) -> [AuditRules.Reference] {
        let own = declared[type] ?? []
        if everywhere.isEmpty { return own }
        return own + everywhere.map { AuditRules.Reference(from: type, field: $0.field, to: $0.target) }.filter { !own.contains($0) }
    }

    private mutating func checkReference(
        _ reference: AuditRules.Reference, _ field: RecordField, _ state: RecordState, other: (RecordKey) throws -> RecordState?
    ) rethrows -> [ConstraintFinding] {
        let target = state.shownValue(of: field.name, rules: rules)?.recordID.map { RecordKey(type: reference.to, id: $0) }
        let put = target == nil ? nil : state.shownWrite(of: field.name, rules: rules)
        let old = references[field]
        if let old, old.target == target, old.put == put?.dot { return [] }
        if let old {
            referrers[old.target]?.remove(field)
            if referrers[old.target]?.isEmpty == true { referrers[old.target] = nil }
            references[field] = nil
        }
        guard let target, let put else { return [] }
        references[field] = Reference(put: put.dot, target: target)
        let deletion = target == state.key ? nil : try other(target)?.deletion(rules: rules)
        if let deletion, put.isUnaware(of: deletion, intervals: rules.intervals) { return [dangling(put, field, deletion)] }
        referrers[target, default: Referrers()].open[field] = put
        return []
    }

    private mutating func checkReferrers(to target: RecordKey, _ deletion: TaggedWrite) -> [ConstraintFinding] {
        guard var group = referrers.removeValue(forKey: target) else { return [] }
        if group.deletion.map({ $0.dot == deletion.dot || deletion.hasSeen($0, intervals: rules.intervals) }) != true {
            group.open.merge(group.covered) { open, _ in open }
            group.covered = [:]
        }
        var found: [ConstraintFinding] = []
        for (field, put) in group.open {
            if put.isUnaware(of: deletion, intervals: rules.intervals) {
                group.open[field] = nil
                found.append(dangling(put, field, deletion))
            } else if deletion.hasSeen(put, intervals: rules.intervals) {
                group.open[field] = nil
                group.covered[field] = put
            }
        }
        group.deletion = deletion
        if !group.isEmpty { referrers[target] = group }
        return found.sorted { ($0.loser.key, $0.field) < ($1.loser.key, $1.field) }
    }

    private func dangling(_ put: TaggedWrite, _ field: RecordField, _ deletion: TaggedWrite) -> ConstraintFinding {
        ConstraintFinding(kind: .danglingReference, field: field.name, winner: deletion, loser: put)
    }
}

extension RecordState {
    /// What a field of the record shows; nil where the record is not shown.
    ///
    /// - Parameter rules: Those by which the writes were merged.
    func shownValue(of field: FieldName, rules: MergeRules) -> FieldValue? {
        guard case .fields = rules.scope(for: key.type) else { return shown(field, rules: rules) }
        guard let value = value(of: field, rules: rules), value != .null, isShown(asMergedBy: rules) else { return nil }
        return value
    }
}

extension FieldValue {
    /// The identity of the record that a value refers to: a string, or a number as it is written.
    fileprivate var recordID: RecordID? {
        switch self {
        case .string(let text): RecordID(text)
        case .number(let number): RecordID(number.text)
        default: nil
        }
    }
}
