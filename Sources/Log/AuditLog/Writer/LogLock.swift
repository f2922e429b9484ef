import SyncBytes
import SyncSystem

/// The right to write a log, held by one writer of one process at a time.
///
/// It is a `flock(2)` on a file of its own, since the log's file changes its name when it is rotated. The system gives it back when the
/// process ends, however it ends; the file stays, because a process that deleted it could delete one that another process has just locked.
struct LogLock: ~Copyable, Sendable {
    /// How many bytes at the start of the file say which process has the lock.
    static let processLength = 24

    private let calls: SystemCalls
    private let path: String
    private let descriptor: Int32

    /// Acquires the lock.
    ///
    /// - Throws: ``AuditLogError`` with the code `inUse` where another writer has it.
    init(_ names: LogFileNames, calls: SystemCalls) throws(AuditLogError) {
        let opened: Int32
        let isLocked: Bool
        do throws(Errno) {
            opened = try calls.openForUpdating(names.lock)
        } catch {
            throw AuditLogError(.inputOutput, "\(names.lock.escaped(for: .terminal)): the lock file cannot be opened: \(error.sentence)")
        }
        do throws(Errno) {
            isLocked = try calls.lock(opened)
        } catch {
            calls.close(opened)
            throw AuditLogError(.inputOutput, "\(names.lock.escaped(for: .terminal)): the lock file cannot be locked: \(error.sentence)")
        }
        guard isLocked else {
            let holder = Self.holder(opened, calls)
            calls.close(opened)
            throw AuditLogError(
                .inUse,
                "\(names.current.escaped(for: .terminal)): \(holder) is writing this log, and only one writer may; close that one or give this log another name"
            )
        }
        (path, descriptor) = (names.lock, opened)
        self.calls = calls
        // For the message above only; a full disk may refuse it. What follows it is kept; see `LostLinesRecord`.
        var process = LineBuffer()
        process.append(decimal: UInt64(getpid()))
        while process.count < Self.processLength { process.append(UInt8(ascii: "\n")) }
        unsafe process.withBytes { _ = unsafe calls.overwrite(opened, $0, at: 0) }
    }

    deinit {
        calls.unlock(descriptor)
        calls.close(descriptor)
    }

    /// Whether the lock file is still the one that others would find; it is not where somebody deleted it.
    var isInPlace: Bool {
        guard let mine = try? calls.status(of: descriptor), let theirs = calls.status(of: path) else { return false }
        return mine.identity == theirs.identity
    }

    private static func holder(_ descriptor: Int32, _ calls: SystemCalls) -> String {
        let bytes = (try? calls.read(descriptor, at: 0, count: 20)) ?? []
        guard let process = Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) else {
            return "another process"
        }
        return process == getpid() ? "another writer of this process" : "process \(process)"
    }
}
