import SyncLines
import SyncModel
import SyncSystem
import TraceImport

// GitImportProcess REPOSITORY    prints the trace of a repository, and how many commits it has to standard error

_ = signal(SIGPIPE, SIG_IGN)
// Ends the process where it would wait for ever; whoever started it may hold signals back.
Task.detached {
    try await Task.sleep(for: .seconds(120))
    exit(2)
}
do {
    var trace = try GitTrace(CommandLine.arguments[1])
    try trace.forEach { print(String(decoding: WriteLine.bare($0), as: UTF8.self)) }
    _ = writeBytes(Array("\(trace.commits) commits".utf8), to: STDERR_FILENO)
} catch {
    _ = writeBytes(Array("\(error)".utf8), to: STDERR_FILENO)
    exit(1)
}
