import SyncBytes
import SyncModel
import SyncSQLite
import SyncSystem

/// The rows that a query returns of a database that belongs to somebody else.
///
/// The file is only read, and nothing beside it is made or removed. It is locked as long, unless it keeps a log.
final class SQLiteRows: RowSource {
    let columns: [String]
    private let connection: SQLiteConnection
    private let statement: SQLiteStatement
    private let path: String
    /// The file, and the log beside it, where others may write meanwhile; nil where the file is locked.
    private let unlocked: [FileStatus?]?
    private var row = 0

    /// Opens a database and prepares a query.
    ///
    /// - Parameter query: One statement that returns rows and changes nothing; nil to be told which tables there are.
    /// - Throws: ``TraceImportError``.
    init(_ path: String, query: String?) throws {
        self.path = path
        let shown = path.escaped(for: .terminal)
        let status = try DatabaseFile.status(path, remedy: "name the file of a database")
        if status.size == 0 { throw TraceImportError(.badData, "\(shown): the file is empty, so there are no tables in it") }
        let unlocked = Self.statuses(path)
        guard let header = try DatabaseFile.header(of: path) else {
            throw TraceImportError(.badData, "\(shown): this is no database of SQLite, or it is damaged or encrypted")
        }
        let hasLog = try DatabaseFile.hasLog(path, noun: "database")
        // Reading a file that keeps a log in the usual way would make files beside it. Source: sqlite.org/fileformat2.html, read version.
        let isLocked = !hasLog && header[19] != 2
        self.unlocked = isLocked ? nil : unlocked
        do {
            connection = try SQLiteConnection(path: path, access: .querying(hasLog: hasLog, isLocked: isLocked), busyTimeout: 2000)
            // A query need not touch the file, which may be anything.
            _ = try connection.integer("PRAGMA schema_version")
            guard let query else {
                throw TraceImportError(.noInput, "\(shown): say which rows with --query SQL\(try Self.tables(connection))")
            }
            statement = try connection.prepareQuery(query)
        } catch let error as SQLiteConnection.QueryProblem {
            let problem =
                switch error {
                case .empty: "it is empty"
                case .several: "it holds more than one statement"
                case .noRows: "it returns no rows, or would change something; write a SELECT"
                }
            throw TraceImportError(.badData, "--query: \(problem)")
        } catch let error as SQLiteError {
            let sentence = !isLocked && Self.statuses(path) != unlocked ? Self.beingWritten : Self.sentence(error)
            throw TraceImportError(error.code == .cannotOpen ? .noInput : .badData, "\(shown): \(sentence)")
        }
        columns = statement.columnNames
    }

    private static func statuses(_ path: String) -> [FileStatus?] { DatabaseFile.statuses(path, ["", "-wal"]) }

    private var isChanged: Bool { unlocked.map { $0 != Self.statuses(path) } ?? false }

    private static let beingWritten =
        "the database was written while it was read, so its rows need not belong together: read it again, or end its app first"

    /// The tables and their columns, for a person who has yet to write a query.
    private static func tables(_ connection: SQLiteConnection) throws(SQLiteError) -> String {
        let rows = try connection.prepare(
            """
            SELECT '"' || replace(m.name, '"', '""') || '"', group_concat(c.name, ', ') FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
            WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' GROUP BY m.name LIMIT 9
            """)
        var tables: [String] = []
        var name: String?
        while try rows.step() {
            name = name ?? rows.text(0)
            tables.append("\(rows.text(0))(\(rows.text(1)))")
        }
        guard let name else { return "; but the database has no tables" }
        return ", as in --query 'SELECT * FROM \(name)'. It has \(tables.prefix(8).joined(separator: ", "))\(tables.count > 8 ? ", …" : "")"
    }

    private static func sentence(_ error: SQLiteError) -> String {
        let cause = (error.underlying as? SQLiteFailure)?.message ?? error.description
        return switch error.code {
        case .damaged: "this is no database of SQLite, or it is damaged or encrypted (\(cause))"
        case .busy: "another process has locked the database (\(cause)); try again, or name a copy"
        case .cannotOpen: "the database cannot be opened (\(cause))"
        case .readOnly:
            "the database was not closed by its writer, and reading it would mean writing (\(cause)): open it once with its app, or name a copy"
        default: "the query fails: \(cause)"
        }
    }

    func next() throws(RowProblem) -> Row? {
        row += 1
        let hasRow: Bool
        do throws(SQLiteError) {
            hasRow = try statement.step()
        } catch {
            throw RowProblem(line: row, sentence: isChanged ? Self.beingWritten : Self.sentence(error), isFatal: true)
        }
        guard hasRow else {
            guard isChanged else { return nil }
            throw RowProblem(line: row, sentence: Self.beingWritten, isFatal: true)
        }
        return Row(line: row, values: columns.indices.map { Self.value(statement.value(Int32($0))) })
    }

    /// A value in JSON, which has no bytes: they are spelled as SQL does.
    private static func value(_ value: SQLiteValue) -> FieldValue {
        switch value {
        case .null: .null
        case .integer(let number): .number(JSONNumber(number))
        case .real(let number): JSONNumber(number).map { .number($0) } ?? .string("\(number)")
        case .text(let text): .string(text)
        case .blob(let bytes):
            .string(
                "x'" + bytes.map { String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true) }.joined()
                    + "'")
        }
    }
}
