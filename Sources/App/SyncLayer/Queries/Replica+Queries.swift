import SyncBytes
import SyncModel

extension Replica {
    /// The records that a query asks for.
    ///
    /// - Throws: ``SyncLayerError`` with ``SyncLayerError/Code/invalidValue`` where it asks about a field of which there is no index.
    /// - Complexity: O(*k* log *n*) for *k* of *n* records. They are those returned, where the query is about one field; where it is about
    ///   several, those that fulfil the first condition. Without any it is O(*n*).
    public func records(matching query: RecordQuery) throws -> [Record] {
        for field in query.filters.map(\.field) + (query.order.map { [$0.field] } ?? [])
        where configuration.indexedFields[query.type]?.contains(field) != true {
            throw SyncLayerError(
                .invalidValue,
                "there is no index of the field \(field.rawValue.quoted) of \(query.type.rawValue.quoted): name it in indexedFields of the "
                    + "replica's configuration")
        }
        while true {
            let found: [Record]? = try store.read { reader in
                guard try configuration.indexedFields[query.type]?.isSubset(of: FieldRows.declared(reader)[query.type] ?? []) ?? true else {
                    return nil
                }
                return try QueryRun(query, self, reader).records()
            }
            if let found { return found }
            // Another process has made the index anew, and knows less of it.
            try transact { core, writer in try core.refreshIndex(writer) }
        }
    }
}

/// The answering of a query within one snapshot of the store.
private struct QueryRun {
    let query: RecordQuery
    let reader: any ReplicaStoreReader
    let replica: Replica
    let writer: DeviceID

    init(_ query: RecordQuery, _ replica: Replica, _ reader: any ReplicaStoreReader) throws {
        (self.query, self.replica, self.reader) = (query, replica, reader)
        writer = try replica.currentMetadata(reader).writer
    }

    func records() throws -> [Record] {
        let limit = query.limit ?? .max
        guard let order = query.order else {
            let found = try query.filters.first.map { try scan($0.field, [$0], isDescending: false, limit: .max) } ?? all(limit)
            return Array(found.sorted { $0.key < $1.key }.prefix(limit))
        }
        let own = query.filters.filter { $0.field == order.field }
        guard own.isEmpty, let first = query.filters.first else {
            return try scan(order.field, own, isDescending: order.isDescending, limit: limit)
        }
        let found = try scan(first.field, [first], isDescending: false, limit: .max).sorted { left, right in
            let (one, other) = (left.fields[order.field] ?? .null, right.fields[order.field] ?? .null)
            if one != other { return order.isDescending ? other < one : one < other }
            return order.isDescending ? right.key < left.key : left.key < right.key
        }
        return Array(found.prefix(limit))
    }

    private func all(_ limit: Int) throws -> [Record] {
        var records: [Record] = []
        while records.count < limit,
            case let page = try reader.records(ofType: query.type, after: records.last?.key.id, limit: min(500, limit - records.count)),
            !page.isEmpty
        {
            for stored in page { records.append(try record(stored)) }
        }
        return records
    }

    /// Reads the records of a field's rows that fulfil all conditions, in the order of the rows.
    ///
    /// - Parameter conditions: Those on the field, by which rows are chosen.
    private func scan(_ name: FieldName, _ conditions: [FieldFilter], isDescending: Bool, limit: Int) throws -> [Record] {
        let field = FieldRows.prefix(of: name, in: query.type)
        // They all hold, so that any one may choose the rows: an equality chooses least.
        let chosen = conditions.first { if case .equals = $0.condition { true } else { false } } ?? conditions.first
        let range = chosen.map { $0.condition.rows(after: field) } ?? KeyRange(prefix: field)
        var records: [Record] = []
        var last: [UInt8]?
        while records.count < limit {
            let count = min(256, limit)
            let page =
                try isDescending
                ? reader.rows(in: .fields, startingWith: range.prefix, before: last ?? range.end, limit: count)
                : reader.rows(in: .fields, startingWith: range.prefix, after: last ?? range.start, limit: count)
            for row in page {
                if isDescending ? row.key.precedes(range.start) : range.end.map({ !row.key.precedes($0) }) ?? false { return records }
                let key = RecordKey(type: query.type, id: RecordID(String(decoding: row.content, as: UTF8.self)))
                guard let stored = try reader.record(key), stored.isLive, case let record = try record(stored),
                    // A program that knows of no index may have left the row of an earlier value.
                    row.key == FieldRows.key(of: record.fields[name] ?? .null, name, key),
                    query.filters.allSatisfy({ $0.matches(record.fields) })
                else { continue }
                records.append(record)
                if records.count == limit { return records }
            }
            guard page.count == count, let key = page.last?.key else { break }
            last = key
        }
        return records
    }

    private func record(_ stored: StoredRecord) throws -> Record {
        Record(try ReplicaRecord(stored), readBy: writer, from: replica.origin, rules: replica.configuration.mergeRules)
    }
}

/// Keys that begin with a prefix, from a start on and up to an end.
private struct KeyRange {
    let prefix: [UInt8]
    /// Rows come after it; itself it is no row's key.
    var start: [UInt8]?
    /// Rows come before it.
    var end: [UInt8]?
}

extension FieldFilter.Condition {
    /// The rows of a field that may fulfil the condition.
    fileprivate func rows(after field: [UInt8]) -> KeyRange {
        switch self {
        case .equals(let value): KeyRange(prefix: field + value.orderedBytes)
        case .lessThan(let bound), .atMost(let bound):
            KeyRange(prefix: field + [UInt8(bound.rank)], end: bound.rowBound.map { field + $0 + Array(repeating: 255, count: 12) })
        case .greaterThan(let bound), .atLeast(let bound):
            KeyRange(prefix: field + [UInt8(bound.rank)], start: bound.rowBound.map { field + $0 })
        case .hasPrefix(let prefix): KeyRange(prefix: field + [UInt8(FieldValue.string("").rank)] + prefix.orderedBytes.dropLast(2))
        }
    }
}

extension FieldValue {
    /// What the keys of rows with lesser or equal values are not behind, once no byte is greater than what follows; nil where any may be.
    fileprivate var rowBound: [UInt8]? {
        switch self {
        case .null, .bool, .string: orderedBytes
        // The rest of the key orders integers, and the bound may be between two.
        case .number: Array(orderedBytes.prefix(9))
        case .array, .object: nil
        }
    }
}

extension [UInt8] {
    fileprivate func precedes(_ other: [UInt8]?) -> Bool { other.map { lexicographicallyPrecedes($0) } ?? false }
}
