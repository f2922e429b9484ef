import DocumentationPages
import Foundation
import Testing

/// Numbers of the tables of what lines find, by what they say of what writers had seen; all rows are among the histories.
@Suite struct EvidenceTableTests {
    @Test func rowsOfPlainLinesAreWhatIsMeasured() async throws { try await EvidenceTable().checkPlainForms() }

    @Test func theFirstRowOfSuspicionsIsWhatIsMeasured() async throws { try await SuspicionTable.checkFirstRow() }

    /// Measured by the tests of the audit; `.ci/golden report` writes it anew.
    @Test func whatSavedRowsTellIsWhatIsMeasured() throws {
        let measured = try Repository.text("Tests/AuditAnalysisTests/Golden/saved-rows.md")
        #expect(measured.split(separator: "\n\n").count == 2)
        for table in measured.components(separatedBy: "\n\n") {
            let isShown = try Repository.text("Sources/Desk/syncaudit/syncaudit.docc/MyServerTakesWholeRecords.md").contains(table)
            #expect(isShown, "measured:\n\(table)")
        }
    }
}
