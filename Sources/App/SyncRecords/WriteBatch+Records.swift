public import SyncLayer
import SyncMerge
import SyncModel

extension WriteBatch {
    /// A record as a struct, nil where it does not exist.
    ///
    /// - Throws: ``/SyncLayer/SyncLayerError`` with `invalidValue` where it cannot be read as one.
    public func fetch<Value: SyncRecord>(_ type: Value.Type, id: Value.ID) throws -> Fetched<Value>? {
        try record(RecordCoding.key(of: id, type)).map { try Fetched($0, in: transaction) }
    }

    /// Writes what was changed of a record since it was read, as by one who has seen that version and no more.
    ///
    /// The struct is then what the record shows: what other devices wrote to other fields meanwhile comes with it. Where the batch fails
    /// later, the next save writes all of it again.
    ///
    /// - Returns: Whether the record exists. False where it was deleted meanwhile: by this device, and then nothing is written, or by
    ///   another with rules that let that win, and then what was changed is among the lost edits. The struct is then as it was saved.
    /// - Throws: ``/SyncLayer/SyncLayerError`` as `put(_:changedFrom:)`, with `invalidValue` where the identity was changed or the record
    ///   cannot be read as such a struct, and with `rulesDiffer` where the replica does not merge by the struct's rules.
    @discardableResult
    public func save<Value: SyncRecord>(_ fetched: inout Fetched<Value>) throws -> Bool {
        try RecordCoding.requireRules(of: Value.self, in: mergeRules)
        guard let read = fetched.base else {
            fetched = try save(fetched.value)
            return true
        }
        // Read once more: an object that the struct refers to may have been changed.
        let original: Value = try RecordCoding.value(of: read)
        let (old, new) = (try RecordCoding.key(of: original.id, Value.self), try RecordCoding.key(of: fetched.value.id, Value.self))
        guard old == new else {
            throw SyncLayerError(
                .invalidValue,
                "the struct that was read from \(read.key) says that it is \(new): save it as a record of its own, and delete the other")
        }
        try change(RecordCoding.fields(of: fetched.value).changes(from: RecordCoding.fields(of: original)), of: read)
        guard let shown = try record(read.key) else { return false }
        fetched = try Fetched(shown, in: transaction, after: fetched)
        return true
    }

    /// Writes a struct that was made anew: all its fields, and where its record is there already, what differs from it.
    ///
    /// A struct that was read is saved as ``Fetched``, or what others wrote since it was read is written over unseen.
    ///
    /// - Returns: The struct with the version of its record.
    @discardableResult
    public func save<Value: SyncRecord>(_ value: Value) throws -> Fetched<Value> {
        try RecordCoding.requireRules(of: Value.self, in: mergeRules)
        let key = try RecordCoding.key(of: value.id, Value.self)
        let fields = try RecordCoding.fields(of: value)
        if let there = try record(key) {
            let shown: Value = try RecordCoding.value(of: there)
            try change(fields.changes(from: RecordCoding.fields(of: shown)), of: there)
        } else {
            try insert(fields, as: key)
        }
        guard let shown = try record(key) else {
            throw SyncLayerError(.invalidValue, "\(key) has no field with a value, and so is no record: give its struct a property")
        }
        return try Fetched(shown, in: transaction)
    }

    /// Removes a struct's record.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public func delete<Value: SyncRecord>(_ type: Value.Type, id: Value.ID) throws -> Bool {
        try delete(RecordCoding.key(of: id, type)) != nil
    }
}
