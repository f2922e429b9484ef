import AuditLog
import SyncBytes

/// Cuts CSV, plain or compressed by gzip, into rows, many at a time, so that another thread can do it.
struct CSVCutter: ~Copyable {
    /// Rows that follow on one another.
    struct Block: Sendable {
        /// Their values, one byte between two of them, and before the first and behind each value the index of that byte.
        var bytes: [UInt8] = []
        var ends = [-1]
        /// The first line of each row, how many indices there are up to its end, and what is wrong with it.
        var rows: [(line: Int, end: Int, problem: RowProblem?)] = []

        /// Looks at a row: its line, the bytes of the block, and the indices before and behind each of its values.
        func withRow<Result>(
            _ index: Int, _ body: (Int, Span<UInt8>, Span<Int>) throws(RowProblem) -> Result
        ) throws(RowProblem) -> Result {
            let first = index == 0 ? 1 : rows[index - 1].end
            return try body(rows[index].line, bytes.span, ends.span.extracting(first - 1..<rows[index].end))
        }
    }

    private var lines: LineReader
    private var parser: CSVParser
    private var line = 0
    /// The first line of the row that is being read.
    private var start = 0
    private var columns = 0
    private var hasFailed = false

    /// About how many bytes of values a block has, and how many rows at most.
    private static let blockSize = 128 << 10
    private static let blockRows = 8192

    /// Prepares the cutting of lines, the header included.
    ///
    /// - Parameter separator: What separates values; nil for what the header tells.
    init(_ lines: consuming LineReader, separator: UInt8?) {
        self.lines = lines
        parser = CSVParser(separator: separator ?? UInt8(ascii: ","), maximumLength: TextLines.maximumLength)
    }

    /// Reads the names of the columns.
    mutating func header(separator: UInt8?) throws(RowProblem) -> [String] {
        while let range = try nextLine() {
            let first = line
            let header = try lines.withBytes(range) { bytes throws(RowProblem) -> [String]? in
                let bytes = first == 1 && bytes.hasByteOrderMark ? bytes.extracting(3...) : bytes
                if start == 0, !bytes.isEmpty {
                    try Self.checkIsCSV(bytes, line: first)
                    start = first
                    if separator == nil {
                        parser = CSVParser(separator: CSVParser.separator(ofHeader: bytes), maximumLength: TextLines.maximumLength)
                    }
                }
                do throws(CSVParser.Problem) {
                    return try parser.consume(bytes)
                } catch {
                    throw RowProblem(line: start, sentence: error.sentence)
                }
            }
            if let header {
                columns = header.count
                return header
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
        case .csv?, .text?, nil:
            guard bytes[0] == UInt8(ascii: "{") else { return }
            sentence = "this is JSON, not CSV: leave --csv out"
        }
        throw RowProblem(line: line, sentence: sentence, isFatal: true)
    }

    private mutating func nextLine() throws(RowProblem) -> Range<Int>? {
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

    /// The next rows; nil at the end, and behind one at which reading failed.
    mutating func next() -> Block? {
        var block = Block()
        block.bytes.reserveCapacity(2 * Self.blockSize)
        while block.bytes.count < Self.blockSize, block.rows.count < Self.blockRows, !hasFailed {
            do throws(RowProblem) {
                guard try read() else { break }
                takeRow(&block)
            } catch {
                hasFailed = error.isFatal
                block.rows.append((error.line, block.ends.count, error))
            }
        }
        return block.rows.isEmpty ? nil : block
    }

    /// Puts the row that was read behind those of a block.
    private func takeRow(_ block: inout Block) {
        parser.withValues { bytes, ends in
            let offset = block.bytes.count
            bytes.append(0..<bytes.count, to: &block.bytes)
            block.bytes.append(0)
            for index in ends.indices { block.ends.append(offset + ends[index]) }
        }
        block.rows.append((start, block.ends.count, nil))
    }

    /// Reads the next row, which begins in line ``start``; false at the end.
    private mutating func read() throws(RowProblem) -> Bool {
        while let range = try nextLine() {
            if !parser.isInsideQuotes { start = line }
            do throws(CSVParser.Problem) {
                guard try lines.withBytes(range, { bytes throws(CSVParser.Problem) in try parser.read(bytes) }) else { continue }
            } catch {
                parser.reset()
                throw RowProblem(line: start, sentence: error.sentence)
            }
            let count = parser.withValues { $1.count }
            guard count == columns else {
                throw RowProblem(
                    line: start,
                    sentence: "the row has \(count) \(count == 1 ? "value" : "values"), but the header names \(columns) columns")
            }
            return true
        }
        guard parser.isInsideQuotes else { return false }
        parser.reset()
        throw RowProblem(line: start, sentence: "the row does not end: a value in quotes lacks the quote that closes it")
    }
}
