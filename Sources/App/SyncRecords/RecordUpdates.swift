public import SyncLayer
import SyncModel

/// The answers to a query: the one now, and another after each change of records of its type, from here or through a sync.
///
/// What happens between two looks comes as one answer. It ends where the task is cancelled or the store cannot be read.
///
/// ```swift
/// for try await cards in replica.updates(of: Card.self, order: .ascending("name")) {
///     show(cards)
/// }
/// ```
public struct RecordUpdates<Value: SyncRecord & Sendable>: AsyncSequence, Sendable {
    let replica: Replica
    let query: RecordQuery
    let changes: ReplicaChanges
    let unreadable: @Sendable (Record, SyncLayerError) throws -> Void

    /// Begins with the answer as it is then.
    public func makeAsyncIterator() -> Iterator {
        Iterator(replica: replica, query: query, unreadable: unreadable, changes: changes.makeAsyncIterator())
    }

    /// Waits for one answer after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let replica: Replica
        let query: RecordQuery
        let unreadable: @Sendable (Record, SyncLayerError) throws -> Void
        var changes: ReplicaChanges.Iterator
        var hasBegun = false

        /// The records as they are after the next change; nil once the task is cancelled.
        ///
        /// - Throws: ``/SyncLayer/SyncLayerError`` as `fetch`.
        public mutating func next() async throws -> [Fetched<Value>]? {
            if hasBegun, await !changes.nextChange(of: query.type) { return nil }
            hasBegun = true
            return try replica.fetch(query, unreadable: unreadable)
        }
    }
}

extension Replica {
    /// The records that a query asks for, now and after each change.
    ///
    /// - Parameters:
    ///   - type: The struct.
    ///   - filters: What all of them fulfil, of fields among ``RecordRules/indexes``.
    ///   - order: Their order, by one of these fields; nil for that of their identities.
    ///   - limit: How many at most; 0 or more, nil for all.
    ///   - unreadable: Called for a record that cannot be read as such a struct, which is then left out; where it throws, as it does unless
    ///     told otherwise, the sequence ends.
    public func updates<Value: SyncRecord & Sendable>(
        of type: Value.Type, where filters: [FieldFilter] = [], order: FieldOrder? = nil, limit: Int? = nil,
        unreadable: @escaping @Sendable (Record, SyncLayerError) throws -> Void = { throw $1 }
    ) -> RecordUpdates<Value> {
        RecordUpdates(
            replica: self, query: RecordQuery(type.recordType, where: filters, order: order, limit: limit), changes: changes,
            unreadable: unreadable)
    }

    /// The records that a query asks for, without those that cannot be read.
    func fetch<Value: SyncRecord>(
        _ query: RecordQuery, unreadable: (Record, SyncLayerError) throws -> Void
    ) throws -> [Fetched<Value>] {
        try records(matching: query).compactMap { record in
            do {
                return try Fetched(record)
            } catch let error as SyncLayerError {
                try unreadable(record, error)
                return nil
            }
        }
    }
}

extension ReplicaChanges.Iterator {
    /// Waits for a change of records of a type; false once the task is cancelled.
    mutating func nextChange(of type: RecordType) async -> Bool {
        while let change = await next() {
            if change.keys.contains(where: { $0.type == type }) { return true }
        }
        return false
    }
}
