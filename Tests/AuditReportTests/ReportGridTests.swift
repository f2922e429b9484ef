import AuditAnalysis
import ConflictAudit
import Testing

@testable import AuditReport

@Suite struct ReportGridTests {
    /// Totals around the counts from which numbers are abbreviated, and the largest there are.
    @Test(arguments: [9_999, 10_000, 99_999, 999_999, 1_000_000, 1_000_000_001, 999_999_999_999, Int.max / 4], [40, 60, 80, 200])
    func everyNumberUpToTheTotalFitsItsColumn(total: Int, width: Int) {
        let count = ConflictTally.Count(conflicts: total, losses: total)
        for (proven, suspected) in [(count, count), (count, .init()), (.init(), count)] {
            let totals = ReportRow(label: "", proven: proven, suspected: suspected)
            let grid = ReportGrid(totals: totals, labelWidths: [10, 30, 300], width: width)
            #expect(grid.labelWidth >= 8)
            #expect(grid.columns.reduce(2 + grid.labelWidth) { $0 + $1.width + 2 } + (grid.barWidth > 0 ? grid.barWidth + 2 : 0) <= width)
            for limit in [10_000, 1_000_000, 1_000_000_000, total + 1] {
                for column in grid.columns {
                    #expect(TerminalText.width(grid.text(min(limit - 1, total))) <= column.width)
                }
            }
        }
    }

    @Test(arguments: [
        (9_999, "9,999"), (10_000, "10k"), (999_999, "999k"), (1_000_000, "1.0M"), (2_350_000, "2.3M"),
        (Int.max / 4, "2.3E"),
    ])
    func wideNumbersAreAbbreviated(count: Int, expected: String) {
        let most = ConflictTally.Count(conflicts: .max / 4, losses: .max / 4)
        let grid = ReportGrid(totals: ReportRow(label: "", proven: most, suspected: most), labelWidths: [30], width: 40)
        #expect(grid.text(count) == expected)
    }
}
