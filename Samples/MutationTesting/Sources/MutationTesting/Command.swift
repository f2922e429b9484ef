import Foundation
import Synchronization

/// A command that runs in a process group of its own, so that nothing it starts outlives it.
struct Command {
    enum End: Equatable {
        case succeeded
        case failed
        case timedOut
    }

    var environment: [String: String] = [:]
    var directory: String?
    var arguments: [String]

    /// Runs the command and appends what it prints to a file.
    ///
    /// - Parameters:
    ///   - seconds: How long it may take.
    ///   - stop: A string that ends the command as failed as soon as it is printed.
    func run(output: String, seconds: Double, stop: String? = nil) throws -> End {
        let identifier = try Self.running.withLock { running in
            let identifier = try start(output: output)
            running.insert(identifier)
            return identifier
        }
        defer { Self.running.withLock { _ = $0.remove(identifier) } }
        let began = ContinuousClock.now
        var status: Int32 = 0
        var end: End?
        while end == nil {
            usleep(100_000)
            if unsafe waitpid(identifier, &status, WNOHANG) == identifier {
                kill(-identifier, SIGKILL)
                return status == 0 ? .succeeded : .failed
            }
            if ContinuousClock.now - began > .seconds(seconds) {
                end = .timedOut
            } else if let stop, let printed = try? String(contentsOfFile: output, encoding: .utf8), printed.contains(stop) {
                end = .failed
            }
        }
        kill(-identifier, SIGKILL)
        _ = unsafe waitpid(identifier, &status, 0)
        return end ?? .failed
    }

    /// The processes that run, each the first of its group.
    private static let running = Mutex<Set<pid_t>>([])

    /// Ends what runs before this process is ended by a signal.
    static func endWithThisProcess() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                // Whoever holds the lock is about to start one more, and is not waited for.
                _ = Command.running.withLockIfAvailable { running in running.map { kill(-$0, SIGKILL) } }
                _exit(128 + number)
            }
        }
    }

    private func start(output: String) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let words = ["/usr/bin/env"] + (directory.map { ["-C", $0] } ?? []) + environment.map { "\($0)=\($1)" } + arguments
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let result = unsafe posix_spawn(&identifier, words[0], &actions, &attributes, &pointers, environ)
        guard result == 0 else {
            throw Failure("\(arguments.joined(separator: " ")) cannot be started: \(unsafe String(cString: strerror(result)))")
        }
        return identifier
    }
}

/// Why the run cannot go on, in a sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
