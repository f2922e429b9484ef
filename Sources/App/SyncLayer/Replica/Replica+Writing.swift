public import ConflictAudit
public import SyncModel

extension Replica {
    /// Sets fields of a record and creates it where it does not exist.
    ///
    /// A null removes its field.
    ///
    /// - Returns: The write's name.
    @discardableResult
    public func put(_ fields: FieldMap, to key: RecordKey) throws -> Dot {
        try write { try $0.put(fields, to: key) }
    }

    /// Writes what was changed of a record, as by one who has seen what was read and no more; see ``WriteBatch/put(_:changedFrom:)``.
    @discardableResult
    public func put(_ fields: FieldMap, changedFrom record: Record) throws -> Dot? {
        try write { try $0.put(fields, changedFrom: record) }
    }

    /// Removes a record.
    ///
    /// - Returns: The write's name; nil where there is no such record, and then nothing is written.
    @discardableResult
    public func delete(_ key: RecordKey) throws -> Dot? {
        try write { try $0.delete(key) }
    }

    /// Adds to a field under the `counter` policy; see ``WriteBatch/increment(_:of:by:)``.
    @discardableResult
    public func increment(_ field: FieldName, of key: RecordKey, by amount: Int64 = 1) throws -> Dot {
        try write { try $0.increment(field, of: key, by: amount) }
    }

    /// Adds elements to a field under the `set` policy; see ``WriteBatch/add(_:to:of:)``.
    @discardableResult
    public func add(_ elements: [FieldValue], to field: FieldName, of key: RecordKey) throws -> Dot {
        try write { try $0.add(elements, to: field, of: key) }
    }

    /// Removes elements from a field under the `set` policy; see ``WriteBatch/remove(_:from:of:)``.
    @discardableResult
    public func remove(_ elements: [FieldValue], from field: FieldName, of key: RecordKey) throws -> Dot {
        try write { try $0.remove(elements, from: field, of: key) }
    }

    /// Decides a conflict that waits for the app; see ``WriteBatch/resolve(_:with:)``.
    @discardableResult
    public func resolve(_ id: ConflictID, with value: FieldValue) throws -> Dot {
        try write { try $0.resolve(id, with: value) }
    }
}
