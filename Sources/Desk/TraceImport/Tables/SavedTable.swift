package import AuditLog
package import ConflictAudit
import SyncBytes
import SyncModel

/// Reads a table that remembers what was saved, row by row.
///
/// ```swift
/// let table = try SavedTable(path: "notes.db", TableReading())
/// var row = NumberedRow()
/// while let line = try table.next(&row, &audit.numbers) { audit.observe(row, line: line) }
/// if !table.doubts.isEmpty { … }
/// ```
///
/// - Complexity: linear in the bytes; memory grows with the records and the longest row. One thread at a time.
package final class SavedTable {
    /// What was read.
    package struct Counts: Hashable, Sendable {
        /// Rows that were saved.
        package var rows = 0
        /// Rows passed over because they could not be understood, and the problem of the first.
        package var skipped = 0
        package var firstProblem: String?
        /// Rows that say nothing of a record, as that a table was emptied.
        package var ignored = 0
    }

    /// The table's name in messages: the file's, and behind a colon that of a table in a database.
    package let name: String
    /// Whether rows are told by their number and not by their line in the file.
    package let countsRows: Bool
    /// The column that numbers the rows, by which a finding can name them; nil where there is none.
    package let orderColumn: String?
    /// What each column was taken for, one sentence without its full stop a column, with the option that says otherwise.
    package let columnSentences: [String]
    /// What a configuration says of it.
    package let settings: TableSettings?
    /// What was read so far.
    package private(set) var counts = Counts()

    private let source: SampledTable
    private var reader: SavedRowReader
    private let isLenient: Bool
    private var evidence: TableEvidence
    /// A row that names one field, to which the next may add another.
    private var pending: (row: SavedRow, line: Int)?
    private var failure: TraceImportError?

    /// The table in a file: CSV, TSV, JSON or JSON Lines, each plain or compressed by gzip, or a database of SQLite.
    ///
    /// The type of records that nothing in the rows tells is the name of the table, or the file's up to its first dot.
    ///
    /// - Throws: ``TraceImportError`` and ``AuditLogError``.
    package convenience init(path: String, _ reading: TableReading, onRead: ReadingObserver? = nil) throws {
        let kind: InputKind
        do {
            kind = try InputKind(path: path)
        } catch let error as ReadingError {
            throw TraceImportError(.inputOutput, "\(path.escaped(for: .terminal)): \(error.sentence)")
        }
        if kind == .sqlite, StreamedLines.isCompressed(path) { throw Self.noDatabase(path) }
        if kind == .sqlite || reading.table != nil || reading.query != nil {
            let (rows, label, type) = try SQLiteTables(path).rows(reading)
            try self.init(rows, name: label, file: path, type: type ?? Self.stem(path), reading)
            return
        }
        let input = try InputChunks(path: path, onRead: onRead)
        try self.init(try Self.rows(of: input, kind, path, reading), name: path, file: path, type: Self.stem(path), reading)
    }

    /// The table in an input whose first bytes may have been looked at.
    ///
    /// - Throws: ``TraceImportError``.
    package convenience init(_ input: InputChunks, name: String, _ reading: TableReading) throws {
        let kind: InputKind
        do throws(ReadingError) {
            kind = try InputKind(input)
        } catch {
            throw TraceImportError(.inputOutput, "\(name.escaped(for: .terminal)): \(error.sentence)")
        }
        try self.init(try Self.rows(of: input, kind, name, reading), name: name, file: nil, type: "Record", reading)
    }

    private static func rows(
        of input: InputChunks, _ kind: InputKind, _ name: String, _ reading: TableReading
    ) throws(TraceImportError) -> any TableSource {
        let shown = name.escaped(for: .terminal)
        switch kind {
        case .json: return JSONTable(input)
        case .separatedValues:
            do throws(RowProblem) {
                let lines = LineReader(input.producer(), maximumLength: TextLines.maximumLength)
                return try CSVRows(lines, separator: reading.separator)
            } catch {
                throw TraceImportError(.badData, "\(shown):\(error.line): \(error.sentence)")
            }
        case .empty: throw TraceImportError(.badData, "\(shown): there is nothing in it, so there are no rows")
        case .trace:
            throw TraceImportError(.badData, "\(shown): these are lines of a trace and no table: leave out what is said of columns")
        case .sqlite: throw noDatabase(name)
        case .foreign(let sentence): throw TraceImportError(.badData, "\(shown): \(sentence)")
        }
    }

    /// What is said of a database that comes compressed or through a pipe.
    private static func noDatabase(_ name: String) -> TraceImportError {
        TraceImportError(
            .badData,
            "\(name.escaped(for: .terminal)): this is a database of SQLite, which is read from a file alone: save it uncompressed and name the file"
        )
    }

    private init(_ rows: any TableSource, name: String, file: String?, type: String, _ reading: TableReading) throws {
        let source = SampledTable(rows)
        // Before anything is said or written of the others.
        if let problem = source.firstProblem, problem.isFatal || !reading.isLenient {
            throw TraceImportError(.badData, "\(name.escaped(for: .terminal)):\(problem.line): \(problem.sentence)")
        }
        if source.sample.isEmpty, source.columns.isEmpty {
            throw TraceImportError(.badData, "\(name.escaped(for: .terminal)): there are no rows in it")
        }
        let judged: JudgedTable
        var reading = reading
        do throws(RowMapping.Problem) {
            reading = try reading.completed(for: type)
            judged = try JudgedTable(source, reading, type: reading.mapping.type(ofFile: type), file: file.map(Self.stem))
        } catch {
            throw TraceImportError(.badData, "\(name.escaped(for: .terminal)): \(error.sentence)")
        }
        source.forgetSample()
        (self.name, self.source, isLenient, settings) = (name, source, reading.isLenient, reading.tables[type])
        countsRows = source.countsRows
        orderColumn = judged.columns.orderColumn
        columnSentences = judged.columns.sentences
        evidence = TableEvidence(judged)
        reader = SavedRowReader(judged, reading)
    }

    static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.split(separator: ".").first.map(String.init) ?? "Record"
    }

    /// Reads the next row.
    ///
    /// - Parameters:
    ///   - row: Becomes the row.
    ///   - numbers: Those of what it names; new names and values get new ones.
    /// - Returns: Its line in the file, or its number; nil at the end.
    /// - Throws: ``TraceImportError`` that names the table and the line.
    package func next(_ row: inout NumberedRow, _ numbers: inout SavedRowNumbers) throws -> Int? {
        if let failure { throw failure }
        while true {
            do throws(RowProblem) {
                guard let line = try read(&row, &numbers) else { return nil }
                counts.rows += 1
                evidence.observe(row, numbers, isCreation: reader.lastOperation == .create)
                return line
            } catch {
                let problem = TraceImportError(.badData, "\(name.escaped(for: .terminal)):\(error.line): \(error.sentence)")
                guard isLenient, !error.isFatal else {
                    failure = problem
                    throw problem
                }
                counts.skipped += 1
                if counts.firstProblem == nil { counts.firstProblem = problem.description }
            }
        }
    }

    private func read(_ row: inout NumberedRow, _ numbers: inout SavedRowNumbers) throws(RowProblem) -> Int? {
        if reader.cells != nil, let rows = source.restOfCSV {
            while true {
                let next = try rows.next { (line, bytes, ends) throws(RowProblem) in
                    (isRow: try reader.read(bytes, ends, line: line, &numbers, into: &row), line: line)
                }
                guard let next else { return nil }
                if next.isRow { return next.line }
                counts.ignored += 1
            }
        }
        guard let (saved, line) = try nextSaved() else { return nil }
        row = numbers.number(saved)
        return line
    }

    private func nextSaved() throws(RowProblem) -> (row: SavedRow, line: Int)? {
        while true {
            guard let row = try source.next() else { return pending.take() }
            guard let saved = try reader.saved(row, columns: source.columns) else {
                counts.ignored += 1
                continue
            }
            guard reader.namesFields else { return (saved, row.line) }
            // Rows that each name one field are one save where record, author and time are the same.
            guard let before = pending else {
                pending = (saved, row.line)
                continue
            }
            if let joined = before.row.joined(with: saved) {
                pending = (joined, before.line)
                continue
            }
            pending = (saved, row.line)
            return before
        }
    }

    /// Why nothing can be found in the rows that were read, as sentences without their full stop; none where something can be.
    package var doubts: [String] { evidence.doubts(counts) }

    /// What is to be known of the rows that were read, beside ``columnSentences``, as sentences without their full stop.
    package var notes: [String] { evidence.notes }
}

extension SavedRow {
    /// One save of this row and another that names another field of the record; nil where they are two saves.
    fileprivate func joined(with other: SavedRow) -> SavedRow? {
        guard key == other.key, author == other.author, made == other.made, received == other.received, !isDelete, !other.isDelete,
            received != nil || made != nil, other.fields.allSatisfy({ fields[$0.name] == nil })
        else { return nil }
        var joined = self
        joined.fields = fields.filled(from: other.fields)
        joined.before = before.map { $0.filled(from: other.before ?? FieldMap()) } ?? other.before
        return joined
    }
}
