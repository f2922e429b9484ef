import AuditLog
import SyncLines
import SyncModel

/// What a column may be of a write; the names are those of a trace's keys, and `deleted` and `value`.
package enum RowKey: String, CaseIterable, Sendable {
    case recordType
    case recordID
    case device
    case timestamp = "ts"
    case received
    case operation = "op"
    case deleted
    case field
    case value
    case number = "n"
    case counter
    case hubSequence
    case cursor
    case revision = "rev"
    case parents
    case app

    /// The names of columns that are taken for it, without case, spaces, hyphens and underscores; those first that say most.
    var usualNames: [String] {
        switch self {
        case .recordType: ["recordtype", "entitytype", "objecttype", "entityname", "tablename", "entity", "table", "type"]
        case .recordID:
            ["recordid", "entityid", "objectid", "documentid", "docid", "itemid", "recordname", "uuid", "guid", "id", "pk", "key", "rowid"]
        case .device:
            [
                "device", "deviceid", "devicename", "client", "clientid", "replica", "replicaid", "site", "siteid", "node", "nodeid",
                "writer",
                "source", "author", "user", "userid", "username",
            ]
        case .timestamp:
            [
                "ts", "timestamp", "updatedat", "modifiedat", "changedat", "editedat", "writtenat", "clienttimestamp", "clientts",
                "clienttime",
                "devicetime", "lastmodified", "lastmodifiedat", "modified", "updated", "occurredat", "time", "datetime", "createdat",
            ]
        case .received: ["received", "receivedat", "serverts", "servertime", "servertimestamp", "syncedat", "arrivedat", "uploadedat"]
        case .operation: ["op", "operation", "action", "changetype", "operationtype"]
        case .deleted: ["deleted", "isdeleted", "deletedat", "tombstone", "isremoved"]
        case .field: ["field", "fieldname", "column", "columnname", "attribute", "attributename", "property", "propertyname"]
        case .value: ["value", "newvalue", "fieldvalue"]
        case .number, .counter, .hubSequence, .cursor, .revision, .parents, .app: []
        }
    }

    /// What a column of it says, for a person.
    var noun: String {
        switch self {
        case .recordType: "the type"
        case .recordID: "the record"
        case .device: "the device"
        case .timestamp: "the time"
        case .received: "the time of receipt"
        case .operation: "the operation"
        case .deleted: "what is deleted"
        default: rawValue
        }
    }
}

