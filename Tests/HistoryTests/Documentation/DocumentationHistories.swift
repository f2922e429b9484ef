import DocumentationPages
import Foundation
import Testing

/// What pages say that takes thousands of writes to measure.
@Suite struct DocumentationHistories {
    @Test(arguments: ShownOutput.pages) func shownOutputIsWhatIsWritten(page: String) throws { try ShownOutput.check(page: page) }

    @Test(arguments: ProofTable.pages) func whatIsProvenIsWhatIsFound(page: String) throws { try ProofTable.checkProven(page: page) }

    @Test(arguments: ProofTable.pages) func whatTimestampsSuspectIsWhatIsFound(page: String) throws {
        try ProofTable.checkSuspected(page: page)
    }

    @Test func everyRowOfEvidenceIsWhatIsMeasured() async throws {
        let table = try await EvidenceTable()
        try table.checkPlainForms()
        try table.checkOtherForms()
    }

    @Test func everyRowOfSuspicionsIsWhatIsMeasured() async throws { try await SuspicionTable.check() }

    @Test func everyLineOfARealTraceAndItsConflictsIsOfTheSchema() throws {
        var schema = try JSONSchema.ofLines()
        try schema.expectValid(try RealTrace.text(), atLeast: 7103)
        try schema.expectValid(try Command.output(["audit", "--statistics", RealTrace.path]), atLeast: 910)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: Repository.path(".git")), "the package is no git repository here"))
    func everyLineOfTheHistoryOfThisRepositoryIsOfTheSchema() throws {
        var schema = try JSONSchema.ofLines()
        try schema.expectValid(try Command.output(["import", "git", "--path-filter", "Package.swift", Repository.path("")]))
    }
}
