import SyncSystem
import Synchronization

/// Another program at work, for tests that need one to talk to, or to kill.
///
/// Foundation's `Process` learns of an end through a socket that every process started meanwhile inherits, so that tests which start many at once
/// can wait for ever. This one asks the kernel.
public final class ChildProcess {
    /// Why a program could not be started: the number of the system's error.
    public struct Failure: Error {
        /// The number.
        public let number: Int32
    }

    /// The kernel's number of the process.
    public let identifier: Int32
    private var input: Int32
    private var output: Int32
    private let errors: Int32
    private var status: Int32?

    /// The directory into which the tests are built, and every program beside them; it ends in a slash.
    public static var helperDirectory: String {
        let tests = CommandLine.arguments[0]
        return tests.lastIndex(of: "/").map { String(tests[...$0]) } ?? "./"
    }

    /// Starts a program that is built into the same directory as the tests.
    public convenience init(helper name: String, _ arguments: [String]) throws {
        try self.init(path: Self.helperDirectory + name, arguments)
    }

    /// Starts a program, with pipes to all three of its streams.
    public init(path: String, _ arguments: [String]) throws {
        let (identifier, ends) = try Self.starting.withLock { _ in try Self.start(path, arguments) }
        self.identifier = identifier
        (input, output, errors) = (ends[0], ends[1], ends[2])
    }

    /// Held from the making of pipes until they are closed to others: a program started in between would inherit an end and keep it open.
    private static let starting = Mutex(())

    private static func start(_ path: String, _ arguments: [String]) throws -> (identifier: Int32, ends: [Int32]) {
        let (childInput, input) = try pipe()
        let (output, childOutput) = try pipe()
        let (errors, childErrors) = try pipe()
        defer { for descriptor in [childInput, childOutput, childErrors] { close(descriptor) } }
        do throws(Errno) {
            // Nor does it inherit what other tests have open: one of them may wait until the other end of its pipe is closed.
            let identifier = try spawn(
                path, arguments, environment: processEnvironment(), streams: [(childInput, 0), (childOutput, 1), (childErrors, 2)],
                inheritsOthers: false)
            return (identifier, [input, output, errors])
        } catch {
            throw Failure(number: error.number)
        }
    }

    deinit {
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
        guard status == nil else { return }
        // A process that nobody has waited for stays, and what watches over exit tests looks at nothing else as long as it does.
        kill(identifier, SIGKILL)
        _ = wait()
    }

    /// Runs a program found along the path to its end; its exit status and what it said on standard error.
    public static func run(_ command: [String]) -> (status: Int32, errors: String) {
        guard let child = try? ChildProcess(path: "/usr/bin/env", command) else { return (-1, "") }
        child.closeInput()
        let errors = String(decoding: child.readToEnd(child.errors), as: UTF8.self)
        return (child.wait(), errors)
    }

    /// Bytes that the program has written to standard output, as soon as there are any; none at its end.
    public func available() -> [UInt8] { read(output, count: 65_536) }

    /// Everything that the program still writes to standard output.
    public func readToEnd() -> [UInt8] { readToEnd(output) }

    /// The next line of standard output; nil at its end.
    public func line() -> String? {
        var line: [UInt8] = []
        while let byte = read(output, count: 1).first {
            if byte == 0x0a { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Writes to the program's standard input; false where it does not read on.
    public func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in unsafe writeOrFail(input, bytes.baseAddress, bytes.count) }
            if written < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(0, written))
        }
        return true
    }

    /// Ends the program's standard input.
    public func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// Reads no more of what the program writes.
    public func closeOutput() {
        guard output >= 0 else { return }
        close(output)
        output = -1
    }

    /// Everything that the program still says on standard error.
    public func errorsToEnd() -> [UInt8] { readToEnd(errors) }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        if status == nil { kill(identifier, number) }
    }

    /// Waits for the end: the exit status, or 128 and the number of the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        if let status { return status }
        let status = waitForProcess(identifier)
        self.status = status
        return status
    }

    private func readToEnd(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = read(descriptor, count: 65_536)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    private func read(_ descriptor: Int32, count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        while true {
            let read = unsafe buffer.withUnsafeMutableBytes { bytes in unsafe systemRead(descriptor, bytes) }
            if read >= 0 { return Array(buffer.prefix(read)) }
            if errno != EINTR { return [] }
        }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe systemPipe(&ends) == 0 else { throw Failure(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// Writes; where nobody reads, it fails instead of ending the process.
private func writeOrFail(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    var (pipe, before, number) = (sigset_t(), sigset_t(), Int32(0))
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let written = unsafe write(descriptor, bytes, count)
    let error = errno
    if written < 0, error == EPIPE {
        // The signal is this thread's own and must not come when the mask ends; where it is ignored there is none.
        var pending = sigset_t()
        unsafe sigpending(&pending)
        if unsafe sigismember(&pending, SIGPIPE) == 1 { _ = unsafe sigwait(&pipe, &number) }
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = error
    return written
}

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