/// Which columns are what, as a person states it.
package struct RowMapping: Sendable {
    /// Where something comes from that a person has mapped.
    private(set) var given: [RowKey: String] = [:]
    /// The columns that are fields; nil for all that are nothing else.
    private(set) var fields: [String]?

    /// Why a mapping cannot be understood.
    package struct Problem: Error {
        /// A sentence without its full stop.
        package let sentence: String
    }

    /// Nothing stated: everything follows from the names of columns.
    package init() {}

    /// Parses a list of `KEY=COLUMN` and `KEY=:VALUE`, written as a row of CSV.
    package mutating func map(_ list: String) throws(Problem) {
        for item in try Self.items(list) {
            guard let sign = item.firstIndex(of: "="), sign > item.startIndex, item.index(after: sign) < item.endIndex else {
                throw Problem(sentence: "\(item.quoted) is no mapping; write KEY=COLUMN, or KEY=:VALUE where no column says it")
            }
            let name = String(item[..<sign])
            guard let key = RowKey(rawValue: name) else {
                throw Problem(
                    sentence: "there is no key \(name.quoted); the keys are \(RowKey.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            guard given.updateValue(String(item[item.index(after: sign)...]), forKey: key) == nil else {
                throw Problem(sentence: "\(name) is mapped twice")
            }
        }
    }

    /// Parses a list of columns, written as a row of CSV.
    package mutating func nameFields(_ list: String) throws(Problem) { fields = try (fields ?? []) + Self.items(list) }

    private static func items(_ list: String) throws(Problem) -> [String] {
        var parser = CSVParser(separator: UInt8(ascii: ","), maximumLength: 1 << 20)
        do throws(CSVParser.Problem) {
            guard let items = try parser.consume(Array(list.utf8).span), !parser.isInsideQuotes else {
                throw CSVParser.Problem(sentence: "a quote is not closed")
            }
            return items
        } catch {
            throw Problem(sentence: "\(list.quoted) is no list: \(error.sentence)")
        }
    }
}

/// Which columns of a table are what.
struct RowColumns: Equatable {
    /// Where something comes from.
    enum Source: Equatable {
        case column(Int)
        case constant(String)
    }

    private(set) var sources: [RowKey: Source] = [:]
    /// The columns that are fields.
    private(set) var fields: [(name: String, column: Int)] = []
    /// The columns that are nothing.
    private(set) var unused: [String] = []
    /// Whether the column of the record was guessed.
    private(set) var isRecordGuessed = false
    let names: [String]

    static func == (left: RowColumns, right: RowColumns) -> Bool { left.names == right.names && left.sources == right.sources }

    /// Whether each row is one change, with a column for the field's name and one for its value.
    var areChanges: Bool { sources[.field] != nil }

    /// Resolves a mapping.
    ///
    /// - Parameter type: The type of all records where no column says it.
    init(_ mapping: RowMapping, of names: [String], type: String) throws(RowMapping.Problem) {
        self.names = names
        var columns: [String: Int] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            if columns.updateValue(index, forKey: name) != nil {
                throw RowMapping.Problem(sentence: "two columns have the name \(name.quoted); give each a name of its own")
            }
        }
        for (key, text) in mapping.given.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let column = columns[text] {
                sources[key] = .column(column)
            } else if text.hasPrefix(":") {
                sources[key] = .constant(String(text.dropFirst()))
            } else {
                throw RowMapping.Problem(
                    sentence:
                        "there is no column \(text.quoted), which --map takes as \(key.rawValue); \(Self.listing(names)). A value for all rows is "
                        + "written \(key.rawValue)=:\(text)")
            }
        }
        guess(mapping)
        if sources[.recordType] == nil { sources[.recordType] = .constant(type) }
        for key in [RowKey.recordID, .device, .timestamp] where sources[key] == nil {
            throw RowMapping.Problem(
                sentence:
                    "no column is known to name \(key.noun); say with --map \(key.rawValue)=COLUMN which does. \(Self.listing(names, capital: true))"
            )
        }
        if (sources[.field] == nil) != (sources[.value] == nil) {
            throw RowMapping.Problem(sentence: "field and value go together: map both, or neither")
        }
        try selectFields(mapping, columns)
    }

    private static func listing(_ names: [String], capital: Bool = false) -> String {
        "\(capital ? "There" : "there") are " + names.prefix(16).map(\.quoted).joined(separator: ", ") + (names.count > 16 ? ", …" : "")
    }

    private static func plain(_ name: String) -> String { String(name.lowercased().filter { !" _-.".contains($0) }) }

    private mutating func guess(_ mapping: RowMapping) {
        var free: [String: Int] = [:]
        let taken = Set(sources.values.compactMap { source in if case .column(let column) = source { column } else { nil } })
        let named = Set(mapping.fields ?? [])
        for (index, name) in names.enumerated() where !taken.contains(index) && !named.contains(name) && free[Self.plain(name)] == nil {
            free[Self.plain(name)] = index
        }
        func find(_ key: RowKey) -> Int? { key.usualNames.lazy.compactMap { free[$0] }.first }
        for key in RowKey.allCases where sources[key] == nil {
            switch key {
            // One without the other is an ordinary field.
            case .field, .value:
                guard sources[.field] == nil, let field = find(.field), let value = find(.value) else { continue }
                (sources[.field], sources[.value]) = (.column(field), .column(value))
            default:
                guard let column = find(key) else { continue }
                sources[key] = .column(column)
                if key == .recordID { isRecordGuessed = true }
            }
        }
    }

    /// What numbers rows, or says who wrote them and when, is different in each row though nobody edits it.
    private static let neverFields: Set<String> = [
        "", "id", "pk", "rowid", "uuid", "guid", "updateid", "changeid", "device", "deviceid", "devicename", "client", "clientid",
        "replica",
        "replicaid", "userid", "ts", "timestamp", "updatedat", "modifiedat", "changedat", "editedat", "createdat", "clienttimestamp",
        "clientts",
        "clienttime", "devicetime", "lastmodified", "lastmodifiedat", "received", "receivedat", "serverts", "servertime", "servertimestamp",
        "syncedat", "arrivedat", "uploadedat",
    ]

    private mutating func selectFields(_ mapping: RowMapping, _ columns: [String: Int]) throws(RowMapping.Problem) {
        let taken = Set(sources.values.compactMap { source in if case .column(let column) = source { column } else { nil } })
        if let given = mapping.fields {
            if areChanges {
                throw RowMapping.Problem(sentence: "--fields is for rows with a column for each field; these name their field")
            }
            for name in given {
                guard let column = columns[name] else {
                    throw RowMapping.Problem(sentence: "there is no column \(name.quoted), which --fields names; \(Self.listing(names))")
                }
                if !fields.contains(where: { $0.column == column }) { fields.append((name, column)) }
            }
        } else if !areChanges {
            for (column, name) in names.enumerated() where !taken.contains(column) && !Self.neverFields.contains(Self.plain(name)) {
                fields.append((name, column))
            }
        }
        let used = taken.union(fields.map(\.column))
        unused = names.indices.filter { !used.contains($0) }.map { names[$0] }
        if !areChanges, fields.isEmpty {
            throw RowMapping.Problem(
                sentence: "no column is left to be a field of a record; name some with --fields. \(Self.listing(names, capital: true))")
        }
        fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The fields whose names are like those of a record's identity.
    var recordCandidates: [String] {
        fields.map(\.name).filter { $0.lowercased().hasSuffix("_id") || $0.hasSuffix("ID") || $0.hasSuffix("Id") }
    }

    /// Which column was taken as what.
    var sentence: String {
        var parts = RowKey.allCases.compactMap { key -> String? in
            switch sources[key] {
            case .column(let column): "\(key.noun) is \(names[column].quoted)"
            case .constant(let text): "\(key.noun) is always \(text.quoted)"
            case nil: nil
            }
        }
        if !areChanges {
            parts.append("fields are " + fields.prefix(16).map(\.name.quoted).joined(separator: ", ") + (fields.count > 16 ? ", …" : ""))
        }
        if !unused.isEmpty {
            parts.append(
                "left out is " + unused.prefix(8).map { $0.isEmpty ? "a column without a name" : $0.quoted }.joined(separator: ", "))
        }
        return parts.joined(separator: "; ")
    }
}
