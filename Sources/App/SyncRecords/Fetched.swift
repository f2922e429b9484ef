public import SyncLayer

/// A record's struct, and the version of the record that it was read from.
///
/// Saving it writes what was changed since, as by one who has seen that version and no more: what other devices wrote meanwhile stays, or
/// is a conflict that the log tells of.
///
/// ```swift
/// if var card = try replica.fetch(Card.self, id: "42") {
///     card.phone = "1234"
///     try replica.save(&card)
/// }
/// ```
@dynamicMemberLookup
public struct Fetched<Value: SyncRecord> {
    /// The struct.
    public var value: Value

    /// The record as it was read: what the struct is held against when it is saved.
    public var record: Record { base ?? latest }

    private let latest: Record
    /// The batch that the struct was read or saved in, and what had been read before; nil there where nothing had.
    private let earlier: (transaction: BatchTransaction, record: Record?)?

    /// The version that is there; nil where it is known from a batch that failed: what was changed is still to be written.
    var base: Record? {
        guard let earlier, earlier.transaction.hasFailed else { return latest }
        return earlier.record
    }

    /// Reads a record as a struct.
    ///
    /// - Throws: ``/SyncLayer/SyncLayerError`` with `invalidValue` where a field is missing or of another type.
    public init(_ record: Record, as type: Value.Type = Value.self) throws {
        value = try RecordCoding.value(of: record)
        latest = record
        earlier = nil
    }

    /// The struct as a batch has read or saved it.
    ///
    /// - Parameter earlier: What it was read as before, where it was.
    init(_ record: Record, in transaction: BatchTransaction, after earlier: Fetched? = nil) throws {
        value = try RecordCoding.value(of: record)
        latest = record
        // Of a batch that saves it twice, what was there before the first.
        if let known = earlier?.earlier, known.transaction === transaction {
            self.earlier = known
        } else {
            self.earlier = (transaction, earlier?.base)
        }
    }

    /// A property of the struct.
    public subscript<Property>(dynamicMember path: WritableKeyPath<Value, Property>) -> Property {
        get { value[keyPath: path] }
        set { value[keyPath: path] = newValue }
    }

    /// A property of the struct that cannot be set.
    public subscript<Property>(dynamicMember path: KeyPath<Value, Property>) -> Property { value[keyPath: path] }
}

extension Fetched: Identifiable {
    /// The struct's identity.
    public var id: Value.ID { value.id }
}

extension Fetched: Sendable where Value: Sendable {}

extension Fetched: Equatable where Value: Equatable {
    /// Whether both structs are equal.
    public static func == (left: Fetched, right: Fetched) -> Bool { left.value == right.value }
}

extension Fetched: Hashable where Value: Hashable {
    /// Feeds the struct into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
