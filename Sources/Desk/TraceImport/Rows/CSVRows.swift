import AuditLog
import SyncModel
import SyncSystem

/// The rows of CSV; those behind the ones that are looked at are cut by another thread meanwhile.
final class CSVRows: RowSource {
    let columns: [String]
    private let blocks: BlocksAhead<CSVCutter.Block>
    private var block = CSVCutter.Block()
    /// How many rows of the block have been taken.
    private var position = 0

    /// Reads the header.
    ///
    /// - Parameter separator: What separates values; nil for what the header tells.
    init(_ lines: consuming sending LineReader, separator: UInt8?) throws(RowProblem) {
        var cutter = CSVCutter(lines, separator: separator)
        columns = try cutter.header(separator: separator)
        let rest = Locked(cutter)
        blocks = BlocksAhead { rest.withLock { $0.next() } }
    }

    /// The index of the next row in the block; nil at the end.
    private func advance() throws(RowProblem) -> Int? {
        while position == block.rows.count {
            guard let next = blocks.next() else { return nil }
            (block, position) = (next, 0)
        }
        position += 1
        if let problem = block.rows[position - 1].problem { throw problem }
        return position - 1
    }

    /// Looks at the bytes of the next row; nil at the end.
    ///
    /// - Parameter body: Takes the line in which the row begins, bytes, and the indices before and behind each of its values in them.
    func next<Result>(_ body: (Int, Span<UInt8>, Span<Int>) throws(RowProblem) -> Result) throws(RowProblem) -> Result? {
        guard let index = try advance() else { return nil }
        return try block.withRow(index, body)
    }

    /// Where the value of a cell is in the bytes of its row.
    @inline(__always) static func range(_ cell: Int, _ ends: Span<Int>) -> Range<Int> { ends[cell] + 1..<ends[cell + 1] }

    func next() throws(RowProblem) -> Row? {
        try next { (line, bytes, ends) throws(RowProblem) in
            Row(line: line, values: try Self.values(line, bytes, ends) { $0.isEmpty })
        }
    }

    /// The values of a row, null where a condition is fulfilled.
    private static func values(
        _ line: Int, _ bytes: Span<UInt8>, _ ends: Span<Int>, isNull: (Span<UInt8>) -> Bool
    ) throws(RowProblem) -> [FieldValue] {
        var values: [FieldValue] = []
        values.reserveCapacity(ends.count - 1)
        do throws(CSVParser.Problem) {
            for cell in 0..<ends.count - 1 {
                let value = bytes.extracting(range(cell, ends))
                values.append(isNull(value) ? .null : .string(try CSVParser.text(value)))
            }
            return values
        } catch {
            throw RowProblem(line: line, sentence: error.sentence)
        }
    }
}

extension CSVRows: TableSource {
    var countsRows: Bool { false }

    func next() throws(RowProblem) -> TableRow? {
        try next { (line, bytes, ends) throws(RowProblem) in
            TableRow(line: line, values: try Self.values(line, bytes, ends, isNull: Self.isAbsent))
        }
    }

    /// Whether a value is empty, or what databases write for none.
    @inline(__always) static func isAbsent(_ bytes: Span<UInt8>) -> Bool {
        switch bytes.count {
        case 0: true
        case 2: bytes[0] == UInt8(ascii: "\\") && bytes[1] == UInt8(ascii: "N")
        case 4:
            bytes[0] == UInt8(ascii: "N") && bytes[1] == UInt8(ascii: "U") && bytes[2] == UInt8(ascii: "L") && bytes[3] == UInt8(ascii: "L")
        default: false
        }
    }
}
