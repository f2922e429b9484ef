public import SyncMerge
public import SyncModel

/// A record as it was shown when it was read.
///
/// It remembers what its reader has seen: what is changed of it later, ``Replica/put(_:changedFrom:)``, is written as by one who has seen
/// this and no more.
///
/// ```swift
/// for record in try replica.records(ofType: "Card") {
///     print(record.key.id, record.fields["name"] ?? "")
/// }
/// ```
public struct Record: Hashable, Sendable {
    /// The record's name.
    public let key: RecordKey

    /// The record's fields.
    public let fields: FieldMap

    /// The writers of what is shown, with times; nil where they were not asked for.
    public let edits: RecordEdits?

    /// What the reader has seen.
    let context: ReadContext

    init(_ record: ReplicaRecord, readBy writer: DeviceID, from origin: ReadOrigin, rules: MergeRules, withEdits: Bool = false) {
        key = record.key
        fields = record.shown(rules: rules) ?? [:]
        edits = withEdits ? record.edits(rules: rules) : nil
        context = ReadContext(origin: origin, writer: writer, seen: record.seen(by: writer))
    }

    /// Whether both show the same; two replicas show the same of a record that they have read at different times.
    public static func == (left: Record, right: Record) -> Bool {
        left.key == right.key && left.fields == right.fields && left.edits == right.edits
    }

    /// Feeds what is shown into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(fields)
    }
}

/// What somebody who has read a record has seen of it.
struct ReadContext: Sendable {
    /// The replica that it was read through.
    let origin: ReadOrigin
    /// The name under which the store's writes were made.
    let writer: DeviceID
    /// What a write made then would have said to have seen.
    let seen: VersionVector
}

/// The identity of a replica that records are read through.
final class ReadOrigin: Sendable {}
