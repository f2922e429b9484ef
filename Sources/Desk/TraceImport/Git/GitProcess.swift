import AuditLog
import SyncBytes
import SyncSystem

/// The program `git` at work on one repository, started without a shell.
///
/// What the repository's own configuration could make it run or fetch is turned off, since a clone may come from anyone.
final class GitProcess {
    private let identifier: pid_t
    private var input: Int32
    private let output: Int32
    private let errors: Int32
    private var status: Int32?
    /// How many seconds git may say nothing.
    private let patience: Int32
    private var buffer: [UInt8] = []
    private var start = 0

    /// The longest piece read at once: names and blobs beyond it are refused or passed over.
    static let largestPiece = 16 << 20

    /// How many seconds git may say nothing: where it looks through a large history, and where a question is answered at once.
    ///
    /// What a repository's configuration includes, and files of the repository itself, may be FIFOs, which git opens and waits for.
    private static let usualPatience: Int32 = 300
    private static let patienceForAnswers: Int32 = 20

    /// Starts `git`.
    ///
    /// - Parameters:
    ///   - repository: Where the repository is.
    ///   - arguments: The command and its options; whatever comes from outside comes behind `--`.
    ///   - patience: How many seconds git may say nothing.
    init(_ repository: String, _ arguments: [String], patience: Int32 = usualPatience) throws(TraceImportError) {
        self.patience = patience
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        errors = try Self.scratchFile()
        let words = Self.settings.flatMap { ["-c", $0] } + ["--no-pager", "--no-replace-objects", "-C", repository] + arguments
        defer {
            close(childInput)
            close(childOutput)
        }
        let identifier: pid_t
        do throws(Errno) {
            // This process ignores the signal of a broken pipe; git is to end by it.
            identifier = try spawn(
                "git", words, environment: Self.environment(),
                streams: [(childInput, STDIN_FILENO), (childOutput, STDOUT_FILENO), (errors, STDERR_FILENO)], defaultSignals: [SIGPIPE])
        } catch {
            for descriptor in [input, output, errors] { close(descriptor) }
            let problem =
                error.number == ENOENT
                ? "there is no program 'git' on the path; install it" : "git cannot be started: \(error.sentence)"
            throw TraceImportError(.noInput, problem)
        }
        self.identifier = identifier
        self.input = input
        self.output = output
    }

    private static let settings = [
        "core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "log.showRoot=true", "log.follow=false",
        "i18n.logOutputEncoding=UTF-8", "diff.relative=false", "diff.orderFile=/dev/null", "core.attributesFile=/dev/null",
        "protocol.allow=never", "fetch.bundleURI=",
    ]

    /// What is set of the environment, so that git speaks one language, asks nobody, fetches nothing and believes no grafts.
    ///
    /// A clone's own `protocol.NAME.allow` is stronger than the setting `protocol.allow`, and `GIT_ALLOW_PROTOCOL` is stronger than both:
    /// nothing but what it lists is allowed, and no transport is called `none`. `GIT_NO_LAZY_FETCH` is unknown to versions before 2.45 and
    /// 2.39.4. Sources: git(1) and git-config(1).
    private static let variables = [
        "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
        "GIT_GRAFT_FILE": "/dev/null",
    ]

    /// The environment as it is, but for git's own variables and ``variables``.
    ///
    /// A hook hands `GIT_DIR` on, which is stronger than the path of the repository that is named; others name further files to read, or
    /// files to write.
    private static func environment() -> [String] {
        let kept = processEnvironment().filter { variable in
            !variable.hasPrefix("GIT_") && variables[String(variable.prefix { $0 != "=" })] == nil
        }
        return kept + variables.map { "\($0.key)=\($0.value)" }
    }

    deinit {
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
        // It has nothing left to read from or to write to, so it ends.
        if status == nil { _ = wait() }
    }

    // MARK: Reading

