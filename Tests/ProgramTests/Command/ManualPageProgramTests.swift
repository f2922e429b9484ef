import ChildProcess
import CommandWorld
import SyncAuditCommands
import Testing

/// The manual page, read by a program that shows manual pages.
@Suite struct ManualPageProgramTests {
    @Test(.enabled(if: ChildProcess.run(["mandoc", "-T", "lint", "/dev/null"]).status != 127, "Debian's package mandoc lints manuals"))
    func mandocHasNothingToSay() throws {
        let directory = try TemporaryDirectory()
        let world = TestWorld()
        #expect(world.run("man") == .success)
        try directory.create("syncaudit.1", world.output.text)
        let outcome = ChildProcess.run(["sh", "-c", "mandoc -T lint -W style \"$1\" >&2", "sh", directory.file("syncaudit.1")])
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }
}
