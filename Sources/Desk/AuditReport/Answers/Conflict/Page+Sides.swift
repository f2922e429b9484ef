import AuditAnalysis

extension Page {
    /// The lines that one value may take.
    private static let height = 3

    /// Adds the ancestor and both sides, or the versions of a saved row, beside each other in columns.
    mutating func drawSides(of details: ConflictDetails, width: Int) {
        let table = SidesTable(details)
        let column = (width - 2 * (table.titles.count - 1)) / table.titles.count
        line(Self.line(table.titles.map { TerminalText.shortened($0, to: column) }, column), .strong)
        for row in table.rows {
            if let name = row.name { line(("  ", .plain), (TerminalText.truncated(name, to: width - 2), .name)) }
            let drawn = row.cells.map { Self.wrapped($0, column) }
            for row in 0..<(drawn.map(\.count).max() ?? 0) { line(Self.line(drawn.map { row < $0.count ? $0[row] : "" }, column)) }
        }
    }

    private static func wrapped(_ text: String, _ column: Int) -> [String] {
        // One more than is shown tells whether there is more.
        let lines = TerminalText.broken(text, to: column, lines: height + 1)
        guard lines.count > height else { return lines }
        return lines.prefix(height - 1) + [TerminalText.truncated(lines[height - 1] + " ", to: column)]
    }

    private static func line(_ cells: [String], _ column: Int) -> String {
        var line = cells.map { TerminalText.padded($0, to: column) }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