    /// What comes before the next byte of a kind, which is passed over; nil at the end of the output.
    func next(before end: UInt8) throws(TraceImportError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let index = buffer[searched...].firstIndex(of: end) {
                defer { start = index + 1 }
                return buffer[start..<index]
            }
            searched = buffer.count - start
            if searched > Self.largestPiece { throw failure("a name is longer than \(Self.largestPiece) bytes") }
            if try !fill() { return start < buffer.count ? rest() : nil }
        }
    }

    /// The next byte, which stays; nil at the end.
    func peek() throws(TraceImportError) -> UInt8? {
        if start == buffer.count, try !fill() { return nil }
        return buffer[start]
    }

    /// So many bytes, passed over where they are more than are kept; nil where the output ends before.
    func bytes(_ count: Int) throws(TraceImportError) -> ArraySlice<UInt8>? {
        if count > Self.largestPiece {
            var left = count
            while left > 0 {
                if start == buffer.count, try !fill() { return nil }
                let step = min(left, buffer.count - start)
                start += step
                left -= step
            }
            return []
        }
        while buffer.count - start < count { if try !fill() { return nil } }
        defer { start += count }
        return buffer[start..<start + count]
    }

    private func rest() -> ArraySlice<UInt8> {
        defer { start = buffer.count }
        return buffer[start...]
    }

    /// Reads on behind what is there, which moves to the front; false at the end.
    private func fill() throws(TraceImportError) -> Bool {
        buffer.removeSubrange(..<start)
        start = 0
        let (count, room) = (buffer.count, 64 * 1024)
        buffer.append(contentsOf: repeatElement(0, count: room))
        while true {
            try waitForOutput()
            let read = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe systemRead(output, UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
            }
            if read < 0, errno == EINTR { continue }
            let error = Errno.last
            buffer.removeLast(room - max(0, read))
            if read < 0 { throw TraceImportError(.inputOutput, "reading from git failed: \(error.sentence)") }
            return read > 0
        }
    }

    /// Waits until git says something or ends; ends it where it takes too long.
    private func waitForOutput() throws(TraceImportError) {
        let deadline = ContinuousClock.now + .seconds(Int(patience))
        while true {
            var asked = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            // An error is for the reading to tell; a signal ends the waiting early.
            let found = unsafe poll(&asked, 1, Int32(max(0, left.rounded(.up))))
            if found > 0 || found < 0 && errno != EINTR { return }
            guard left <= 0 else { continue }
            kill(identifier, SIGKILL)
            _ = wait()
            throw TraceImportError(
                .inputOutput,
                "git has not answered within \(patience) s and was ended: its configuration, or a file of the repository, may be a FIFO that nobody "
                    + "writes to; see whether 'git log -1' answers there")
        }
    }

    // MARK: Writing and ending

    /// Writes to the program; it must be reading.
    func write(_ text: String) throws(TraceImportError) {
        if let error = writeBytes(Array(text.utf8), to: input) {
            throw error.number == EPIPE
                ? failure("it ended early") : TraceImportError(.inputOutput, "writing to git failed: \(error.sentence)")
        }
    }

    /// Waits for the end and makes sure that it was a good one.
    func finish() throws(TraceImportError) {
        closeInput()
        guard wait() == 0 else { throw failure(nil) }
    }

    /// Waits for the end; the exit status, or 128 and the number of the signal that ended it.
    func wait() -> Int32 {
        if let status { return status }
        let status = waitForProcess(identifier)
        self.status = status
        return status
    }

    private func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// The line in which git says on standard error what failed, without the word before it: the first that is neither advice nor a
    /// warning, or else the first.
    var complaint: String {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(errors, $0.baseAddress, $0.count, 0) }
        let lines = bytes.prefix(max(0, count)).split(separator: 0x0a)
        let isAside = { (line: ArraySlice<UInt8>) in ["hint:", "warning:"].contains { line.starts(with: $0.utf8) } }
        guard let line = lines.first(where: { !isAside($0) }) ?? lines.first else { return "" }
        let text = String(decoding: line, as: UTF8.self).escaped(for: .terminal)
        for prefix in ["fatal: ", "error: "] where text.hasPrefix(prefix) { return String(text.dropFirst(prefix.count)) }
        return text
    }

    /// Whether it has ended because it may not fetch what a partial clone lacks: a version that does not know `GIT_NO_LAZY_FETCH` tries.
    var endedForWantOfTransport: Bool {
        wait() != 0 && complaint.hasPrefix("transport '") && complaint.hasSuffix("' not allowed")
    }

    private func failure(_ problem: String?) -> TraceImportError {
        let said = complaint
        return TraceImportError(.inputOutput, "git failed: \(said.isEmpty ? problem ?? "it ended with \(wait())" : said)")
    }

    /// All that git writes for some arguments, and how it ended.
    static func run(_ repository: String, _ arguments: [String]) throws(TraceImportError) -> (
        status: Int32, output: String, complaint: String
    ) {
        let process = try GitProcess(repository, arguments, patience: patienceForAnswers)
        process.closeInput()
        while try process.fill() {
            if process.buffer.count > largestPiece { throw process.failure("its answer is too long") }
        }
        let text = String(decoding: process.buffer, as: UTF8.self)
        return (process.wait(), text.last == "\n" ? String(text.dropLast()) : text, process.complaint)
    }

    private static func pipe() throws(TraceImportError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe systemPipe(&ends) == 0 else { throw TraceImportError(.inputOutput, "no pipe can be made: \(Errno.last.sentence)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// A file without a name: a pipe that nobody reads would make git wait.
    private static func scratchFile() throws(TraceImportError) -> Int32 {
        guard let file = unsafe tmpfile() else {
            throw TraceImportError(.inputOutput, "no temporary file can be made: \(Errno.last.sentence)")
        }
        defer { unsafe fclose(file) }
        return fcntl(unsafe fileno(file), F_DUPFD_CLOEXEC, 3)
    }
}

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
