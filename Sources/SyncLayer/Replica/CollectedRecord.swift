import SyncMerge
import SyncModel

/// What is left of a deleted record once every known device has seen it deleted: a hash of its key, and which writes had been merged.
///
/// Two records whose hashes are equal share one trace, which then names more writes than either had. That is allowed: readers accept any superset.
enum CollectedRecord {
    /// What had been merged of a record that is gone; empty for one that never was.
    static func merged(of key: RecordKey, _ reader: any ReplicaStoreReader) throws -> VersionVector {
        try entry(of: key, reader).map { entry throws(SyncLayerError) in try decoded(entry.content) } ?? VersionVector()
    }

    /// Keeps the trace of a record.
    ///
    /// - Returns: Whether there was none of its hash yet.
    static func keep(_ record: ReplicaRecord, _ writer: any ReplicaStoreWriter) throws -> Bool {
        let known = try entry(of: record.key, writer)
        var merged = record.merged
        if let known { merged.formUnion(try decoded(known.content)) }
        var encoder = StateEncoder()
        encoder.append(merged)
        try writer.setEntry(StoreEntry(number: number(of: record.key), content: encoder.bytes), in: .collected)
        return known == nil
    }

    private static func entry(of key: RecordKey, _ reader: any ReplicaStoreReader) throws -> StoreEntry? {
        let number = number(of: key)
        let next = try reader.entries(in: .collected, after: number - 1, limit: 1, bytes: .max).first
        return next?.number == number ? next : nil
    }

    private static func number(of key: RecordKey) -> UInt64 {
        max(1, StateDigest(of: key, fields: FieldMap()).first >> 1)
    }

    private static func decoded(_ content: [UInt8]) throws(SyncLayerError) -> VersionVector {
        do throws(CodingFailure) {
            var decoder = try StateDecoder(content)
            return try decoder.vector()
        } catch {
            throw SyncLayerError(damaged: "the trace of a deleted record", error)
        }
    }
}
