/// The first rows of a table, which are looked at before all are read.
struct FirstRows<Row> {
    private var results: [Result<Row, RowProblem>] = []
    private var position = 0
    private var bytes = 0
    /// Whether there are no others.
    private(set) var isWhole = false
    private var hasFailed = false

    /// Reads rows up to a number of them or of their bytes, whichever is reached first.
    ///
    /// - Parameters:
    ///   - maximumBytes: How many bytes are read beside the last row.
    ///   - size: About how many bytes a row takes.
    ///   - next: The next row of the table; nil at the end.
    init(
        maximumRows: Int, maximumBytes: Int, size: (Row) -> Int, _ next: () throws(RowProblem) -> Row?
    ) {
        extend(maximumRows: maximumRows, maximumBytes: maximumBytes, size: size, next)
    }

    /// Reads more of them, before the first is taken.
    mutating func extend(
        maximumRows: Int, maximumBytes: Int, size: (Row) -> Int, _ next: () throws(RowProblem) -> Row?
    ) {
        // Asked once more, a query would begin anew.
        if isWhole || hasFailed { return }
        while results.count < maximumRows, bytes < maximumBytes {
            do throws(RowProblem) {
                guard let row = try next() else {
                    isWhole = true
                    break
                }
                results.append(.success(row))
                bytes += size(row)
            } catch {
                results.append(.failure(error))
                bytes += 64
                if error.isFatal {
                    hasFailed = true
                    break
                }
            }
        }
    }

    /// Those that could be understood, before the first of them is taken.
    var understood: [Row] { results.compactMap { try? $0.get() } }

    /// What is wrong with the first row that could not be understood, before the first is taken.
    var firstProblem: RowProblem? {
        results.lazy.compactMap { result in if case .failure(let problem) = result { problem } else { nil } }.first
    }

    /// Whether all of them have been taken, and there are others.
    var isAtEnd: Bool { position == results.count && !isWhole }

    /// Takes the next row: one of these, then one of the rest.
    ///
    /// - Parameter rest: The next row of the table behind these.
    mutating func next(_ rest: () throws(RowProblem) -> Row?) throws(RowProblem) -> Row? {
        guard position < results.count else {
            // Asked once more, a query would begin anew.
            if isWhole { return nil }
            results = []
            position = 0
            return try rest()
        }
        position += 1
        return try results[position - 1].get()
    }
}
