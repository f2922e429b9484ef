package import SyncMerge
package import SyncModel

/// Finds records that came to show one value of a field declared unique without knowing of each other.
///
/// The *holder* of a value is the record that shows it since the earliest write in the total order. A record that comes to show the
/// value is held against the holder, so each newcomer makes one conflict at most, however many share the value. The holder wins,
/// whichever of the two arrived first: two devices that find the conflict name the same winner. When a record gives the value up, the
/// two that now show it longest are held against each other: while two share a value unknowingly, a conflict waits.
///
/// A newcomer whose writer had seen the holder is no conflict. Neither is the empty string: it is no value, like null.
package struct UniqueAuditor: Sendable {
    private let fields: [RecordType: [FieldName]]
    /// The unique fields of any type.
    private let everywhere: [FieldName]
    private let rules: MergeRules

    /// An auditor of the unique fields; nil where none is declared.
    package init?(_ auditRules: AuditRules, mergeRules: MergeRules) {
        everywhere = auditRules.uniqueInAnyType.sorted()
        guard !auditRules.uniqueFields.isEmpty || !everywhere.isEmpty else { return nil }
        fields = Dictionary(grouping: auditRules.uniqueFields.sorted(), by: \.type).mapValues { $0.compactMap(\.field) }
        rules = mergeRules
    }

    /// The types of records that have a unique field of their own.
    package var types: some Sequence<RecordType> { fields.keys }

    /// Looks at a record after a write to it was merged.
    ///
    /// - Parameter index: Who shows which value; brought up to date.
    /// - Returns: What was not found before.
    /// - Complexity: O(log *n*) look-ups for *n* records that share a value, whatever else they show.
    package func observe<Index: UniqueIndex>(
        _ state: RecordState, in index: inout Index
    ) throws(Index.Failure) -> [ConstraintFinding] {
        var found: [ConstraintFinding] = []
        for name in fields(of: state.key.type) {
            let field = RecordField(key: state.key, name: name)
            let value = state.shownValue(of: name, rules: rules).flatMap { $0.isEmptyString ? nil : $0 }
            let put = state.shownWrite(of: name, rules: rules)
            let old = try index.value(of: field)
            if old != value, let value, let put, let holder = try index.holders(of: value, in: field).first {
                found += try finding(put, holder, name, in: &index)
            }
            guard old != nil || value != nil else { continue }
            try index.setValue(value, of: field, by: put)
            if let old, old != value, case let holders = try index.holders(of: old, in: field), holders.count == 2 {
                found += try finding(holders[1], holders[0], name, in: &index)
            }
        }
        return found
    }

    private func fields(of type: RecordType) -> [FieldName] {
        let own = fields[type] ?? []
        return everywhere.isEmpty ? own : own.filter { !everywhere.contains($0) } + everywhere
    }

    private func finding<Index: UniqueIndex>(
        _ one: TaggedWrite, _ other: TaggedWrite, _ field: FieldName, in index: inout Index
    ) throws(Index.Failure) -> [ConstraintFinding] {
        guard one.isUnaware(of: other, intervals: rules.intervals) else { return [] }
        let (winner, loser) = one.precedes(other) ? (one, other) : (other, one)
        let finding = ConstraintFinding(kind: .sharedValue, field: field, winner: winner, loser: loser)
        return try index.insert(finding) ? [finding] : []
    }
}

/// Which records show a value of a unique field: in memory for a trace, beside the records in a replica's store.
package protocol UniqueIndex {
    /// Why a look-up fails.
    associatedtype Failure: Error

    /// The value under which a record's field is in the index.
    func value(of field: RecordField) throws(Failure) -> FieldValue?

    /// Puts a record's field into the index under another value, or takes it out.
    ///
    /// A field whose value stays keeps its rank, which is the position in the total order of the put that gave it the value first.
    ///
    /// - Parameter put: The put that is shown; given where there is a value.
    mutating func setValue(_ value: FieldValue?, of field: RecordField, by put: TaggedWrite?) throws(Failure)

    /// The puts that are shown by the two records of the lowest rank that show a value; fewer where fewer do.
    ///
    /// - Parameter field: Names the type and the field; the record is of no matter.
    mutating func holders(of value: FieldValue, in field: RecordField) throws(Failure) -> [TaggedWrite]

    /// Records what was found.
    ///
    /// - Returns: False where it was found before.
    mutating func insert(_ finding: ConstraintFinding) throws(Failure) -> Bool
}

/// A field of a record.
package struct RecordField: Hashable, Sendable {
    package let key: RecordKey
    package let name: FieldName

    package init(key: RecordKey, name: FieldName) {
        self.key = key
        self.name = name
    }
}

extension FieldValue {
    fileprivate var isEmptyString: Bool { string?.isEmpty ?? false }
}
