import AuditLog
import SyncBytes
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

    /// What saved rows call some of them.
    static let otherNames: [String: RowKey] = ["version": .revision, "base": .parents, "order": .hubSequence]

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
                "devicetime", "lastmodified", "lastmodifiedat", "modified", "updated", "occurredat", "time", "datetime", "at", "when",
                "createdat",
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
            let key = try Self.key(name)
            guard given.updateValue(String(item[item.index(after: sign)...]), forKey: key) == nil else {
                throw Problem(sentence: "\(name) is mapped twice")
            }
        }
    }

    private static func key(_ name: String) throws(Problem) -> RowKey {
        if let key = RowKey(rawValue: name) ?? RowKey.otherNames[name] { return key }
        throw Problem(sentence: "there is no key \(name.quoted); the keys are \(RowKey.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    /// Takes from a configuration what is not stated yet.
    mutating func complete(by settings: TableSettings) throws(Problem) {
        for (name, column) in settings.map.sorted(by: { $0.key < $1.key }) {
            let key = try Self.key(name)
            if given[key] == nil { given[key] = column }
        }
        if fields == nil, !settings.fields.isEmpty { fields = settings.fields }
    }

    /// What `:VALUE` means for a key: the value, or as `device=:file` the name of the file, where there is one.
    static func constant(_ text: String, for key: RowKey, file: String?) throws(Problem) -> String {
        guard key == .device, text == ":file" else { return String(text.dropFirst()) }
        guard let file else {
            throw Problem(sentence: "--map device=:file takes the name of the file, and a stream has none: name the file itself")
        }
        return file
    }

    /// The type of records that nothing else tells, where the file's name is one: a file that is named for a device has no other name.
    func type(ofFile type: String) -> String { given[.device] == ":file" ? "Record" : type }

    /// Parses a list of columns, written as a row of CSV.
    package mutating func nameFields(_ list: String) throws(Problem) { fields = try (fields ?? []) + Self.items(list) }

    /// An item as a list holds it.
    static func item(_ item: String) -> String {
        item.utf8.contains { ",\"\n\r".utf8.contains($0) } ? item.enclosed(in: "\"", escapedAs: "\"\"") : item
    }

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
