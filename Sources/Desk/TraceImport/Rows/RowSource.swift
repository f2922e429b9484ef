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
