import CMalloc
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
            reportedWidth: terminalWidth(),
            processors: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
            environment: { name in
                guard let value = unsafe getenv(name) else { return nil }
                return unsafe String(cString: value)
            },
            now: {
                var time = timespec()
                unsafe clock_gettime(CLOCK_REALTIME, &time)
                return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
            })
        context.outputDescriptor = STDOUT_FILENO
        if context.terminals.error, context.environment("TERM") ?? "dumb" != "dumb" {
            context.progressText = { text in _ = writeBytes(Array(text.utf8), to: STDERR_FILENO) }
        }
        context.catchStopSignals = StopSignals.catch
        context.expectMuchMemory = takeMemoryInLargeSteps
        context.expectManyFiles = allowManyFiles
        return context
    }

    /// Lets a write to a pipe that nobody reads fail instead of ending the process, so that the writer can tell.
    package static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Has the allocator ask the system for much memory at a time, and keep it: threads other than the first get theirs page by page otherwise.
    private static func takeMemoryInLargeSteps() {
        #if canImport(Glibc)
            mallopt(M_TOP_PAD, 64 << 20)
            // The most that glibc takes.
            mallopt(M_MMAP_THRESHOLD, 32 << 20)
            mallopt(M_TRIM_THRESHOLD, .max)
            // Pieces up to this size are freed without a lock, whichever thread took them: writes are decoded by one and freed by another.
            mallopt(M_MXFAST, 160)
        #endif
    }

    /// Raises the number of files that may be open to the most that the system allows.
    private static func allowManyFiles() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    private static func terminalWidth() -> Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
