public import SyncModel

/// Fields that nobody edits and that every save moves: the time of the last change, a version that is counted up.
///
/// A conflict over one of them loses nothing. The times of their own writes need not be declared: a conflict whose two values are such
/// times is known by that.
///
/// ```swift
/// var rules = MergeRules()
/// rules.bookkeeping = BookkeepingFields(["Card": ["version"]])
/// ```
///
/// A value; safe to share.
public struct BookkeepingFields: Hashable, Sendable {
    /// Those of single record types.
    public var types: [RecordType: Set<FieldName>]
    /// Those of every record type.
    public var inAnyType: Set<FieldName>

    /// Declares fields, by default none.
    public init(_ types: [RecordType: Set<FieldName>] = [:], inAnyType: Set<FieldName> = []) {
        self.types = types
        self.inAnyType = inAnyType
    }

    /// Adds those that are declared elsewhere.
    package mutating func formUnion(_ other: BookkeepingFields) {
        types.merge(other.types) { $0.union($1) }
        inAnyType.formUnion(other.inAnyType)
    }

    /// Whether a field is declared to be one of them.
    public func contains(_ field: FieldName, of type: RecordType) -> Bool {
        !inAnyType.isEmpty && inAnyType.contains(field) || !types.isEmpty && types[type]?.contains(field) == true
    }
}

extension RegisterRules {
    /// Whether nobody edits a field to which two writes wrote: it is declared, or both wrote the time at which they were made.
    func isBookkeeping(_ name: FieldName, _ one: TaggedWrite, _ other: TaggedWrite) -> Bool {
        if bookkeeping.contains(name, of: key.type) { return true }
        // Beside a delete there is but one value: it has come along with edits.
        return other.isDelete
            ? one.fields?.count ?? 0 > 1 && one.isStamped(in: name) : one.isStamped(in: name) && other.isStamped(in: name)
    }

    /// Whether what a write wanted is shown by another all the same, but for fields that nobody edits.
    func keeps(_ loser: TaggedWrite, in winner: TaggedWrite) -> Bool {
        winner.keeps(loser, in: field) { isBookkeeping($0, loser, winner) }
    }
}

extension MergeRules {
    /// What follows from two writes to a register alone of the edits that they carry.
    package func edits(of loser: TaggedWrite, besides winner: TaggedWrite, in field: FieldName?) -> CarriedEdits {
        var edits = CarriedEdits()
        let register = RegisterRules(self, key: loser.key, field: field)
        edits.isBookkeeping = !winner.keeps(loser, in: field) && register.keeps(loser, in: winner)
        return edits
    }
}

extension TaggedWrite {
    /// Whether everything that another write wanted is shown by this one all the same: both delete, the value is equal, or, where the
    /// register is the record, all fields that it names have equal values here.
    ///
    /// - Parameter isIgnored: Whether a field is left out of account.
    package func keeps(_ loser: TaggedWrite, in field: FieldName?, besides isIgnored: (FieldName) -> Bool = { _ in false }) -> Bool {
        guard let lost = loser.fields else { return isDelete }
        func isKept(_ name: FieldName) -> Bool {
            givesSame(as: loser, name) ?? fields.map { $0.written(name) == lost.written(name) } ?? false || isIgnored(name)
        }
        if let field { return isKept(field) }
        return !(isDelete && lost.isEmpty) && lost.names.allSatisfy(isKept)
    }

    /// Whether a field was given the time at which the write was made, or at which the hub had it.
    package func isStamped(in name: FieldName) -> Bool {
        guard let value = value(of: name) else { return false }
        return TimestampForm.meanings(of: value).contains { time in
            [timestamp.milliseconds, receipt?.milliseconds].contains { own in
                own.map { time.distance(after: $0).magnitude <= Self.stampTolerance } ?? false
            }
        }
    }

    /// How far a time may be from that of its write, in milliseconds.
    private static let stampTolerance: UInt64 = 60_000
}
