import SyncSystem

/// Turns the signals that ask a process to end into a descriptor that can be waited for together with others.
enum StopSignals {
    /// Takes over `SIGINT`, `SIGTERM` and `SIGHUP`.
    ///
    /// The first signal is told of and no more; the second ends the process as it always does, should the first have no effect, and a
    /// screen that holds the terminal gives it back.
    ///
    /// - Returns: What becomes readable, or a negative number where the system has no descriptors left.
    static func `catch`() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return -1 }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A handler must never wait.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeEnd.value = Int(ends[1])
        TerminalHold.prepare()
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = signal(number, tellOfStopSignal)
            // A signal that is ignored, as in the background of a script, stays so.
            if isIgnoring(previous) { _ = signal(number, previous) }
        }
        return ends[0]
    }

    /// Whether what was done about a signal was nothing.
    static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Whether a signal is told of, or is within a time.
    ///
    /// - Parameter descriptor: What ``catch()`` gave.
    static func isTold(_ descriptor: Int32, within milliseconds: Int64) -> Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // A negative descriptor is passed over, so that this waits.
        return unsafe poll(&asked, 1, Int32(clamping: milliseconds)) > 0
    }
}

/// The end of the pipe that is written to.
private let wakeEnd = AtomicWord(-1)

/// Calls nothing but `write` and `signal`, both async-signal-safe by POSIX.
private func tellOfStopSignal(_ number: Int32) {
    var byte: UInt8 = 0
    unsafe write(Int32(truncatingIfNeeded: wakeEnd.value), &byte, 1)
    _ = signal(number, endProcess)
}
