import AuditLog
import SyncBytes
package import SyncModel

/// Records of CloudKit as JSON in the form of its Web Services or of `xcrun cktool`, read as the rows that they hold.
///
/// A file holds one record, an array of records, an object with `records`, the answer to `changes/zone` with the records below their zones,
/// what `cktool` prints with all of these below `result`, or any of these on each line. References are read as the name of the record that
/// they lead to, assets as checksum and size.
///
/// - Complexity: memory grows with the records, and with the file where it is one document of many lines.
package struct CloudKitRecords {
    /// A record as it was exported.
    package struct Record: Sendable {
        /// Its fields; absent values are left out.
        package let fields: FieldMap
        /// When it was last saved, in milliseconds since 1970; nil where that is not said.
        package let modified: Int64?
    }

    /// The records by their names.
    package private(set) var records: [RecordKey: Record] = [:]
    /// Records that came more than once, of which the one saved last counts.
    package private(set) var repeats = 0
    /// Records that were deleted.
    package private(set) var deleted = 0
    /// Answers of the server that are errors instead of records.
    package private(set) var failures = 0
    /// Answers of the server after which there is more to fetch.
    package private(set) var partialAnswers = 0

    private let keepsPrefixes: Bool

    /// No records.
    ///
    /// - Parameter keepsPrefixes: Whether the `CD_` before the names that Core Data and SwiftData mirror stays.
    package init(keepsPrefixes: Bool = false) {
        self.keepsPrefixes = keepsPrefixes
    }

    /// Reads a file.
    ///
    /// - Throws: ``TraceImportError`` and ``AuditLogError``.
    package mutating func read(path: String) throws {
        var pass = Pass(name: path.escaped(for: .terminal))
        try TextLines.read(path: path) { line, location in try consume(line, location, &pass) }
        try finish(pass)
    }

    /// Reads an open descriptor.
    ///
    /// - Throws: ``TraceImportError`` and ``AuditLogError``.
    package mutating func read(descriptor: Int32, name: String) throws {
        var pass = Pass(name: name)
        try TextLines.read(descriptor: descriptor, name: name) { line, location in try consume(line, location, &pass) }
        try finish(pass)
    }

    /// How far one input has been read.
    private struct Pass {
        let name: String
        /// Whether there was anything in it.
        var hasContent = false
        /// What was read of a document that goes over several lines.
        var document: [UInt8]?
    }

    private static let longestDocument = 256 << 20

    private mutating func consume(_ line: Span<UInt8>, _ location: AuditLogReader.Location, _ pass: inout Pass) throws {
        if pass.document == nil {
            if line.indices.allSatisfy({ line[$0] <= 0x20 }) { return }
            let value: FieldValue?
            do throws(JSONError) {
                value = try JSONParser.parse(line)
            } catch {
                // The first line alone may be the beginning of something longer.
                if pass.hasContent { throw Self.problem("\(location): byte \(error.offset + 1): \(error.problem)") }
                value = nil
            }
            pass.hasContent = true
            if let value { return try insert(value, "\(location)") }
            pass.document = []
        }
        guard (pass.document?.count ?? 0) + line.count < Self.longestDocument else {
            throw Self.problem(
                "\(pass.name): the document is longer than \(Self.longestDocument >> 20) MiB; write one record on each line, as 'jq -c .records[]' does"
            )
        }
        for index in line.indices { pass.document?.append(line[index]) }
        pass.document?.append(UInt8(ascii: "\n"))
    }

    private mutating func finish(_ pass: Pass) throws {
        guard pass.hasContent else { throw Self.problem("\(pass.name):1: there is nothing in it; records are JSON. \(Self.example)") }
        guard let document = pass.document else { return }
        let value: FieldValue
        do throws(JSONError) {
            value = try JSONParser.parse(document.span)
        } catch {
            let before = document.prefix(error.offset)
            let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
            let line = before.reduce(1) { $0 + ($1 == 0x0a ? 1 : 0) }
            throw Self.problem("\(pass.name):\(line): byte \(error.offset - start + 1): \(error.problem)")
        }
        try insert(value, pass.name)
    }

    private static func problem(_ sentence: String) -> TraceImportError { TraceImportError(.badData, sentence) }

    private static let example =
        #"One looks like {"recordName":"1","recordType":"Card","fields":{"name":{"value":"Ada","type":"STRING"}}}"#

    private mutating func insert(_ value: FieldValue, _ location: String) throws {
        guard let answer = value.object else {
            guard let elements = value.array else { return try insertRecord(value, location) }
            return try insertAll(elements, location)
        }
        if Self.hasMore(answer) { partialAnswers += 1 }
        // `cktool` puts what the server answered below a key of its own.
        if let result = answer["result"], result.object != nil || result.array != nil {
            try insert(result, location)
        } else if let zones = answer["zones"]?.array {
            for (index, zone) in zones.enumerated() { try insertZone(zone, "\(location): zone \(index + 1)") }
        } else if let records = answer["records"]?.array {
            try insertAll(records, location)
        } else {
            try insertRecord(value, location)
        }
    }

    private mutating func insertAll(_ records: [FieldValue], _ location: String) throws {
        for (index, record) in records.enumerated() { try insertRecord(record, "\(location): record \(index + 1)") }
    }

    private mutating func insertZone(_ zone: FieldValue, _ location: String) throws {
        guard let answer = zone.object else { throw Self.problem("\(location): this is no zone. \(Self.example)") }
        if answer["serverErrorCode"] != nil {
            failures += 1
        } else {
            if Self.hasMore(answer) { partialAnswers += 1 }
            try insertAll(answer["records"]?.array ?? [], location)
        }
    }

    /// Whether the server says that its answer goes on in another one.
    private static func hasMore(_ answer: FieldMap) -> Bool {
        answer["moreComing"] == .bool(true) || answer["continuationMarker"]?.string != nil || answer["continuationToken"]?.string != nil
    }

    private mutating func insertRecord(_ value: FieldValue, _ location: String) throws {
        guard let given = value.object else { throw Self.problem("\(location): this is no record. \(Self.example)") }
        let object = given["record"]?.object ?? given
        guard let name = object["recordName"]?.string else {
            throw Self.problem("\(location): the record has no \"recordName\". \(Self.example)")
        }
        if object["serverErrorCode"] != nil || object["errorCode"] != nil {
            failures += 1
            return
        }
        if object["deleted"] == .bool(true) {
            deleted += 1
            return
        }
        guard let type = object["recordType"]?.string, let fields = object["fields"]?.object else {
            throw Self.problem("\(location): the record \(name.quoted) has no \"recordType\" or no \"fields\". \(Self.example)")
        }
        let isMirrored = type.hasPrefix(Self.prefix) && !keepsPrefixes
        let key = RecordKey(type: RecordType(isMirrored ? String(type.dropFirst(Self.prefix.count)) : type), id: RecordID(name))
        let record = Record(
            fields: try self.fields(fields, isMirrored: isMirrored, "\(location): the record \(name.quoted)"),
            modified: object["modified"]?.object?["timestamp"]?.integer)
        if let other = records[key] {
            repeats += 1
            if other.modified ?? .min >= record.modified ?? .min { return }
        }
        records[key] = record
    }

    private static let prefix = "CD_"

    private func fields(_ fields: FieldMap, isMirrored: Bool, _ location: String) throws -> FieldMap {
        var elements: [FieldMap.Element] = []
        for field in fields {
            guard let content = field.value.object, let value = content["value"] else {
                throw Self.problem("\(location): the field \(field.name.rawValue.quoted) is no object with a \"value\". \(Self.example)")
            }
            let name = field.name.rawValue
            if value == .null || isMirrored && name == "CD_entityName" { continue }
            let short = isMirrored && name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name
            elements.append(FieldMap.Element(name: FieldName(short), value: Self.plain(value)))
        }
        do throws(FieldMap.DuplicateName) {
            return try FieldMap(unordered: elements)
        } catch {
            throw Self.problem(
                "\(location): without \(Self.prefix), two fields are called \(error.name.rawValue.quoted); keep it with --keep-prefixes")
        }
    }

    /// A value without what only the server can use.
    private static func plain(_ value: FieldValue) -> FieldValue {
        switch value {
        case .array(let elements): return .array(elements.map(plain))
        case .object(let object):
            if let name = object["recordName"]?.string { return .string(name) }
            guard let checksum = object["fileChecksum"] else { return value }
            return .object(["fileChecksum": checksum, "size": object["size"] ?? .null])
        default: return value
        }
    }
}
