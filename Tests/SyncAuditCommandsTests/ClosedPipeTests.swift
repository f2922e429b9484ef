import Foundation
import Testing

@testable import SyncAuditCommands

/// A reader that has seen enough is silent success, for every verb; `ProgramTests` tries that with processes and pipes.
@Suite struct ClosedPipeTests {
    @Test func everyVerbIsTried() {
        #expect(Set(SyncAudit.verbs.map(\.definition.name)).isSubset(of: WritingCommands.verbs))
    }

    /// What follows a log ends by itself where nobody reads on, and an import starts another program: both are tried as processes alone.
    @Test(arguments: WritingCommands.all.filter { !$0.contains("-f") || $0[0] != "tail" && $0[0] != "verify" }.filter { $0[0] != "import" })
    func theReaderHasGone(command: [String]) throws {
        let directory = try TemporaryDirectory()
        let names = try WritingCommands.names(directory, repository: "")
        let world = TestWorld()
        world.output.failure = .outputClosed
        #expect(world.run(command.map { names[$0] ?? $0 }) == .success)
        #expect(world.errorText == "")
    }
}
