import SyncLines
import SyncMerge
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
        let (one, other) = unsafe line.withBytes { bytes in
            var lanes: (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142)
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                lanes.0 = (lanes.0 ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
                lanes.1 = (lanes.1 ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
            return lanes
        }
        (first, second) = (Self.mixed(one), Self.mixed(other))
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

    private static func mixed(_ lane: UInt64) -> UInt64 {
        var lane = lane
        lane = (lane ^ (lane >> 33)) &* 0xff51_afd7_ed55_8ccd
        lane = (lane ^ (lane >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return lane ^ (lane >> 33)
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
