import AuditLog
import SyncLines
import SyncModel

/// A table to be read row by row.
protocol RowSource: AnyObject {
    /// The names of the columns, in their order.
    var columns: [String] { get }

    /// The next row; nil at the end.
    ///
    /// - Throws: ``RowProblem``; where it is not fatal, the next call goes on behind the row.
    func next() throws(RowProblem) -> Row?
}

/// One row of a table.
struct Row {
    /// The number of its first line in a file, or of the row in what a query returns, from 1.
    let line: Int
    /// One value for each column; null where there is none, as in an empty cell of CSV.
    let values: [FieldValue]
}

/// What is wrong with a row.
struct RowProblem: Error {
    /// The number of its first line in a file, or of the row in what a query returns.
    let line: Int
    /// A sentence without its full stop.
    let sentence: String
    /// Whether nothing can be read behind it.
    var isFatal = false
}

/// The rows of CSV, plain or compressed by gzip.
final class CSVRows: RowSource {
    private(set) var columns: [String] = []
    private var lines: LineReader
    private var parser: CSVParser
    private var line = 0
    /// The first line of the row that is being read.
    private var start = 0

    /// Reads the header.
    ///
    /// - Parameter separator: What separates values; nil for what the header tells.
    init(_ lines: consuming sending LineReader, separator: UInt8?) throws(RowProblem) {
        self.lines = lines
        parser = CSVParser(separator: separator ?? UInt8(ascii: ","), maximumLength: TextLines.maximumLength)
        while let range = try nextLine() {
            let first = line
            let header = try self.lines.withBytes(range) { bytes throws(RowProblem) -> [String]? in
                let bytes = first == 1 && bytes.hasByteOrderMark ? bytes.extracting(3...) : bytes
                if start == 0, !bytes.isEmpty {
                    try Self.checkIsCSV(bytes, line: first)
                    start = first
                    if separator == nil {
                        parser = CSVParser(separator: CSVParser.separator(ofHeader: bytes), maximumLength: TextLines.maximumLength)
                    }
                }
                return try Self.consume(bytes, &parser, start)
            }
            if let header {
                columns = header
                return
            }
        }
        throw RowProblem(line: max(start, 1), sentence: "there is no header; CSV begins with a line that names its columns", isFatal: true)
    }

    private static func checkIsCSV(_ bytes: Span<UInt8>, line: Int) throws(RowProblem) {
        let sentence: String
        switch ForeignFormat(bytes) {
        case .sqlite: sentence = "this is a database of SQLite, not CSV: read it with --sqlite FILE --query SQL"
        case .binary: sentence = "this is a binary file, not CSV: export the table as CSV, or read a database with --sqlite FILE"
        case .utf16?, .zip?, .compressed?, .propertyList?: sentence = ForeignFormat(bytes)?.sentence ?? ""
        case .jsonArray?, .jsonDocument?: sentence = "this is JSON, not CSV"
        case .csv?, nil:
            guard bytes[0] == UInt8(ascii: "{") else { return }
            sentence = "this is JSON, not CSV: leave --csv out"
        }
        throw RowProblem(line: line, sentence: sentence, isFatal: true)
    }

    private static func consume(_ bytes: Span<UInt8>, _ parser: inout CSVParser, _ start: Int) throws(RowProblem) -> [String]? {
        do throws(CSVParser.Problem) {
            return try parser.consume(bytes)
        } catch {
            parser.reset()
            throw RowProblem(line: start, sentence: error.sentence)
        }
    }

    private func nextLine() throws(RowProblem) -> Range<Int>? {
        let next: LineReader.Line
        do throws(ReadingError) {
            next = try lines.next()
        } catch {
            throw RowProblem(line: line + 1, sentence: error.sentence, isFatal: true)
        }
        switch next {
        case .end: return nil
        case .bytes(let range):
            line += 1
            return range
        case .tooLong:
            line += 1
            parser.reset()
            throw RowProblem(line: line, sentence: "the line is longer than \(lines.maximumLength) bytes, the most that is read")
        }
    }

    func next() throws(RowProblem) -> Row? {
        try nextTexts().map { Row(line: start, values: $0.map { $0.isEmpty ? .null : .string($0) }) }
    }

    /// The values of the next row, which begins in line ``start``; nil at the end.
    private func nextTexts() throws(RowProblem) -> [String]? {
        while let range = try nextLine() {
            if !parser.isInsideQuotes { start = line }
            let values = try lines.withBytes(range) { bytes throws(RowProblem) in try Self.consume(bytes, &parser, start) }
            guard let values else { continue }
            guard values.count == columns.count else {
                throw RowProblem(
                    line: start,
                    sentence:
                        "the row has \(values.count) \(values.count == 1 ? "value" : "values"), but the header names \(columns.count) columns"
                )
            }
            return values
        }
        guard parser.isInsideQuotes else { return nil }
        parser.reset()
        throw RowProblem(line: start, sentence: "the row does not end: a value in quotes lacks the quote that closes it")
    }
}

extension CSVRows: TableSource {
    var countsRows: Bool { false }

    func next() throws(RowProblem) -> TableRow? {
        try nextTexts().map { TableRow(line: start, values: $0.map { Self.isAbsent($0) ? .null : .string($0) }) }
    }

    /// Whether a value is empty, or what databases write for none.
    private static func isAbsent(_ text: String) -> Bool {
        switch text.utf8.count {
        case 0: true
        case 2: text == #"\N"#
        case 4: text == "NULL"
        default: false
        }
    }
}
