import Foundation
package import SyncAuditCommands
import Synchronization
import Testing

/// A command that keeps a file up to date on a thread of its own, until it is asked to stop.
package final class WatchingCommand {
    private final class Notes: Sendable { let text = Mutex("") }

    private let output: String
    private let running: Background<ExitCode>
    private let notes = Notes()
    private var ends: [Int32] = [-1, -1]

    /// Starts it.
    ///
    /// - Parameter output: The file.
    package init(_ arguments: [String], output: String) throws {
        self.output = output
        try #require(unsafe pipe(&ends) == 0)
        let (stop, notes) = (ends[0], notes)
        running = Background {
            var context = TestWorld().context
            context.errorText = { text in notes.text.withLock { $0 += text } }
            context.catchStopSignals = { stop }
            return SyncAudit.run(arguments: arguments, context: context)
        }
    }

    deinit {
        for end in ends { close(end) }
    }

    /// What the file holds; nil where there is none.
    package var content: String? { FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) } }

    /// Waits until the file holds some words.
    package func shows(_ words: String) async throws { try await wait { content?.contains(words) == true } }

    /// Waits until the command has said some words.
    package func says(_ words: String) async throws { try await wait { notes.text.withLock { $0.contains(words) } } }

    /// Asks the command to stop; how it ended.
    package func stop() async -> ExitCode {
        _ = unsafe write(ends[1], "x", 1)
        return await running.value
    }
}
