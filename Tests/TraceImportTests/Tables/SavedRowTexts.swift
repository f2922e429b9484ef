import ConflictAudit
import SyncBytes
import SyncModel
import TemporaryDirectory

@testable import TraceImport

/// Saved rows as a test states them: record, author, what is told beside them, the fields, and those before.
enum SavedRowTexts {
    /// A row as `Card/42 ann r60 o2 v3 b2 {"phone":"1"} was {"phone":"0"}`, times in seconds since a start.
    static func text(_ row: SavedRow, since start: Int64 = 0) -> String {
        var parts = ["\(row.key.type)/\(row.key.id)", row.author?.rawValue ?? "?"]
        if let made = row.made { parts.append("m\((made - start) / 1000)") }
        if let received = row.received { parts.append("r\((received - start) / 1000)") }
        if let order = row.order { parts.append("o\(order)") }
        if let version = row.version { parts.append("v\(version)") }
        if let base = row.base { parts.append("b\(base)") }
        parts.append(row.isDelete ? "delete" : json(row.fields))
        if let before = row.before { parts.append("was " + json(before)) }
        return parts.joined(separator: " ")
    }

    /// 2026-01-15T09:00:00Z, with which the times of fixtures begin.
    static let start: Int64 = 1_768_467_600_000

    private static func json(_ fields: FieldMap) -> String {
        var bytes: [UInt8] = []
        JSONText.append(.object(fields), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The rows of a table.
    static func rows(of table: SavedTable, since start: Int64 = start) throws -> [String] {
        var rows: [String] = []
        var reader = Reader(table)
        while let row = try reader.next() { rows.append(text(row, since: start)) }
        return rows
    }

    /// The rows of a table one by one, as values.
    struct Reader {
        private let table: SavedTable
        private var numbers = SavedRowNumbers()
        private var row = NumberedRow()

        init(_ table: SavedTable) { self.table = table }

        mutating func next() throws -> SavedRow? { try table.next(&row, &numbers).map { _ in numbers.row(row) } }
    }

    /// A table with some content.
    static func table(
        _ content: String, name: String = "cards.csv", in directory: TemporaryDirectory, map: String? = nil,
        _ change: (inout TableReading) throws -> Void = { _ in }
    ) throws -> SavedTable {
        var reading = TableReading()
        if let map { try reading.mapping.map(map) }
        try change(&reading)
        return try SavedTable(path: try directory.create(name, content), reading)
    }
}
