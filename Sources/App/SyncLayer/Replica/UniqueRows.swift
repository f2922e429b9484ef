import ConflictAudit
import SyncBytes
import SyncCoding
import SyncModel

/// Which records show a value of a unique field, in rows beside the records: a write reads and changes those of its own values, whichever
/// process wrote last.
///
/// Four kinds of rows: what the index is about, what each field shows, who shows each value in order of rank, and what was reported.
struct UniqueRows: UniqueIndex {
    let writer: any ReplicaStoreWriter
    /// The put that a field shows.
    let shownPut: (RecordField) throws -> TaggedWrite?

    private enum Kind {
        static let declaration: UInt8 = 0
        static let field: UInt8 = 1
        static let holder: UInt8 = 2
        static let finding: UInt8 = 3
    }

    /// The row of a field.
    private struct Holding {
        let value: FieldValue
        /// The key of the row that ranks the field among those that show the value.
        let holder: [UInt8]
    }

    // MARK: What the index is about

    /// The fields of which the store has an index, as ``bytes(of:)`` names them; nil without one that is up to date.
    static func declaration(_ reader: any ReplicaStoreReader) throws -> [UInt8]? {
        try reader.row([Kind.declaration], in: .unique)?.content
    }

    /// The unique fields, as the store keeps them; nil where none is declared.
    static func bytes(of rules: AuditRules) -> [UInt8]? {
        if rules.uniqueFields.isEmpty { return nil }
        var encoder = StateEncoder()
        for field in rules.uniqueFields.sorted() {
            encoder.append(field.type.rawValue)
            encoder.append(field.field?.rawValue ?? "")
        }
        return encoder.bytes
    }

    /// Says of which fields the index is, or, where that is nil, that it is not up to date.
    static func setDeclaration(_ content: [UInt8]?, _ writer: any ReplicaStoreWriter) throws {
        if let content {
            try writer.setRow(StoreRow(key: [Kind.declaration], content: content), in: .unique)
        } else {
            try writer.removeRow([Kind.declaration], from: .unique)
        }
    }

    /// Empties the index but for what was reported.
    static func removeAll(_ writer: any ReplicaStoreWriter) throws {
        for kind in [Kind.field, Kind.holder] {
            while case let page = try writer.rows(in: .unique, startingWith: [kind], after: nil, limit: 500), !page.isEmpty {
                for row in page { try writer.removeRow(row.key, from: .unique) }
            }
        }
    }

    // MARK: The index

    func value(of field: RecordField) throws -> FieldValue? { try holding(of: field)?.value }

    func setValue(_ value: FieldValue?, of field: RecordField, by put: TaggedWrite?) throws {
        let old = try holding(of: field)
        if let old {
            if old.value == value { return }
            try writer.removeRow(old.holder, from: .unique)
        }
        guard let value, let put else { return try writer.removeRow(Self.key(of: field), from: .unique) }
        let holder = Self.prefix(of: value, in: field) + Self.rank(of: put) + Array(field.key.id.rawValue.utf8)
        var encoder = StateEncoder()
        encoder.append(value)
        encoder.append(bytes: holder)
        try writer.setRow(StoreRow(key: Self.key(of: field), content: encoder.bytes), in: .unique)
        encoder.begin()
        encoder.append(field.key.id.rawValue)
        try writer.setRow(StoreRow(key: holder, content: encoder.bytes), in: .unique)
    }

    func holders(of value: FieldValue, in field: RecordField) throws -> [TaggedWrite] {
        let prefix = Self.prefix(of: value, in: field)
        var puts: [TaggedWrite] = []
        var last: [UInt8]?
        while puts.count < 2, case let page = try writer.rows(in: .unique, startingWith: prefix, after: last, limit: 4), !page.isEmpty {
            for row in page where puts.count < 2 {
                let holder = RecordField(key: RecordKey(type: field.key.type, id: RecordID(try Self.id(row))), name: field.name)
                // Values that only resemble each other may share a prefix.
                guard try holding(of: holder)?.value == value, let put = try shownPut(holder) else { continue }
                puts.append(put)
            }
            last = page.last?.key
        }
        return puts
    }

    func insert(_ finding: ConstraintFinding) throws -> Bool {
        let key = [Kind.finding] + finding.id.rawValue.orderedBytes
        guard try writer.row(key, in: .unique) == nil else { return false }
        try writer.setRow(StoreRow(key: key, content: []), in: .unique)
        return true
    }

    // MARK: Bytes

    private func holding(of field: RecordField) throws -> Holding? {
        guard let row = try writer.row(Self.key(of: field), in: .unique) else { return nil }
        return try decoding(Self.part, row.content) { decoder throws(CodingFailure) in
            let holding = Holding(value: try decoder.value(), holder: try decoder.bytes())
            try decoder.finish()
            return holding
        }
    }

    private static func id(_ row: StoreRow) throws -> String {
        try decoding(part, row.content) { decoder throws(CodingFailure) in try decoder.text() }
    }

    /// The index's name in messages.
    private static let part = "the index of unique fields"

    private static func key(of field: RecordField) -> [UInt8] {
        [Kind.field] + field.key.type.rawValue.orderedBytes + field.name.rawValue.orderedBytes + field.key.id.rawValue.orderedBytes
    }

    /// The beginning that the rows of all who show a value have in common; equal values have equal ones.
    private static func prefix(of value: FieldValue, in field: RecordField) -> [UInt8] {
        let start = [Kind.holder] + field.key.type.rawValue.orderedBytes + field.name.rawValue.orderedBytes
        switch value {
        case .null: return start + [0]
        case .bool(let bool): return start + [1, bool ? 1 : 0]
        // A number can be written in several ways.
        case .number(let number): return start + [2] + (number.double == 0 ? 0 : number.double.bitPattern).orderedBytes
        case .string(let string): return start + [3] + string.orderedBytes
        case .array(let elements): return start + [4] + UInt64(elements.count).orderedBytes
        case .object(let fields): return start + [5] + UInt64(fields.count).orderedBytes
        }
    }

    /// The position of a put in the total order, as bytes that sort as it does.
    private static func rank(of put: TaggedWrite) -> [UInt8] {
        (UInt64(bitPattern: put.timestamp.milliseconds) ^ 1 << 63).orderedBytes + UInt64(put.timestamp.counter).orderedBytes
            + put.dot.device.rawValue.orderedBytes + put.dot.sequence.orderedBytes
    }
}
