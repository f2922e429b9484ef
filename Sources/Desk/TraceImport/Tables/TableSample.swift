import SyncBytes
import SyncModel

/// Where a value of a row comes from.
enum TableValue: Hashable {
    /// A plain column.
    case cell(Int)
    /// A field of the record after.
    case image(FieldName)
    /// What is so in all rows.
    case constant(String)
    /// Several together, as the columns of a key; empty ones are left out, but there is none without the last.
    case joined([TableValue])
    /// Of a path of collections and documents in turn the names of the collections.
    indirect case collections(TableValue)
    /// Of a path of collections and documents in turn the names of the documents.
    indirect case documents(TableValue)
}

extension OpenedRow {
    /// A value of the row; nil where there is none, or nothing in it.
    ///
    /// - Parameter fillsFromBefore: Whether a field that is not there after the row is taken from before it.
    func value(_ source: TableValue, fillsFromBefore: Bool) -> FieldValue? {
        let found: FieldValue?
        switch source {
        case .cell(let cell): found = cells[cell].map { $0.dynamoDBAttribute ?? $0.canonical }
        case .image(let name):
            found = after.flatMap { $0[name] }?.canonical ?? (fillsFromBefore ? before.flatMap { $0[name] }?.canonical : nil)
        case .constant(let text): found = .string(text)
        case .joined(let sources):
            let parts = sources.map { value($0, fillsFromBefore: fillsFromBefore)?.name }
            found = parts.last == .some(nil) ? nil : .string(parts.compactMap { $0 }.joined(separator: "/"))
        case .collections(let path): found = value(path, fillsFromBefore: fillsFromBefore).map { DocumentPath($0.name).collections }
        case .documents(let path): found = value(path, fillsFromBefore: fillsFromBefore).map { DocumentPath($0.name).documents }
        }
        return found.flatMap { $0.isBlank ? nil : $0 }
    }
}

/// The name of a document in a database of collections, as `projects/p/databases/(default)/documents/boards/b1/notes/n1`.
private struct DocumentPath {
    private let names: ArraySlice<Substring>

    init(_ path: String) {
        let parts = path.split(separator: "/")
        names = parts.count > 5 && parts[0] == "projects" && parts[4] == "documents" ? parts[5...] : parts[...]
    }

    /// Such as `boards/notes`.
    var collections: FieldValue { everyOther(from: 0) }
    /// Such as `b1/n1`.
    var documents: FieldValue { everyOther(from: 1) }

    private func everyOther(from first: Int) -> FieldValue {
        .string(names.enumerated().filter { $0.offset % 2 == first }.map(\.element).joined(separator: "/"))
    }
}

extension FieldValue {
    /// The value as a name: a plain one as it is, another as JSON.
    var name: String {
        if case .bool(let flag) = self { return flag ? "true" : "false" }
        if isPlain { return plainText }
        var bytes: [UInt8] = []
        JSONText.append(self, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The first rows of a table, column by column.
struct TableSample {
    let rows: [OpenedRow]
    /// Whether there are no others.
    let isWhole: Bool
    var columns: [SampleColumn] = []
    /// The columns of the record after, as a person sees them; nil where no column holds it.
    let imageName: String?

    /// How many fields of records are looked at.
    private static let maximumFields = 2000

    init(_ rows: [OpenedRow], _ shape: TableShape, isWhole: Bool, times: TimestampForm?) {
        (self.rows, self.isWhole) = (rows, isWhole)
        imageName = shape.hasImages ? shape.afterColumns.first ?? shape.beforeColumns.first ?? shape.changesColumn : nil
        for (index, name) in shape.cells.enumerated() {
            columns.append(SampleColumn(source: .cell(index), shown: name, rows.map { $0.cells[index] }, times: times))
        }
        guard let imageName else { return }
        var names: Set<FieldName> = []
        for row in rows {
            for map in [row.after, row.before] {
                for name in map?.sortedNames ?? [] where names.count < Self.maximumFields { names.insert(name) }
            }
        }
        // A table may keep only the row before.
        let hasAfter = rows.contains { $0.after != nil }
        for name in names.sorted() {
            let values = rows.map { row in (hasAfter ? row.after : row.before).flatMap { $0[name] } }
            columns.append(SampleColumn(source: .image(name), shown: "\(imageName).\(name.rawValue)", values, times: times))
        }
    }

    /// A column that is made of others.
    func column(_ source: TableValue, shown: String, fillsFromBefore: Bool = false) -> SampleColumn {
        SampleColumn(source: source, shown: shown, rows.map { $0.value(source, fillsFromBefore: fillsFromBefore) }, times: nil)
    }

    /// A column of the record's own fields that is filled from the record before where there is none after.
    func filled(_ column: SampleColumn) -> SampleColumn {
        switch column.source {
        case .image, .joined: self.column(column.source, shown: column.shown, fillsFromBefore: true)
        default: column
        }
    }
}
