import Foundation
package import SyncAuditCommands
// For whoever imports this: most of them need a directory.
@_exported public import TemporaryDirectory

/// Keeps output in memory.
package final class MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []
    package private(set) var flushes = 0
    /// What a flush fails with.
    package var failure: CommandError?

    package init() {}

    package func write(_ bytes: [UInt8]) throws(CommandError) {
        self.bytes += bytes
    }

    package func flush() throws(CommandError) {
        flushes += 1
        if let failure { throw failure }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A world of which everything is known.
package final class TestWorld {
    package let output = MemorySink()
    package var errorText = ""
    package var terminals = CommandContext.Terminals()
    package var environment: [String: String] = [:]
    package var reportedWidth: Int?
    package var configurationFile: String?
    package private(set) var standardInput: Int32 = -1

    package init() {}

    deinit {
        if standardInput >= 0 { close(standardInput) }
    }

    /// Lays a text in standard input.
    package func pipe(_ text: String) throws {
        let path = NSTemporaryDirectory() + "/syncaudit-input-" + UUID().uuidString
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        standardInput = unsafe open(path, O_RDONLY)
        unsafe unlink(path)
    }

    /// Makes a file standard input.
    package func redirect(from path: String) {
        standardInput = unsafe open(path, O_RDONLY)
    }

    package var context: CommandContext {
        let environment = environment
        var context = CommandContext(
            output: output, errorText: { self.errorText += $0 }, standardInput: standardInput, terminals: terminals,
            reportedWidth: { self.reportedWidth },
            environment: { environment[$0] }, now: { 1_768_500_000_000 })
        context.configurationFile = { [configurationFile] in configurationFile }
        return context
    }

    package func run(_ arguments: String...) -> ExitCode {
        SyncAudit.run(arguments: arguments, context: context)
    }

    package func run(_ arguments: [String]) -> ExitCode {
        SyncAudit.run(arguments: arguments, context: context)
    }
}
