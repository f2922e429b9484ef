import AuditAnalysis
package import SyncBytes
package import SyncModel

/// Writes comma-separated values, as RFC 4180 defines them, that a spreadsheet takes for data and never for formulas.
package enum CSVText {
    /// A line of cells, with its line break.
    ///
    /// - Parameter separators: What else a program may take for the end of a cell, so that a cell that holds it is quoted.
    package static func line(_ cells: [String], separators: String = "") -> String {
        cells.map { quoted($0, separators) }.joined(separator: ",") + "\r\n"
    }

    /// A cell with a value as JSON.
    ///
    /// A string is in quotes of its own, which no formula begins with; a negative number is a number to a spreadsheet too.
    package static func json(_ value: FieldValue) -> String { JSONText.string(value) }

    private static func quoted(_ cell: String, _ separators: String) -> String {
        let ends = (",\"" + separators).utf8
        guard cell.hasPrefix(" ") || cell.utf8.contains(where: { $0 < 0x20 || ends.contains($0) }) else { return cell }
        return cell.enclosed(in: "\"", escapedAs: "\"\"")
    }
}

extension Escaping {
    /// Puts an apostrophe before what a spreadsheet would take for the start of a formula, and writes out what a terminal acts on.
    ///
    /// Source: OWASP, *CSV Injection*.
    package static let spreadsheet = Escaping { string in
        let string = string.escaped(for: .terminal)
        guard let first = string.unicodeScalars.first(where: { $0 != " " }), formulaStarts.contains(first) else { return string }
        return "'" + string
    }

    // The full-width forms count for some spreadsheets in East Asian locales.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠"]
}
