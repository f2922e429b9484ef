import SyncModel

/// A table to be read row by row, whose columns may become more on the way.
protocol TableSource: AnyObject {
    /// The names of the columns that have come so far, in their order.
    var columns: [String] { get }
    /// Whether a row is told by its number, and not by its line in the file.
    var countsRows: Bool { get }

    /// The next row; nil at the end.
    ///
    /// - Throws: ``RowProblem``; where it is not fatal, the next call goes on behind the row.
    func next() throws(RowProblem) -> TableRow?
}

/// One row of a table.
struct TableRow: Sendable {
    /// The number of its first line in a file, or of the row, from 1.
    let line: Int
    /// One value for each column that had come by then; nil where the row does not name it.
    let values: [FieldValue?]
}

/// The rows of a query, whose columns are known from the start.
final class FixedTable: TableSource {
    private let rows: any RowSource
    var countsRows: Bool { true }
    var columns: [String] { rows.columns }

    /// Wraps rows.
    init(_ rows: any RowSource) { self.rows = rows }

    func next() throws(RowProblem) -> TableRow? { try rows.next().map { TableRow(line: $0.line, values: $0.values) } }
}

/// A table whose first rows are looked at before they are read.
final class SampledTable: TableSource {
    /// How many rows are looked at first, and how many bytes of them.
    static let maximumRows = 4000
    private static let maximumBytes = 4 << 20

    private let rest: any TableSource
    private var first: FirstRows<TableRow>
    private let maximumRows: Int
    private let largestShare: Int
    private var share = 1
    /// The rows that were looked at and could be understood.
    private(set) var sample: [TableRow] = []
    /// What is wrong with the first row that could not be understood.
    private(set) var firstProblem: RowProblem?

    /// Whether there are no others.
    var isWhole: Bool { first.isWhole }
    var columns: [String] { rest.columns }
    var countsRows: Bool { rest.countsRows }

    /// Reads the first rows of a table.
    ///
    /// - Parameter largestShare: How many times as many may be looked at where the first ones tell too little.
    init(_ rows: any TableSource, maximumRows: Int = SampledTable.maximumRows, largestShare: Int = 16) {
        (rest, self.maximumRows, self.largestShare) = (rows, maximumRows, largestShare)
        first = FirstRows(maximumRows: maximumRows, maximumBytes: Self.maximumBytes, size: \.size) { () throws(RowProblem) in
            try rows.next()
        }
        look()
    }

    /// Looks at four times as many rows.
    ///
    /// - Returns: Whether there were more, and not too many.
    func extend() -> Bool {
        guard !isWhole, share < largestShare else { return false }
        share *= 4
        first.extend(maximumRows: share * maximumRows, maximumBytes: share * Self.maximumBytes, size: \.size) { () throws(RowProblem) in
            try rest.next()
        }
        look()
        return true
    }

    /// The rows of CSV behind those that were looked at; nil where one of these comes next, or the table is no CSV.
    var restOfCSV: CSVRows? { first.isAtEnd ? rest as? CSVRows : nil }

    /// Lets go of the rows that were looked at, once they have been judged; they are read all the same.
    func forgetSample() { sample = [] }

    private func look() { (sample, firstProblem) = (first.understood, first.firstProblem) }

    func next() throws(RowProblem) -> TableRow? { try first.next { () throws(RowProblem) in try rest.next() } }
}

extension TableRow {
    /// About how many bytes the row takes.
    fileprivate var size: Int { values.reduce(0) { $0 + ($1?.size ?? 1) } }
}

extension FieldValue {
    /// About how many bytes the value takes.
    var size: Int {
        switch self {
        case .null, .bool, .number: 16
        case .string(let text): 16 + text.utf8.count
        case .array(let elements): elements.reduce(16) { $0 + $1.size }
        case .object(let fields): fields.reduce(16) { $0 + 16 + $1.value.size }
        }
    }
}
