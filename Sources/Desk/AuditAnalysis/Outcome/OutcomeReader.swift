import AuditLog
import ConflictAudit
import SyncBytes
package import SyncModel

/// Reads the final rows of a system: JSON Lines as `audit --state` writes them, or CSV with a header.
///
/// A file whose first line begins with `{` holds JSON. In CSV one column names the record; the type is in another, or is the same for all
/// rows and follows from the file's name or from there being no other type. All other columns are fields.
package struct OutcomeReader {
    /// The columns of CSV that name a record, where they are not those that are looked for.
    package struct Columns: Sendable {
        /// The column that holds the type.
        package let type: String?
        /// The column that holds the identity.
        package let id: String?

        /// States which; nil for the first there is of those in ``types`` and ``identities``.
        package init(type: String? = nil, id: String? = nil) {
            self.type = type
            self.id = id
        }

        /// The columns that are taken to hold the type of a record, in any case of letters.
        package static let types = ["recordType", "record_type", "type"]
        /// The columns that are taken to hold the identity of a record, in any case of letters.
        package static let identities = ["recordID", "record_id", "id", "uuid"]
    }

    /// The rows read so far.
    package private(set) var rows = OutcomeRows()
    private let columns: Columns
    private let fields: [RecordType: Set<FieldName>]

    /// A reader.
    ///
    /// - Parameters:
    ///   - columns: The columns that name a record.
    ///   - fields: The types of the trace and their fields.
    package init(columns: Columns, fields: [RecordType: Set<FieldName>]) {
        self.columns = columns
        self.fields = fields
    }

    /// Reads a file.
    ///
    /// - Throws: ``AuditLogError``.
    package mutating func read(path: String) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var pass = Pass(stem: name.split(separator: ".").first.map(String.init) ?? name)
        try TextLines.read(path: path) { line, location in try consume(line, location, &pass) }
        try finish(pass, name: path.escaped(for: .terminal))
    }

    /// Reads an open descriptor.
    ///
    /// - Throws: ``AuditLogError``.
    package mutating func read(descriptor: Int32, name: String) throws {
        var pass = Pass(stem: "")
        try TextLines.read(descriptor: descriptor, name: name) { line, location in try consume(line, location, &pass) }
        try finish(pass, name: name)
    }

    /// How far one input has been read.
    private struct Pass {
        /// The file's name up to its first dot.
        let stem: String
        var format: Format?
        /// The location of the row that the last line belongs to.
        var row: AuditLogReader.Location?

        enum Format {
            case json
            case csv(CSVParser, Header?)
        }
    }

    private mutating func consume(_ line: Span<UInt8>, _ location: AuditLogReader.Location, _ pass: inout Pass) throws(AuditLogError) {
        let format: Pass.Format
        if let known = pass.format {
            format = known
        } else {
            guard let found = try Self.format(of: line, location) else { return }
            format = found
        }
        switch format {
        case .json:
            pass.format = format
            try insertJSON(line, location)
        case .csv(var parser, var header):
            // Left to the one that changes it.
            pass.format = nil
            if !parser.isInsideQuotes { pass.row = location }
            let row = pass.row ?? location
            let values: [String]?
            do throws(CSVParser.Problem) {
                values = try parser.consume(line)
            } catch {
                throw Self.problem(row, error.sentence)
            }
            if let values {
                if let header {
                    try insert(values, header, row)
                } else {
                    let named = try self.header(values, stem: pass.stem, row)
                    if case .always(let type) = named.type { rows.insert(type) }
                    header = named
                }
            }
            pass.format = .csv(parser, header)
        }
    }

    private func finish(_ pass: Pass, name: String) throws(AuditLogError) {
        switch pass.format {
        case nil:
            throw AuditLogError(
                .badData,
                "\(name):1: there is nothing in it; an outcome holds one row for each record, as JSON Lines or as CSV with a header")
        case .csv(let parser, _) where parser.isInsideQuotes:
            throw AuditLogError(
                .badData, "\(pass.row?.description ?? name): the row does not end: a value in quotes lacks the quote that closes it")
        default: break
        }
    }

    private static func problem(_ location: AuditLogReader.Location, _ sentence: String) -> AuditLogError {
        AuditLogError(.badData, "\(location): \(sentence)")
    }

    /// What an input holds whose first line that is not blank is given; nil for a blank line.
    private static func format(of line: Span<UInt8>, _ location: AuditLogReader.Location) throws(AuditLogError) -> Pass.Format? {
        guard let first = line.indices.first(where: { line[$0] > 0x20 }) else { return nil }
        switch line[first] {
        case UInt8(ascii: "{"): return .json
        case UInt8(ascii: "["):
            throw problem(location, "this is a JSON array; write one object on each line, as 'jq -c \".[]\"' does")
        default: return .csv(CSVParser(separator: CSVParser.separator(ofHeader: line), maximumLength: TextLines.maximumLength), nil)
        }
    }

    // MARK: JSON

    private mutating func insertJSON(_ line: Span<UInt8>, _ location: AuditLogReader.Location) throws(AuditLogError) {
        if line.indices.allSatisfy({ line[$0] <= 0x20 }) { return }
        let value: FieldValue
        do throws(JSONError) {
            value = try JSONParser.parse(line)
        } catch {
            throw Self.problem(location, "byte \(error.offset + 1): \(error.problem)")
        }
        guard let object = value.object, let type = object["recordType"]?.string, let id = object["recordID"]?.string,
            let fields = object["fields"]?.object
        else {
            throw Self.problem(
                location,
                #"this is no row; one looks like {"recordType":"Card","recordID":"1","fields":{"name":"Ada"}}, as 'audit --state' "#
                    + "writes it")
        }
        let key = RecordKey(type: RecordType(type), id: RecordID(id))
        rows.insert(OutcomeRows.Row(fields: fields, isText: false), of: key, at: location.description)
    }

    // MARK: CSV

    /// What the columns of a file hold.
    private struct Header {
        enum TypeSource {
            case always(RecordType)
            case column(Int)
        }

        let type: TypeSource
        let id: Int
        /// The columns that hold fields, in the order of their names.
        let fields: [(name: FieldName, column: Int)]
        let names: [FieldName]
        let count: Int
    }

    private func header(_ values: [String], stem: String, _ location: AuditLogReader.Location) throws(AuditLogError) -> Header {
        var columns: [String: Int] = [:]
        for (index, name) in values.enumerated() where columns.updateValue(index, forKey: name) != nil {
            throw Self.problem(location, "two columns of the header have the name \(name.quoted); give each a name of its own")
        }
        let type = try typeSource(values, stem: stem, location)
        let id = try column(self.columns.id, option: "id-column", among: Columns.identities, of: values, location)
        guard let id else {
            throw Self.problem(
                location,
                "no column of the header is called \(Columns.identities.joined(separator: ", ")); say with --id-column which one names the record"
            )
        }
        var fields = values.enumerated().map { (name: FieldName($0.element), column: $0.offset) }
        fields.removeAll { field in
            if case .column(field.column) = type { return true }
            // An app may write a field of the same name.
            return field.column == id && !self.fields.values.contains { $0.contains(field.name) }
        }
        fields.sort { $0.name < $1.name }
        return Header(type: type, id: id, fields: fields, names: fields.map(\.name), count: values.count)
    }

    private func typeSource(
        _ values: [String], stem: String, _ location: AuditLogReader.Location
    ) throws(AuditLogError) -> Header.TypeSource {
        // What is a field of the app says nothing about types.
        let written = fields.values.reduce(into: Set()) { $0.formUnion($1) }
        let candidates = values.map { written.contains(FieldName($0)) ? "" : $0 }
        let names = self.columns.type == nil ? candidates : values
        if let column = try column(self.columns.type, option: "type-column", among: Columns.types, of: names, location) {
            return .column(column)
        }
        let stem = stem.lowercased()
        if let type = fields.keys.sorted().first(where: { $0.rawValue.lowercased() == stem }) { return .always(type) }
        if fields.count == 1, let type = fields.keys.first { return .always(type) }
        throw Self.problem(
            location,
            "no column holds the type of the records, of which the trace has \(fields.count); name one with --type-column, or call the file like "
                + "the type, as in \(((fields.keys.min()?.rawValue ?? "Card") + ".csv").quoted)")
    }

    /// The column that an option names, or else the first of some names.
    private func column(
        _ given: String?, option: String, among names: [String], of header: [String], _ location: AuditLogReader.Location
    ) throws(AuditLogError) -> Int? {
        if let given {
            if let index = header.firstIndex(of: given) { return index }
            let shown = header.prefix(8).map(\.quoted).joined(separator: ", ") + (header.count > 8 ? ", …" : "")
            throw Self.problem(location, "the header has no column \(given.quoted), which --\(option) names; it has \(shown)")
        }
        let header = header.map { $0.lowercased() }
        for name in names {
            if let index = header.firstIndex(of: name.lowercased()) { return index }
        }
        return nil
    }

    private mutating func insert(_ values: [String], _ header: Header, _ location: AuditLogReader.Location) throws(AuditLogError) {
        guard values.count == header.count else {
            throw Self.problem(location, "the row has \(values.count) values, but the header names \(header.count) columns")
        }
        let type =
            switch header.type {
            case .always(let type): type
            case .column(let column): RecordType(values[column])
            }
        let fields = FieldMap(sortedNames: header.names, values: header.fields.map { .string(values[$0.column]) })
        let key = RecordKey(type: type, id: RecordID(values[header.id]))
        rows.insert(OutcomeRows.Row(fields: fields, isText: true), of: key, at: location.description)
    }
}
