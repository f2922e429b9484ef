import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// The trace of a deleted record that every known device has seen deleted: which writes had been merged, and those of them without which a
/// late write would be judged otherwise than the record itself would have judged it.
///
/// Those are the deletes, and the puts that lost to them without having been seen by them.
struct CollectedRecord {
    let key: RecordKey
    /// What had been merged.
    let merged: VersionVector
    /// What is left of that.
    let writes: [TaggedWrite]

    init(_ record: ReplicaRecord, rules: MergeRules) {
        key = record.key
        merged = record.merged
        writes = record.state.trace(rules: rules)
    }

    /// The trace of a record, nil where it was never collected.
    init?(_ key: RecordKey, _ reader: any ReplicaStoreReader) throws {
        if let row = try reader.row(Self.rowKey(key), in: .traces) {
            try self.init(row)
        } else if let merged = try Self.earlierTrace(of: key, reader) {
            self.init(key: key, merged: merged, writes: [])
        } else {
            return nil
        }
    }

    private init(key: RecordKey, merged: VersionVector, writes: [TaggedWrite]) {
        self.key = key
        self.merged = merged
        self.writes = writes
    }

    /// Reads a trace from its row.
    init(_ row: StoreRow) throws {
        do throws(CodingFailure) {
            var name = try StateDecoder(row.key)
            key = try name.key()
            var decoder = try StateDecoder(row.content, key: key)
            merged = try decoder.vector()
            var writes: [TaggedWrite] = []
            for _ in 0..<(try decoder.count()) { writes.append(try decoder.write()) }
            try decoder.finish()
            self.writes = writes
        } catch {
            throw SyncLayerError(damaged: "the trace of a deleted record", error)
        }
    }

    /// Keeps the trace.
    ///
    /// - Returns: Whether there was none of its record yet.
    func keep(_ writer: any ReplicaStoreWriter) throws -> Bool {
        let rowKey = Self.rowKey(key)
        let isNew = try writer.row(rowKey, in: .traces) == nil
        var encoder = StateEncoder(key: key)
        encoder.append(merged)
        encoder.append(writes.count)
        for write in writes { encoder.append(write) }
        try writer.setRow(StoreRow(key: rowKey, content: encoder.bytes), in: .traces)
        return isNew
    }

    private static func rowKey(_ key: RecordKey) -> [UInt8] {
        var encoder = StateEncoder()
        encoder.append(key)
        return encoder.bytes
    }

    /// What a store of an earlier version kept: what had been merged, under a hash of the key, which another record may share.
    private static func earlierTrace(of key: RecordKey, _ reader: any ReplicaStoreReader) throws -> VersionVector? {
        let number = max(1, StateDigest(of: key, fields: FieldMap()).first >> 1)
        guard let entry = try reader.entry(number, in: .collected) else { return nil }
        return try decoding("the trace of a deleted record", entry.content) { decoder throws(CodingFailure) in try decoder.vector() }
    }
}
