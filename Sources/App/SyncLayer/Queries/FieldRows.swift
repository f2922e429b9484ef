import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel

/// The records of the store by the values that their fields show, in rows beside the records: one for each declared field of each record
/// that is shown.
///
/// A row's key is the field, the value and the record's identity, as bytes that sort as they do; its content is the identity.
enum FieldRows {
    private static let declaration: [UInt8] = [0]
    private static let rows: UInt8 = 1

    // MARK: What the index is about

    /// The fields of which the store has an index that is up to date.
    static func declared(_ reader: any ReplicaStoreReader) throws -> [RecordType: Set<FieldName>] {
        guard let row = try reader.row(declaration, in: .fields) else { return [:] }
        return try decoding("the index of fields", row.content) { decoder throws(CodingFailure) in
            var fields: [RecordType: Set<FieldName>] = [:]
            for _ in 0..<(try decoder.count()) {
                let type = RecordType(try decoder.text())
                fields[type, default: []].insert(FieldName(try decoder.text()))
            }
            try decoder.finish()
            return fields
        }
    }

    /// Says of which fields the index is.
    static func declare(_ fields: [RecordType: Set<FieldName>], _ writer: any ReplicaStoreWriter) throws {
        let named = fields.keys.sorted().flatMap { type in fields[type, default: []].sorted().map { (type, $0) } }
        if named.isEmpty { return try writer.removeRow(declaration, from: .fields) }
        var encoder = StateEncoder()
        encoder.append(named.count)
        for (type, field) in named {
            encoder.append(type.rawValue)
            encoder.append(field.rawValue)
        }
        try writer.setRow(StoreRow(key: declaration, content: encoder.bytes), in: .fields)
    }

    static func removeAll(_ writer: any ReplicaStoreWriter) throws {
        while case let page = try writer.rows(in: .fields, startingWith: [rows], after: nil, limit: 500), !page.isEmpty {
            for row in page { try writer.removeRow(row.key, from: .fields) }
        }
    }

    // MARK: Rows

    /// Brings the rows of a record up to date.
    ///
    /// - Parameters:
    ///   - old: What the record showed before; nil where it was not shown.
    ///   - new: What it shows now.
    static func update(
        _ key: RecordKey, fields: Set<FieldName>, from old: FieldMap?, to new: FieldMap?, _ writer: any ReplicaStoreWriter
    ) throws {
        for field in fields {
            let (before, after) = (old.map { $0[field] ?? .null }, new.map { $0[field] ?? .null })
            if before == after { continue }
            if let before { try writer.removeRow(self.key(of: before, field, key), from: .fields) }
            if let after {
                try writer.setRow(StoreRow(key: self.key(of: after, field, key), content: Array(key.id.rawValue.utf8)), in: .fields)
            }
        }
    }

    /// The key of the row of a record whose field has a value.
    static func key(of value: FieldValue, _ field: FieldName, _ key: RecordKey) -> [UInt8] {
        prefix(of: field, in: key.type) + value.orderedBytes + key.id.rawValue.orderedBytes
    }

    /// What the keys of a field's rows begin with.
    static func prefix(of field: FieldName, in type: RecordType) -> [UInt8] {
        [rows] + type.rawValue.orderedBytes + field.rawValue.orderedBytes
    }
}

/// Keeps the rows of the declared fields up to date with the records: of those that this process declares, and of those that another has.
struct FieldIndex {
    /// Those declared here.
    private let declared: [RecordType: Set<FieldName>]
    /// Those of which the store has an index; nil where that is not known.
    private var kept: [RecordType: Set<FieldName>]?

    init(_ configuration: ReplicaConfiguration) { declared = configuration.indexedFields }

    /// The fields of a type of which the store has an index.
    func fields(of type: RecordType) -> Set<FieldName>? { kept?[type] }

    /// Believes nothing any more: another process may have written, or a transaction has failed.
    mutating func reset() { kept = nil }

    /// Lets the index be made anew, for records may show other values.
    mutating func forget(_ rules: MergeRules, _ writer: any ReplicaStoreWriter) throws {
        let all = try FieldRows.declared(writer).merging(declared) { $0.union($1) }
        try FieldRows.removeAll(writer)
        try add(all, to: [:], rules, writer)
    }

    /// Sees to it, before records are changed, that the store has an index of the declared fields.
    ///
    /// - Complexity: O(1), and O(*n*) in the records of a type of which fields are declared for the first time.
    mutating func refresh(_ rules: MergeRules, _ writer: any ReplicaStoreWriter) throws {
        if kept != nil { return }
        try add(declared, to: FieldRows.declared(writer), rules, writer)
    }

    /// Adds what is missing to the index of other fields.
    private mutating func add(
        _ wanted: [RecordType: Set<FieldName>], to there: [RecordType: Set<FieldName>], _ rules: MergeRules,
        _ writer: any ReplicaStoreWriter
    ) throws {
        let all = there.merging(wanted) { $0.union($1) }
        kept = all
        if all == there { return }
        for (type, fields) in all {
            let new = fields.subtracting(there[type] ?? [])
            if new.isEmpty { continue }
            var last: RecordID?
            while case let page = try writer.records(ofType: type, after: last, limit: 500), !page.isEmpty {
                for stored in page {
                    try FieldRows.update(stored.key, fields: new, from: nil, to: ReplicaRecord(stored).shown(rules: rules), writer)
                }
                last = page.last?.key.id
            }
        }
        try FieldRows.declare(all, writer)
    }
}

extension FieldValue {
    /// The value as bytes that are in the order of the values; those of numbers that a `Double` does not tell apart are the same where both
    /// are between two integers, or beyond those of 64 bits.
    var orderedBytes: [UInt8] {
        switch self {
        case .null: [UInt8(rank)]
        case .bool(let flag): [UInt8(rank), flag ? 1 : 0]
        case .number(let number): [UInt8(rank)] + number.double.orderedBytes + number.orderedRest
        case .string(let string): [UInt8(rank)] + string.orderedBytes
        case .array(let elements): Self.orderedBytes(rank, elements.map(\.orderedBytes))
        case .object(let fields): Self.orderedBytes(rank, fields.map { $0.name.rawValue.orderedBytes + $0.value.orderedBytes })
        }
    }

    /// Parts one after the other: fewer parts come before more.
    private static func orderedBytes(_ rank: Int, _ parts: [[UInt8]]) -> [UInt8] {
        var bytes = [UInt8(rank)]
        for part in parts {
            bytes.append(1)
            bytes += part
        }
        return bytes + [0]
    }
}

extension JSONNumber {
    /// What orders numbers with the same `Double`: the integer that is not greater, and whether that is less.
    fileprivate var orderedRest: [UInt8] {
        func bytes(_ floor: Int64, _ side: UInt8) -> [UInt8] { (UInt64(bitPattern: floor) ^ 1 << 63).orderedBytes + [side] }
        if let integer { return bytes(integer, 1) }
        if self < JSONNumber(Int64.min) { return bytes(.min, 0) }
        guard let floor = Int64(exactly: double.rounded(.down)) else { return bytes(.max, 2) }
        return bytes(self < JSONNumber(floor) ? floor - 1 : floor, 2)
    }
}

extension Double {
    /// The number as bytes that are in the order of the numbers.
    fileprivate var orderedBytes: [UInt8] {
        let bits = (self == 0 ? 0 : self).bitPattern
        return (bits >> 63 == 0 ? bits | 1 << 63 : ~bits).orderedBytes
    }
}
