import SyncBytes
import SyncCoding
import SyncLines
import SyncModel

/// A digest of a set of records that does not depend on their order and is kept up to date record by record.
///
/// The sum, in two lanes of 64 bits, of a hash of each live record's line: `{"recordType":…,"recordID":…,"fields":{…}}`, keys in order. A
/// sum can be taken apart again: a changed record costs two additions, however many records there are. The hash is FNV-1a (Fowler, Noll and
/// Vo), the second lane with another start, both with the finaliser of MurmurHash3 (Appleby). It tells replicas apart that differ by
/// accident, not by malice.
struct StateDigest: Hashable, Sendable {
    var first: UInt64 = 0
    var second: UInt64 = 0

    /// The digest of nothing.
    init() {}

    init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// The digest of one record.
    init(of key: RecordKey, fields: FieldMap) {
        var line = LineBuffer()
        self.init(of: key, fields: fields, line: &line)
    }

    /// The digest of one record, whose line is made in memory that is used again.
    init(of key: RecordKey, fields: FieldMap, line: inout LineBuffer) {
        line.truncate(to: 0)
        line.beginObject()
        line.record(key)
        line.key("fields")
        JSONText.append(fields, to: &line)
        line.endObject()
        (first, second) = unsafe line.withBytes { bytes in
            var lanes = (FNV1a(), FNV1a(start: 0x6c62_272e_07bb_0142))
            // In one loop, where neither waits for the other.
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                lanes.0.combine(byte)
                lanes.1.combine(byte)
            }
            return (lanes.0.value, lanes.1.value)
        }
    }

    /// 32 hexadecimal digits.
    var text: String {
        [first, second].map { lane in
            let digits = String(lane, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    static func += (left: inout StateDigest, right: StateDigest) {
        left.first &+= right.first
        left.second &+= right.second
    }

    static func -= (left: inout StateDigest, right: StateDigest) {
        left.first &-= right.first
        left.second &-= right.second
    }
}

extension StateEncoder {
    /// Appends both lanes.
    mutating func append(_ digest: StateDigest) {
        append(digest.first)
        append(digest.second)
    }
}

extension StateDecoder {
    /// Parses both lanes.
    mutating func digest() throws(CodingFailure) -> StateDigest { StateDigest(first: try number(), second: try number()) }
}
