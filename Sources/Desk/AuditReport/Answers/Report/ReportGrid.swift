import AuditAnalysis
import ConflictAudit

/// The columns that all breakdowns of one report share: a name, up to four numbers, a bar.
///
/// Sharing them lets the eye run down the page. Where the width is short, the headings are shortened first, then the numbers, then the
/// bars go.
struct ReportGrid {
    /// A column of numbers.
    enum Column {
        case conflicts, proven, suspected, losses, suspectedLosses

        func heading(short: Bool) -> String {
            switch self {
            case .conflicts: short ? "confl." : "conflicts"
            case .proven: "proven"
            case .suspected: short ? "susp." : "suspected"
            case .losses: "lost"
            case .suspectedLosses: "lost?"
            }
        }

        /// The columns that a report with these totals fills.
        static func needed(for totals: ReportRow) -> [Column] {
            switch (totals.proven.conflicts > 0, totals.suspected.conflicts > 0) {
            case (true, true): [.proven, .suspected, .losses, .suspectedLosses]
            case (false, true): [.suspected, .suspectedLosses]
            default: [.conflicts, .losses]
            }
        }

        func value(_ row: ReportRow) -> Int? {
            switch self {
            case .conflicts, .proven: row.proven.conflicts
            case .suspected: row.suspected.conflicts
            case .losses: row.countsLosses ? row.proven.losses : nil
            case .suspectedLosses: row.countsLosses ? row.suspected.losses : nil
            }
        }
    }

    private(set) var columns: [(column: Column, heading: String, width: Int)] = []
    private(set) var labelWidth = 0
    private(set) var barWidth = 0
    /// Counts from here on are abbreviated.
    private(set) var abbreviatesFrom = Int.max

    /// A longer bar tells the eye nothing more.
    private static let longestBar = 60

    /// Fits the columns into a width.
    ///
    /// - Parameters:
    ///   - totals: The row with the largest numbers.
    ///   - labelWidths: What each name would like to have. Those that want more than two fifths of the width get a line of their own.
    init(totals: ReportRow, labelWidths: [Int], width: Int) {
        let kinds = Column.needed(for: totals)
        // Wide enough for the titles, which stand in the same column.
        let wanted = max(labelWidths.filter { $0 <= width * 2 / 5 }.max() ?? 0, min(26, width / 3))
        for (short, limit) in [(false, Int.max), (true, Int.max), (true, 1_000_000_000), (true, 1_000_000), (true, 10_000)] {
            abbreviatesFrom = limit
            columns = kinds.map { column in
                let heading = column.heading(short: short)
                let largest = column.value(totals) ?? 0
                // The largest number that is not abbreviated may be wider than the abbreviation of a larger one.
                let widest = [largest, min(largest, limit - 1)].map { TerminalText.width(text($0)) }.max() ?? 0
                return (column, heading, max(TerminalText.width(heading), widest, 5))
            }
            let left = width - 2 - columns.reduce(0) { $0 + $1.width + 2 }
            // A bar needs ten cells to say anything; where there is no room for that, names get it all.
            labelWidth = max(min(wanted, left - (width >= 60 ? 12 : 0)), 8)
            barWidth = min(left - labelWidth - 2, Self.longestBar)
            if labelWidth >= min(wanted, width / 4) { break }
        }
        if barWidth < 5 {
            labelWidth = max(labelWidth, labelWidth + barWidth + 2)
            barWidth = 0
        }
    }

    /// The number with separators, or cut to three digits and a letter where it is too wide for its column.
    func text(_ count: Int) -> String {
        guard count >= abbreviatesFrom else { return HumanNumber.count(count) }
        var value = Double(count)
        var letters = ["", "k", "M", "G", "T", "P", "E"][...]
        while value >= 1000, letters.count > 1 {
            value /= 1000
            letters.removeFirst()
        }
        let tenths = Int(value * 10)
        return (value < 10 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + (letters.first ?? "")
    }
}
