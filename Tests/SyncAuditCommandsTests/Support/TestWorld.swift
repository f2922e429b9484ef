import Foundation
import SyncAuditCommands
// For all files here: most of them need a directory.
@_exported public import TemporaryDirectory

/// Keeps output in memory.
final class MemorySink: ByteSink {
    private(set) var bytes: [UInt8] = []
    private(set) var flushes = 0
    var failure: CommandError?

    func write(_ bytes: [UInt8]) throws(CommandError) {
        self.bytes += bytes
    }

    func flush() throws(CommandError) {
        flushes += 1
        if let failure { throw failure }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A world of which everything is known.
final class TestWorld {
    let output = MemorySink()
    var errorText = ""
    var terminals = CommandContext.Terminals()
    var environment: [String: String] = [:]
    var reportedWidth: Int?
    var configurationFile: String?
    private(set) var standardInput: Int32 = -1

    deinit {
        if standardInput >= 0 { close(standardInput) }
    }

    /// Lays a text in standard input.
    func pipe(_ text: String) throws {
        let path = NSTemporaryDirectory() + "/syncaudit-input-" + UUID().uuidString
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        standardInput = unsafe open(path, O_RDONLY)
        unsafe unlink(path)
    }

    /// Makes a file standard input.
    func redirect(from path: String) {
        standardInput = unsafe open(path, O_RDONLY)
    }

    var context: CommandContext {
        let environment = environment
        var context = CommandContext(
            output: output, errorText: { self.errorText += $0 }, standardInput: standardInput, terminals: terminals,
            reportedWidth: { self.reportedWidth },
            environment: { environment[$0] }, now: { 1_768_500_000_000 })
        context.configurationFile = { [configurationFile] in configurationFile }
        return context
    }

    func run(_ arguments: String...) -> ExitCode {
        SyncAudit.run(arguments: arguments, context: context)
    }

    func run(_ arguments: [String]) -> ExitCode {
        SyncAudit.run(arguments: arguments, context: context)
    }
}
