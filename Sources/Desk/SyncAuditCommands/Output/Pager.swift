import SyncBytes
import SyncSystem

/// A program that shows long output on a terminal screen by screen, chosen and run as git does it.
///
/// Only the environment chooses it, which is the user's own; no file does, since files come with projects.
package struct Pager {
    /// What to run, as a shell reads it.
    let command: String
    /// Whether colours come out as colours.
    let showsColors: Bool

    private let hasOptionsForLess: Bool

    /// The program that the environment names: `SYNCAUDIT_PAGER`, else `PAGER`, else `less`; nil where it says that there is none.
    ///
    /// `cat` and an empty name are none. `less` is given the options `FRX` where `LESS` is not set: it ends at once where all fits on the
    /// screen, shows colours, and leaves what it showed.
    init?(_ environment: (String) -> String?) {
        if environment("TERM") ?? "dumb" == "dumb" { return nil }
        command = environment("SYNCAUDIT_PAGER") ?? environment("PAGER") ?? "less"
        let words = command.split(separator: " ")
        if words.isEmpty || words == ["cat"] { return nil }
        let options = environment("LESS")
        hasOptionsForLess = options != nil
        showsColors = options?.contains("R") ?? true || words.dropFirst().contains { $0.hasPrefix("-") && $0.contains("R") }
    }

    /// Shows output until the user has seen enough, and leaves the terminal as it was.
    ///
    /// - Returns: False where there is no such program, so that nothing was shown.
    func show(_ bytes: [UInt8]) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return false }
        // A program that held the other end would wait for itself.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        // An interrupt is the pager's, which may go on; this process waits for it in any case.
        let signals = [SIGINT, SIGQUIT].map { (number: $0, previous: signal($0, SIG_IGN)) }
        var modes = termios()
        let isKnown = unsafe tcgetattr(STDOUT_FILENO, &modes) == 0
        defer { for (number, previous) in signals { _ = signal(number, previous) } }
        guard
            let process = start(
                input: ends[0], defaultSignals: [SIGPIPE] + signals.filter { !StopSignals.isIgnoring($0.previous) }.map(\.number))
        else {
            for end in ends { close(end) }
            return false
        }
        close(ends[0])
        // Whoever quits early has seen enough.
        _ = writeBytes(bytes, to: ends[1])
        close(ends[1])
        let status = waitForProcess(process)
        // One that was killed has put nothing back.
        if status > 128, isKnown { unsafe tcsetattr(STDOUT_FILENO, TCSADRAIN, &modes) }
        return status != 126 && status != 127
    }

    /// Characters that mean something to a shell.
    private static let shellCharacters = Set("|&;<>()$`\\\"'\t\n*?[#~=%")

    private func start(input: Int32, defaultSignals: [Int32]) -> pid_t? {
        let words = command.split(separator: " ").map(String.init)
        let needsShell = command.contains(where: Self.shellCharacters.contains)
        let (program, arguments) = needsShell ? ("/bin/sh", ["-c", command]) : (words[0], Array(words.dropFirst()))
        let environment = processEnvironment() + (hasOptionsForLess ? [] : ["LESS=FRX"])
        return try? spawn(
            program, arguments, environment: environment, streams: [(input, STDIN_FILENO)], defaultSignals: defaultSignals)
    }
}

extension CommandContext {
    /// Shows output in a pager, or as it is where the pager cannot be started.
    func withOutput<Result>(in pager: Pager, _ body: (any ByteSink) throws -> Result) throws -> Result {
        let collected = CollectedOutput()
        let result = try body(collected)
        if !pager.show(collected.bytes) {
            if environment("SYNCAUDIT_PAGER") ?? environment("PAGER") != nil {
                note("the pager \(pager.command.quoted) cannot be started; the variables SYNCAUDIT_PAGER and PAGER name it")
            }
            try output.write(collected.bytes)
            try output.flush()
        }
        return result
    }
}
