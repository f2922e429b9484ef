import SyncBytes

/// The tables of a database of SQLite that belongs to somebody else, of which one looks most like a history.
struct SQLiteTables {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The most tables that are looked at, and rows of each.
    private static let maximumTables = 256
    private static let maximumRows = 1000

    /// The rows that are wanted, their name for messages, and the type of their records, which a query does not tell.
    func rows(_ reading: TableReading) throws -> (rows: any TableSource, name: String, type: String?) {
        if let query = reading.query {
            return (FixedTable(try SQLiteRows(path, query: query)), path + ": row", nil)
        }
        let table = try reading.table.map(known) ?? likeliest(reading)
        return (FixedTable(try SQLiteRows(path, query: Self.query(table))), "\(path): \(table), row", table)
    }

    private static func query(_ table: String, limit: Int? = nil) -> String {
        "SELECT * FROM " + table.enclosed(in: "\"", escapedAs: "\"\"") + (limit.map { " LIMIT \($0)" } ?? "")
    }

    private func names() throws -> [String] {
        let rows = try SQLiteRows(
            path,
            query: """
                SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name \
                LIMIT \(Self.maximumTables)
                """)
        var names: [String] = []
        do throws(RowProblem) {
            while let row = try rows.next() { names.append(row.values[0].plainText) }
        } catch {
            throw TraceImportError(.badData, "\(path.escaped(for: .terminal)): \(error.sentence)")
        }
        return names
    }

    private func known(_ table: String) throws -> String {
        let names = try names()
        if names.contains(table) { return table }
        if let other = names.first(where: { $0.lowercased() == table.lowercased() }) { return other }
        let list = names.prefix(16).map(\.quoted).joined(separator: ", ")
        throw TraceImportError(
            .badData,
            "\(path.escaped(for: .terminal)): there is no table \(table.quoted)"
                + (names.isEmpty
                    ? "; the database has no tables" : "; there \(names.count == 1 ? "is" : "are") \(list)\(names.count > 16 ? ", …" : "")")
        )
    }

    /// The table that looks most like a history.
    private func likeliest(_ reading: TableReading) throws -> String {
        let names = try names()
        let shown = path.escaped(for: .terminal)
        if names.isEmpty { throw TraceImportError(.badData, "\(shown): the database has no tables") }
        if names.count == 1 { return names[0] }
        var best: (likeness: Int, tables: [String]) = (0, [])
        for name in names {
            guard let likeness = try likeness(of: name, reading), likeness >= best.likeness else { continue }
            if likeness > best.likeness { best = (likeness, []) }
            best.tables.append(name)
        }
        if best.tables.count == 1, best.likeness > 0 { return best.tables[0] }
        let list = (best.tables.isEmpty ? names : best.tables).prefix(8)
        let commands = list.map { "--table \($0.shellWord)" }.joined(separator: ", ")
        throw TraceImportError(
            .badData,
            "\(shown): \(best.likeness > 4 ? "several tables look like a history" : "no table is known to be a history"); say which is, as one of \(commands)"
        )
    }

    private func likeness(of table: String, _ reading: TableReading) throws -> Int? {
        guard let rows = try? SQLiteRows(path, query: Self.query(table, limit: Self.maximumRows)) else { return nil }
        // There may be very many tables: more rows are looked at only of the one that is read.
        let source = SampledTable(FixedTable(rows), maximumRows: Self.maximumRows, largestShare: 1)
        var reading = reading
        // What a person has said is about one table, and need not fit the others.
        if let judged = try? JudgedTable(source, reading, type: table, file: table) { return judged.columns.likeness }
        reading.mapping = RowMapping()
        return (try? JudgedTable(source, reading, type: table, file: table)).map { $0.columns.likeness / 4 }
    }
}
