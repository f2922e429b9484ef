public import SyncModel

/// The rules by which every replica of a data set merges.
///
/// They must be the same everywhere.
///
/// ```swift
/// let rules = MergeRules(
///     fields: ["Card": ["visits": .counter, "tags": .set]], deletes: .editWins)
/// ```
public struct MergeRules: Sendable {
    /// The extent of a register, and the policy that decides in it.
    public enum Scope: Sendable {
        /// Each field is a register of its own.
        case fields(MergePolicy)
        /// The record is one register: of concurrent puts one is kept whole.
        ///
        /// `maximum`, `minimum`, `counter` and `set` measure single values and decide here as `lastWriterWins` does.
        case record(MergePolicy)
    }

    /// The scope of the record types that ``types`` does not name.
    public var standard: Scope

    /// The scope of single record types, instead of ``standard``.
    public var types: [RecordType: Scope]

    /// The policies of single fields, of record types whose registers are fields.
    public var fields: [RecordType: [FieldName: MergePolicy]]

    /// Which side wins where a delete and a put are concurrent.
    public var deletes: DeletePolicy

    /// The rule for writes without a causal context.
    ///
    /// The audit of a trace takes it from its `AuditRules`, so that there is one window. A replica's own writes all say what they had seen.
    public var intervals: IntervalRule

    /// Which edition of the app's rules this is; 0 or more.
    ///
    /// A replica keeps its rules with its store. An app that changes any of them raises this number, on every device: each store is then
    /// merged anew by the new rules when it is next opened, and a device that has not been updated stops syncing until it is.
    public var version: Int

    /// The fields that nobody edits, over which no edit is lost; it changes what is said of conflicts, and nothing that is merged.
    public var bookkeeping: BookkeepingFields

    /// Property-level last-writer-wins with deletes winning, version 0 and no field declared as bookkeeping, unless told otherwise.
    public init(
        standard: Scope = .fields(.lastWriterWins), types: [RecordType: Scope] = [:],
        fields: [RecordType: [FieldName: MergePolicy]] = [:], deletes: DeletePolicy = .deleteWins, intervals: IntervalRule = IntervalRule(),
        version: Int = 0, bookkeeping: BookkeepingFields = BookkeepingFields()
    ) {
        precondition(version >= 0, "versions are counted from 0")
        self.standard = standard
        self.types = types
        self.fields = fields
        self.deletes = deletes
        self.intervals = intervals
        self.version = version
        self.bookkeeping = bookkeeping
    }

    /// The same rules but for what is inferred.
    package func with(_ intervals: IntervalRule) -> MergeRules {
        var rules = self
        rules.intervals = intervals
        return rules
    }

    /// What a register is for a record type.
    package func scope(for type: RecordType) -> Scope {
        types.isEmpty ? standard : types[type] ?? standard
    }

    /// The policy of a register: a field, or the whole record where the field is nil.
    package func policy(for type: RecordType, field: FieldName?) -> MergePolicy {
        switch scope(for: type) {
        case .record(let policy): policy
        case .fields(let policy):
            if let field, !fields.isEmpty, let own = fields[type]?[field] { own } else { policy }
        }
    }

    /// The name in logs of the policy of a register; one that holds for whole records says so.
    public func policyName(for type: RecordType, field: FieldName?) -> String {
        let scope = scope(for: type)
        return scope.isRecord ? scope.name : policy(for: type, field: field).name
    }

    /// Whether a field of a type may be under a policy that adds up.
    package func mayAddUp(in type: RecordType) -> Bool {
        guard case .fields(let policy) = scope(for: type) else { return false }
        return policy.addsUp || fields[type]?.values.contains(where: \.addsUp) ?? false
    }

    /// Whether an insert is all there is to know of a record into which nothing else was merged.
    package func keepWhole(_ insert: TaggedWrite) -> Bool {
        let type = insert.key.type
        guard insert.isInsert, insert.hasSeenVector, let names = insert.fieldNames, case .fields(let policy) = scope(for: type) else {
            return false
        }
        guard let own = fields.isEmpty ? nil : fields[type] else { return !policy.addsUp || names.isEmpty }
        return names.allSatisfy { !(own[$0] ?? policy).addsUp }
    }
}
