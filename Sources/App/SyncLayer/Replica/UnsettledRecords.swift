import SyncBytes
import SyncCoding
import SyncModel

/// The records that keep writes which can be forgotten once they are settled, so that nobody looks for them among all.
enum UnsettledRecords {
    static func insert(_ key: RecordKey, _ writer: any ReplicaStoreWriter) throws {
        let row = StoreRow(key: bytes(of: key), content: [])
        if try writer.row(row.key, in: .unsettled) == nil { try writer.setRow(row, in: .unsettled) }
    }

    static func remove(_ key: RecordKey, _ writer: any ReplicaStoreWriter) throws {
        try writer.removeRow(bytes(of: key), from: .unsettled)
    }

    /// Some of the records, and where to go on.
    static func page(after row: [UInt8]?, _ reader: any ReplicaStoreReader) throws -> (keys: [RecordKey], last: [UInt8]?) {
        let rows = try reader.rows(in: .unsettled, startingWith: [], after: row, limit: 500)
        return (try rows.map { try key(from: $0.key) }, rows.last?.key)
    }

    private static func bytes(of key: RecordKey) -> [UInt8] {
        var encoder = StateEncoder()
        encoder.append(key)
        return encoder.bytes
    }

    private static func key(from bytes: [UInt8]) throws(SyncLayerError) -> RecordKey {
        try decoding("the name of a record", bytes) { decoder throws(CodingFailure) in
            let key = try decoder.key()
            try decoder.finish()
            return key
        }
    }
}
