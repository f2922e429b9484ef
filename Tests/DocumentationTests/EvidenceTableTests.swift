import DocumentationPages
import Testing

/// Numbers of the tables of what lines find, by what they say of what writers had seen; all rows are among the histories.
@Suite struct EvidenceTableTests {
    @Test func rowsOfPlainLinesAreWhatIsMeasured() async throws { try await EvidenceTable().checkPlainForms() }

    @Test func theFirstRowOfSuspicionsIsWhatIsMeasured() async throws { try await SuspicionTable.checkFirstRow() }
}
