import AuditLog
import SyncSystem

extension CommandContext {
    /// The process's own streams, environment and clock.
    package static func system() -> CommandContext {
        var context = CommandContext(
            output: DescriptorWriter(descriptor: STDOUT_FILENO, name: "standard output"),
            // There is nowhere left to complain to when this fails.
            errorText: { text in _ = writeBytes(Array(text.utf8), to: STDERR_FILENO) },
            standardInput: STDIN_FILENO,
            terminals: Terminals(input: isatty(STDIN_FILENO) == 1, output: isatty(STDOUT_FILENO) == 1, error: isatty(STDERR_FILENO) == 1),
            reportedWidth: { terminalSize()?.columns },
            processors: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
            environment: { name in
                guard let value = unsafe getenv(name) else { return nil }
                return unsafe String(cString: value)
            },
            now: millisecondsSince1970)
        context.reportedHeight = { terminalSize()?.rows }
        context.outputDescriptor = STDOUT_FILENO
        if context.terminals.error, context.environment("TERM") ?? "dumb" != "dumb" {
            context.progressText = { text in _ = writeBytes(Array(text.utf8), to: STDERR_FILENO) }
        }
        if context.terminals.output { context.pager = Pager(context.environment) }
        context.configurationFile = { workingDirectory().flatMap(AuditConfiguration.file) }
        context.catchStopSignals = StopSignals.catch
        context.expectMuchMemory = allocateInLargeSteps
        context.expectManyFiles = allowManyFiles
        return context
    }

    /// Lets a write to a pipe that nobody reads fail instead of ending the process, so that the writer can tell.
    package static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    private static func terminalSize() -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
