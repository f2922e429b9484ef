import SyncSystem

/// A terminal that is taken over by the process, and given back however the process ends or stops.
///
/// What ends the process at once, such as `SIGQUIT` or a second `SIGINT` while it hangs, gives the terminal back in its handler; what stops
/// it does as well, and what lets it go on takes the terminal again.
struct TerminalHold {
    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - keys: The descriptor of its settings.
    ///   - output: The descriptor that it is written to by.
    ///   - saved: Its settings as they were.
    ///   - taken: Its settings from now on.
    init(keys: Int32, output: Int32, saved: termios, taken: termios) {
        unsafe savedSettings.pointee = saved
        unsafe takenSettings.pointee = taken
        keysDescriptor.value = Int(keys)
        outputDescriptor.value = Int(output)
        hasResumed.value = 0
        takeTerminal()
        for (number, handler) in Self.handlers {
            if StopSignals.isIgnoring(signal(number, handler)) { _ = signal(number, SIG_IGN) }
        }
        // What has used up the stack has none left for a handler.
        var stack = unsafe stack_t()
        unsafe stack.ss_sp = unsafe crashStack
        unsafe stack.ss_size = crashStackSize
        _ = unsafe sigaltstack(&stack, nil)
        for number in crashSignals {
            _ = unsafe sigaction(number, nil, actionsBefore + Int(number))
            if StopSignals.isIgnoring(signal(number, crash)) {
                _ = signal(number, SIG_IGN)
                continue
            }
            var action = sigaction()
            _ = unsafe sigaction(number, nil, &action)
            action.sa_flags |= SA_ONSTACK
            _ = unsafe sigaction(number, &action, nil)
        }
    }

    private static var handlers: [(Int32, @convention(c) (Int32) -> Void)] {
        [(SIGQUIT, endProcess), (SIGTSTP, stopProcess), (SIGCONT, goOn)]
    }

    /// Gives the terminal back for good.
    ///
    /// - Returns: False where that was done before.
    func end() -> Bool {
        guard giveTerminalBack() else { return false }
        outputDescriptor.value = -1
        for (number, _) in Self.handlers where !StopSignals.isIgnoring(signal(number, SIG_DFL)) {}
        for number in crashSignals { _ = unsafe sigaction(number, actionsBefore + Int(number), nil) }
        return true
    }

    /// Whether the process was stopped and goes on; once.
    func popResumed() -> Bool { hasResumed.exchange(0) == 1 }

    /// Makes ready for handlers, which must not be the first to ask whether a terminal is held.
    static func prepare() { _ = isTaken.value }
}

/// Ends the process by a signal as if nobody had caught it, and gives the terminal back before where it is held.
///
/// Calls nothing but `tcsetattr`, `write`, `signal` and `raise`, all async-signal-safe by POSIX.
func endProcess(_ number: Int32) {
    _ = giveTerminalBack()
    _ = signal(number, SIG_DFL)
    // It comes when this handler has returned.
    _ = raise(number)
}

/// Ends the process by a signal, and gives the terminal back before; in between does what would have been done, such as to print a
/// backtrace.
///
/// Calls `sigaction`, `sigemptyset`, `sigaddset` and `pthread_sigmask` besides what ``endProcess(_:)`` calls, all async-signal-safe by
/// POSIX.
private func crash(_ number: Int32) {
    _ = giveTerminalBack()
    _ = unsafe sigaction(number, actionsBefore + Int(number), nil)
    unblock(number)
    _ = raise(number)
    // What prints a backtrace returns, and a signal that somebody has sent does not come again by itself.
    endProcess(number)
}

/// What ends a process that has gone wrong, or that somebody has no other use for.
private let crashSignals = [
    SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ,
]

/// ECMA-48 and xterm: the alternate screen, no cursor; and the reverse.
private let takingSequence: StaticString = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J"
private let givingSequence: StaticString = "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

// Sound: written before any handler is there, and only read from then on; never freed, since a handler may come however late.
nonisolated(unsafe) private let savedSettings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
nonisolated(unsafe) private let takenSettings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
/// What was to be done about each signal, by its number.
nonisolated(unsafe) private let actionsBefore = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
private let crashStackSize = 65_536
nonisolated(unsafe) private let crashStack = UnsafeMutableRawPointer.allocate(byteCount: crashStackSize, alignment: 16)
private let keysDescriptor = AtomicWord(-1)
private let outputDescriptor = AtomicWord(-1)
private let isTaken = AtomicWord(0)
private let hasResumed = AtomicWord(0)

private func takeTerminal() {
    guard isTaken.compareExchange(expected: 0, desired: 1) else { return }
    _ = unsafe tcsetattr(Int32(truncatingIfNeeded: keysDescriptor.value), TCSANOW, takenSettings)
    send(takingSequence)
}

private func giveTerminalBack() -> Bool {
    guard isTaken.compareExchange(expected: 1, desired: 0) else { return false }
    send(givingSequence)
    _ = unsafe tcsetattr(Int32(truncatingIfNeeded: keysDescriptor.value), TCSANOW, savedSettings)
    return true
}

private func send(_ sequence: StaticString) {
    _ = unsafe write(Int32(truncatingIfNeeded: outputDescriptor.value), sequence.utf8Start, sequence.utf8CodeUnitCount)
}

private func stopProcess(_ number: Int32) {
    _ = giveTerminalBack()
    _ = signal(SIGTSTP, SIG_DFL)
    // Here the process stops and goes on.
    unblock(SIGTSTP)
    _ = raise(SIGTSTP)
    // Nothing stops one of which no shell would hear, and nothing tells it to go on.
    goOn(number)
}

/// Lets a signal in whose handler runs.
private func unblock(_ number: Int32) {
    var own = sigset_t()
    _ = unsafe sigemptyset(&own)
    _ = unsafe sigaddset(&own, number)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
}

private func goOn(_ number: Int32) {
    // Also after SIGSTOP, of which no handler hears: whoever was in the foreground meanwhile may have changed the settings.
    guard outputDescriptor.value >= 0 else { return }
    isTaken.value = 0
    takeTerminal()
    hasResumed.value = 1
    _ = signal(SIGTSTP, stopProcess)
}
