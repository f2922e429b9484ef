import SyncAuditCommands
import Testing

/// A simulated hub that is put back to a backup, or replaced.
package struct HubCheck {
    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    /// What is given back is what was written, and apart from it what its writer had seen; and by the hub's order it is decided again.
    package func nothingIsWrong(steps: Int, _ options: [String]) async throws {
        let logs = directory.file("logs")
        let outcome = await TestWorld.onThread(["simulate", "--steps", "\(steps)", "-o", logs] + options)
        #expect(outcome.code == .success, Comment(rawValue: outcome.errors))
        #expect(outcome.errors.contains("restored hub") || outcome.errors.contains("replaced hub"), Comment(rawValue: outcome.errors))
        let checked = await TestWorld.onThread(["check", logs])
        let wrong = [
            "Conflicts that are not what their writes make", "Missing conflicts", "Duplicates", "Devices that disagree on a conflict",
            "Replicas that disagree on the data", "One name for two writes",
        ]
        for title in wrong { #expect(!checked.output.contains("\n\(title)\n"), Comment(rawValue: checked.output)) }
    }
}
