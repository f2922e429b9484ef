import SyncBytes
import SyncModel
import SyncSQLite

/// Finds the transactions of the history by their numbers, with their authors.
final class Transactions {
    private let rows: SQLiteStatement
    private let strings: SQLiteStatement?
    private var authors: [Int64: String] = [:]

    init(_ tables: CoreDataTables, _ file: CoreDataFile) throws {
        let names = Set(try tables.columns(of: "ATRANSACTION")?.map(\.name) ?? [])
        func column(_ name: String) -> String { names.contains(name) ? name : "NULL" }
        rows = try file.connection.prepare(
            "SELECT ZTIMESTAMP, \(column("ZAUTHORTS")), \(column("ZAUTHOR")) FROM ATRANSACTION WHERE Z_PK = ?1")
        let columns = try tables.columns(of: "ATRANSACTIONSTRING") ?? []
        let isKnown = columns.contains { $0.name == "Z_PK" && $0.isKey } && columns.contains { $0.name == "ZNAME" }
        strings = isKnown ? try file.connection.prepare("SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ?1") : nil
    }

    /// A transaction's time and author; nil where there is none of that number, or it has no time.
    func find(_ number: Int64) throws -> (milliseconds: Int64, author: String?)? {
        defer { rows.reset() }
        try rows.bind(number, at: 1)
        guard try rows.step(), let milliseconds = CoreDataTime.milliseconds(rows.value(0)) else { return nil }
        if let key = rows.value(1).integer, let author = try author(key) { return (milliseconds, author) }
        return (milliseconds, rows.value(2).text?.shortened)
    }

    private func author(_ key: Int64) throws -> String? {
        if let known = authors[key] { return known }
        guard let strings else { return nil }
        defer { strings.reset() }
        try strings.bind(key, at: 1)
        guard try strings.step(), let text = strings.value(0).text else { return nil }
        if authors.count < Self.kept { authors[key] = text.shortened }
        return text.shortened
    }

    private static let kept = 1000
}
