import DocumentationPages
import Testing

/// What README and articles show of the command's output is what it writes.
@Suite struct ShownOutputTests {
    /// Pages that audit a real history of 7,103 writes several times, or replay it; they are among the histories, with all others.
    private static let long = ["CheckLogs", "GetValuesBack", "TryOtherPolicies"]

    private static let pages = ShownOutput.pages.filter { page in !long.contains { page.hasSuffix("/\($0).md") } }

    @Test func everyVerbThatPeopleReadIsShown() throws {
        let commands = try ShownOutput.commands()
        for verb in ["report", "lost", "show", "replay", "check", "restore"] {
            #expect(commands.contains { $0.contains("syncaudit \(verb) ") }, "\(verb)")
        }
    }

    @Test func mostPagesAreRunHere() {
        #expect(Self.pages.count == ShownOutput.pages.count - Self.long.count)
        #expect(Self.pages.contains("README.md"))
    }

    @Test(arguments: pages) func itIsWhatIsWritten(page: String) throws { try ShownOutput.check(page: page) }

    @Test(
        .enabled(
            if: ShownOutput.others.allSatisfy(ShownOutput.has), "jq, sqlite3 or duckdb is not there, and what they write is not compared"))
    func programsOfOthersAreThere() throws {
        let commands = try ShownOutput.commands()
        for program in ShownOutput.others { #expect(commands.contains { $0.hasPrefix(program + " ") }) }
    }
}
