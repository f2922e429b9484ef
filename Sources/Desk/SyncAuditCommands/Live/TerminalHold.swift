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

/// ECMA-48 and xterm: the alternate screen, no cursor; and the reverse.
private let takingSequence: StaticString = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J"
private let givingSequence: StaticString = "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"

// Sound: written before any handler is there, and only read from then on; never freed, since a handler may come however late.
nonisolated(unsafe) private let savedSettings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
nonisolated(unsafe) private let takenSettings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
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
    _ = raise(SIGTSTP)
}

private func goOn(_ number: Int32) {
    // Also after SIGSTOP, of which no handler hears: whoever was in the foreground meanwhile may have changed the settings.
    guard outputDescriptor.value >= 0 else { return }
    isTaken.value = 0
    takeTerminal()
    hasResumed.value = 1
    _ = signal(SIGTSTP, stopProcess)
}
