import SyncBytes
import SyncCoding
import SyncModel

/// The device's own writes whose timestamps lay ahead of the hub's clock when the hub received them, by more than the tolerance.
///
/// The hub gives a write's receipt to every device but its author, whose log must call the same conflicts suspect. They are kept as ranges
/// of numbers, so that a clock that always runs fast costs one row.
enum AheadWrites {
    /// Adds writes that the hub has accepted, numbers rising.
    ///
    /// - Parameter tolerance: How far ahead is not worth a word, in milliseconds.
    static func insert(_ writes: [TaggedWrite], tolerance: Int64, _ writer: any ReplicaStoreWriter) throws {
        var range: Range?
        for write in writes {
            guard let received = write.receipt?.milliseconds else { continue }
            let lead = write.timestamp.milliseconds.distance(after: received)
            guard lead > tolerance else { continue }
            let number = write.dot.sequence
            let known = try range ?? Self.range(from: number - 1, writer)
            if let last = known, last.first <= number, last.last &+ 1 >= number {
                if last.last < number { try writer.removeRow(last.last.orderedBytes, from: .ahead) }
                range = Range(first: last.first, last: max(last.last, number), lead: min(last.lead, lead))
            } else {
                range = Range(first: number, last: number, lead: lead)
            }
            if let range { try set(range, writer) }
        }
    }

    /// Forgets all of them: the numbers begin anew under another name.
    static func removeAll(_ writer: any ReplicaStoreWriter) throws {
        for row in try writer.rows(in: .ahead, startingWith: [], after: nil, limit: .max) { try writer.removeRow(row.key, from: .ahead) }
    }

    /// The receipt of an own write that lay ahead of the hub's clock: the latest time at which the hub can have received it.
    static func receipt(of write: TaggedWrite, _ reader: any ReplicaStoreReader) throws -> TaggedWrite.Receipt? {
        guard let range = try range(from: write.dot.sequence, reader), range.first <= write.dot.sequence else { return nil }
        return TaggedWrite.Receipt(milliseconds: write.timestamp.milliseconds.distance(after: range.lead))
    }

    private struct Range {
        let first: UInt64
        let last: UInt64
        /// How far the timestamps were ahead at least, in milliseconds.
        let lead: Int64
    }

    /// The first range that does not end before a number.
    private static func range(from number: UInt64, _ reader: any ReplicaStoreReader) throws -> Range? {
        guard let row = try reader.rows(in: .ahead, startingWith: [], after: (max(number, 1) - 1).orderedBytes, limit: 1).first else {
            return nil
        }
        return try decoding("the list of writes with timestamps ahead", row.content) { decoder throws(CodingFailure) in
            let range = Range(first: try decoder.number(), last: try decoder.number(), lead: try decoder.signedNumber())
            try decoder.finish()
            return range
        }
    }

    private static func set(_ range: Range, _ writer: any ReplicaStoreWriter) throws {
        var encoder = StateEncoder()
        encoder.append(range.first)
        encoder.append(range.last)
        encoder.append(range.lead)
        try writer.setRow(StoreRow(key: range.last.orderedBytes, content: encoder.bytes), in: .ahead)
    }
}
