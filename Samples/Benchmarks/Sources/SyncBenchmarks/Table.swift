/// Columns that line up.
enum Table {
    static func row(_ cells: String...) {
        let widths = [17, 20, 17, 17, 9, 17, 9, 17]
        let text = zip(cells.indices, cells).map { index, cell in
            let padding = String(repeating: " ", count: max(1, widths[min(index, widths.count - 1)] - cell.count))
            return index < 2 ? cell + padding : padding + cell
        }.joined()
        print("  " + text)
    }

    static func microseconds(_ seconds: Double) -> String { decimal(seconds * 1e6) }

    static func milliseconds(_ seconds: Double) -> String { decimal(seconds * 1e3) }

    static func seconds(_ seconds: Double) -> String { decimal(seconds) }

    static func ratio(_ value: Double) -> String { decimal(value) + "×" }

    static func percent(_ value: Double) -> String { decimal(value * 100) + " %" }

    static func perSecond(_ count: Int, _ seconds: Double) -> String { "\(Int(Double(count) / seconds))" }

    /// Two decimals.
    private static func decimal(_ value: Double) -> String {
        let hundredths = Int((value.magnitude * 100).rounded())
        let rest = hundredths % 100
        return "\(value < 0 ? "-" : "")\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
