public import SyncLayer
import SyncModel

extension Replica {
    /// A record as a struct, nil where it does not exist.
    ///
    /// - Throws: ``/SyncLayer/SyncLayerError`` with `invalidValue` where it cannot be read as one.
    public func fetch<Value: SyncRecord>(_ type: Value.Type, id: Value.ID) throws -> Fetched<Value>? {
        try record(RecordCoding.key(of: id, type)).map { try Fetched($0) }
    }

    /// Records as structs.
    ///
    /// - Parameters:
    ///   - type: The struct.
    ///   - filters: What all of them fulfil, of fields among ``RecordRules/indexes``.
    ///   - order: Their order, by one of these fields; nil for that of their identities.
    ///   - limit: How many at most; 0 or more, nil for all.
    ///   - unreadable: Called for a record that cannot be read as such a struct; unless told otherwise it throws, and so does this.
    /// - Complexity: as that of `records(matching:)`.
    public func fetch<Value: SyncRecord>(
        _ type: Value.Type, where filters: [FieldFilter] = [], order: FieldOrder? = nil, limit: Int? = nil,
        unreadable: (Record, SyncLayerError) throws -> Void = { throw $1 }
    ) throws -> [Fetched<Value>] {
        try fetch(RecordQuery(type.recordType, where: filters, order: order, limit: limit), unreadable: unreadable)
    }

    /// Writes what was changed of a record since it was read; see `save(_:)` of `WriteBatch`.
    @discardableResult
    public func save<Value: SyncRecord>(_ fetched: inout Fetched<Value>) throws -> Bool {
        var saved = fetched
        let isThere = try write { try $0.save(&saved) }
        fetched = saved
        return isThere
    }

    /// Writes a struct that was made anew; see `save(_:)` of `WriteBatch`.
    @discardableResult
    public func save<Value: SyncRecord>(_ value: Value) throws -> Fetched<Value> {
        var saved: Fetched<Value>?
        try write { saved = try $0.save(value) }
        guard let saved else { preconditionFailure("a write that ends has run its body") }
        return saved
    }

    /// Removes a struct's record.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public func delete<Value: SyncRecord>(_ type: Value.Type, id: Value.ID) throws -> Bool {
        try write { try $0.delete(type, id: id) }
    }
}
