package import AuditAnalysis

/// Lines up cells in columns.
///
/// Cells come in escaped; styles go around whole lines or on after the widths are known.
package struct TextTable {
    /// How a column is laid out.
    package struct Column: Sendable {
        /// The heading, empty for none.
        package let title: String
        /// Which side the cells keep to.
        package let alignment: TerminalText.Alignment
        /// Whether the column gives way, cut with `…`, where the table is too wide.
        package let isFlexible: Bool

        /// A column.
        package init(_ title: String = "", alignment: TerminalText.Alignment = .left, isFlexible: Bool = false) {
            self.title = title
            self.alignment = alignment
            self.isFlexible = isFlexible
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    private static let gap = 2
    private static let smallestWidth = 4

    /// A table without rows.
    package init(columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row of as many cells as there are columns.
    package mutating func addRow(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has a cell for every column")
        rows.append(cells)
    }

    /// The lines, headings first where there are any, each ending in a line break and without spaces before it.
    ///
    /// - Parameter maximumWidth: The columns of the terminal; flexible columns are cut so that lines fit, to no less than 4.
    package func render(maximumWidth: Int) -> String {
        var widths = columns.indices.map { column in
            max(TerminalText.width(columns[column].title), rows.map { TerminalText.width($0[column]) }.max() ?? 0)
        }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - maximumWidth
        while excess > 0 {
            let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > Self.smallestWidth }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
            // Down to the next widest at once: one cell of a hostile log may be megabytes wide.
            let next = flexible.filter { $0 != widest }.map { widths[$0] }.max() ?? Self.smallestWidth
            let step = min(excess, max(1, widths[widest] - next))
            widths[widest] -= step
            excess -= step
        }
        let heading = columns.contains { !$0.title.isEmpty } ? [columns.map(\.title)] : []
        return (heading + rows).map { line($0, widths) }.joined()
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            if column > 0 { line += String(repeating: " ", count: Self.gap) }
            let text = columns[column].isFlexible ? TerminalText.truncated(cell, to: widths[column]) : cell
            line += TerminalText.padded(text, to: widths[column], alignment: columns[column].alignment)
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}

extension TextTable {
    /// The name of a column of which there may be many: A, B and so on, then P27.
    static func letter(_ index: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return index < letters.count ? String(letters[index]) : "P\(index + 1)"
    }
}
