import ConflictAudit
import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// The findings about writes that the hub does not have, kept until it has them: should those get new names, the findings are reported
/// under these again.
enum UnsentFindings {
    /// Keeps a finding about an own write of a number.
    static func keep(_ finding: Finding, number: UInt64, _ writer: any ReplicaStoreWriter) throws {
        var encoder = StateEncoder()
        finding.encode(into: &encoder)
        let key = number.orderedBytes + Array(finding.id.description.utf8)
        try writer.setRow(StoreRow(key: key, content: encoder.bytes), in: .unsentFindings)
    }

    /// Forgets the findings about numbers that the hub has.
    ///
    /// - Returns: How many they were.
    static func remove(upTo number: UInt64, _ writer: any ReplicaStoreWriter) throws -> Int {
        var removed = 0
        let end = number.orderedBytes
        while case let page = try writer.rows(in: .unsentFindings, startingWith: [], after: nil, limit: 100), !page.isEmpty {
            for row in page {
                if end.lexicographicallyPrecedes(row.key.prefix(8)) { return removed }
                try writer.removeRow(row.key, from: .unsentFindings)
                removed += 1
            }
        }
        return removed
    }

    /// Removes and returns all of them, in order of their numbers.
    static func drain(_ writer: any ReplicaStoreWriter) throws -> [Finding] {
        try all(writer).map { row, finding in
            try writer.removeRow(row.key, from: .unsentFindings)
            return finding
        }
    }

    /// The other writers of what was written at the same time as an own write that it met.
    static func tiedWriters(with own: DeviceID, _ reader: any ReplicaStoreReader) throws -> Set<DeviceID> {
        let ties = try all(reader).map(\.finding).filter { $0.winner.timestamp == $0.loser.timestamp }
        return Set(ties.flatMap { [$0.winner.dot.device, $0.loser.dot.device] }).subtracting([own])
    }

    private static func all(_ reader: any ReplicaStoreReader) throws -> [(row: StoreRow, finding: Finding)] {
        try reader.rows(in: .unsentFindings, startingWith: [], after: nil, limit: .max).map { row in
            try decoding("a finding about a write that waits to be sent", row.content) { decoder throws(CodingFailure) in
                (row, try Finding(from: &decoder))
            }
        }
    }
}

/// For each unsent write that carries running totals, the device's totals before it: should the write get a new name, it counts on from
/// nothing.
enum UnsentTotals {
    /// Keeps the totals before a write, each with its field.
    static func keep(_ totals: [FieldName: TaggedWrite], before number: UInt64, _ writer: any ReplicaStoreWriter) throws {
        if totals.isEmpty { return }
        var encoder = StateEncoder()
        encoder.append(totals.count)
        for (field, write) in totals.sorted(by: { $0.key < $1.key }) {
            encoder.append(field.rawValue)
            encoder.append(write)
        }
        try writer.setRow(StoreRow(key: number.orderedBytes, content: encoder.bytes), in: .unsentTotals)
    }

    /// Forgets the totals before a write that the hub has.
    static func remove(_ number: UInt64, _ writer: any ReplicaStoreWriter) throws {
        try writer.removeRow(number.orderedBytes, from: .unsentTotals)
    }

    /// The totals before a write, none where it has none.
    static func totals(before number: UInt64, _ reader: any ReplicaStoreReader) throws -> [FieldName: TaggedWrite] {
        guard let row = try reader.row(number.orderedBytes, in: .unsentTotals) else { return [:] }
        return try decoding("the totals before a write that waits to be sent", row.content) { decoder throws(CodingFailure) in
            var totals: [FieldName: TaggedWrite] = [:]
            for _ in 0..<(try decoder.count()) {
                let field = FieldName(try decoder.text())
                totals[field] = try decoder.write()
            }
            return totals
        }
    }
}
