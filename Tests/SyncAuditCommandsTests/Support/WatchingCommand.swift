import Foundation
import SyncAuditCommands
import Testing

/// A command that keeps a file up to date on a thread of its own, until it is asked to stop.
final class WatchingCommand {
    private let output: String
    private let running: Background<ExitCode>
    private var ends: [Int32] = [-1, -1]

    init(_ arguments: [String], output: String) throws {
        self.output = output
        try #require(unsafe pipe(&ends) == 0)
        let stop = ends[0]
        running = Background {
            var context = TestWorld().context
            context.catchStopSignals = { stop }
            return SyncAudit.run(arguments: arguments, context: context)
        }
    }

    deinit {
        for end in ends { close(end) }
    }

    /// What the file holds; nil where there is none.
    var content: String? { FileManager.default.contents(atPath: output).map { String(decoding: $0, as: UTF8.self) } }

    /// Waits until the file holds some words.
    func shows(_ words: String) -> Bool {
        for _ in 0..<6000 {
            if content?.contains(words) == true { return true }
            usleep(20_000)
        }
        return false
    }

    /// Asks the command to stop; how it ended, nil where it does not.
    func stop() -> ExitCode? {
        _ = unsafe write(ends[1], "x", 1)
        return running.value()
    }
}
