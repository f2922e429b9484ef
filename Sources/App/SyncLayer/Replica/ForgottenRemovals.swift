import SyncCoding
import SyncMerge
import SyncModel

/// The writes that removed elements from sets, once their records have no more use for them: a hub that has forgotten them is given them
/// back, or it would hand out the additions that they took away.
///
/// Of one device's removals of the same elements from the same fields, the last has seen all that the others had, and is kept alone. So
/// there is a row for each choice of elements that a device ever removed from a record, until the record is deleted for good.
enum ForgottenRemovals {
    /// Keeps a write that a record has forgotten.
    static func keep(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws {
        let key = rowKey(of: write)
        if let row = try writer.row(key, in: .removals), try self.write(from: row).dot.sequence > write.dot.sequence { return }
        try writer.setRow(StoreRow(key: key, content: write.encoded), in: .removals)
    }

    /// Gives those among the unsent writes of a record their new names.
    static func rename(_ renaming: Renaming, of key: RecordKey, _ writer: any ReplicaStoreWriter) throws {
        for row in try rows(of: key, by: renaming.old, writer) {
            let write = try write(from: row)
            let renamed = renaming.write(write)
            if renamed.dot == write.dot { continue }
            try writer.removeRow(row.key, from: .removals)
            try keep(renamed, writer)
        }
    }

    /// Forgets a write that the hub is not to be given.
    static func remove(_ write: TaggedWrite, _ writer: any ReplicaStoreWriter) throws {
        let key = rowKey(of: write)
        if try self.write(key, writer)?.dot == write.dot { try writer.removeRow(key, from: .removals) }
    }

    /// Forgets the writes to a record that its deletes have seen: they take away whatever those took away.
    static func removeAll(of record: RecordKey, seenBy deletes: [TaggedWrite], _ writer: any ReplicaStoreWriter) throws {
        for row in try rows(of: record, writer) {
            let dot = try write(from: row).dot
            if deletes.contains(where: { $0.seen?.covers(dot) ?? false }) { try writer.removeRow(row.key, from: .removals) }
        }
    }

    /// The write of a name, nil where it is not kept.
    static func write(_ dot: Dot, to record: RecordKey, _ reader: any ReplicaStoreReader) throws -> TaggedWrite? {
        for row in try rows(of: record, by: dot.device, reader) {
            let write = try write(from: row)
            if write.dot == dot { return write }
        }
        return nil
    }

    /// Some of the writes, and where to go on.
    static func page(after key: [UInt8]?, _ reader: any ReplicaStoreReader) throws -> (
        writes: [(row: [UInt8], write: TaggedWrite)], last: [UInt8]?
    ) {
        let rows = try reader.rows(in: .removals, startingWith: [], after: key, limit: 500)
        return (try rows.map { ($0.key, try write(from: $0)) }, rows.last?.key)
    }

    /// The write of a row, nil where it is gone.
    static func write(_ row: [UInt8], _ reader: any ReplicaStoreReader) throws -> TaggedWrite? {
        try reader.row(row, in: .removals).map { try write(from: $0) }
    }

    private static func rows(of record: RecordKey, by device: DeviceID? = nil, _ reader: any ReplicaStoreReader) throws -> [StoreRow] {
        var prefix = StateEncoder()
        prefix.append(record)
        if let device { prefix.append(device) }
        return try reader.rows(in: .removals, startingWith: prefix.bytes, after: nil, limit: .max)
    }

    private static func write(from row: StoreRow) throws -> TaggedWrite {
        try TaggedWrite(encoded: row.content, from: "a removal from a set")
    }

    /// The record, the device, and a hash of what is removed.
    private static func rowKey(of write: TaggedWrite) -> [UInt8] {
        var removed = FieldMap()
        for field in write.fields ?? FieldMap() {
            if let elements = SetWrite(field.value)?.removed, !elements.isEmpty { removed[field.name] = .array(elements) }
        }
        var encoder = StateEncoder()
        encoder.append(write.key)
        encoder.append(write.dot.device)
        encoder.append(StateDigest(of: write.key, fields: removed))
        return encoder.bytes
    }
}
