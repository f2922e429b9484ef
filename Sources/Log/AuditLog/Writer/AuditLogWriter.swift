public import ConflictAudit
public import SyncModel
import SyncSystem

/// Appends events as JSON Lines to a file that is rotated, numbered without gaps across restarts, and never torn for longer than a crash.
///
/// Recording encodes the event into a bounded queue; the ``FlushPolicy`` says when the queue goes to the file and what can be lost until
/// then. Batches are whole lines, written with one `write(2)` in append mode. Files have mode 0600.
///
/// **What goes wrong does not reach the app.** When the disk is full, a permission is withdrawn, or the file or its directory is deleted,
/// lines wait in the queue; when that is full, further ones are dropped. The writer tries again after 100 ms, then after twice as long
/// each time up to 30 s, makes again what was deleted, and writes a `log` line with `dropped` as soon as it can. A dropped line takes a
/// number as any other, so the gap in `seq` before that line is as long as its count. Where the process ends first, even by `kill -9`, the
/// next opening of the log writes that line: how far the numbers had come is kept in the lock file, in room that was taken when the log
/// was opened. That room holds on file systems that write in place; where a file system copies on write, or the power fails, the count may
/// be lost with the lines. A line that was written in part is cut off before the file is used again.
///
/// **One writer at a time.** A lock file beside the log keeps a second writer, of this or another process, from opening it.
///
/// **After a crash** the beginning of a line that has no end is cut off when the log is opened, and a `log` line with `recovered` says how
/// many bytes that were. A whole line that merely lacks its line break gets one, and is kept; so is, as a bad line, anything that this
/// package did not write.
///
/// Thread-safe. The last reference that goes away closes the log.
///
/// ```swift
/// let log = try AuditLogWriter(directory: folder, source: "iPhone")
/// log.record(event)
/// ```
public final class AuditLogWriter: AuditSink, ConflictKeeper {
    private let core: WriterCore
    private let thread: Locked<BackgroundThread?>

    /// The file that is being written.
    public let path: String

    /// Opens a log for writing; makes the directory and the file where they are missing.
    ///
    /// - Parameters:
    ///   - directory: Where the files are.
    ///   - name: What their names begin with: `audit` gives `audit.jsonl`, `audit.lock` and `audit-<time>-<line>.jsonl`.
    ///   - source: The device that logs.
    ///   - configuration: How it is written.
    ///   - wallClock: The clock for rotation, for the log's own lines and for the time between attempts.
    /// - Precondition: The name is not empty and holds no slash.
    /// - Throws: ``AuditLogError`` with the code `inUse` where another writer has the log, `inputOutput` where it cannot be opened.
    /// - Complexity: O(*n*) in the length of the last line and the number of files in the directory.
    public convenience init(
        directory: String, name: String = "audit", source: DeviceID, configuration: Configuration = Configuration(),
        wallClock: @escaping WallClock = systemWallClock
    ) throws(AuditLogError) {
        try self.init(
            directory: directory, name: name, source: source, configuration: configuration, calls: SystemCalls(), wallClock: wallClock)
    }

    /// A writer whose system calls a test may let fail.
    package init(
        directory: String, name: String, source: DeviceID, configuration: Configuration, calls: SystemCalls,
        wallClock: @escaping WallClock
    ) throws(AuditLogError) {
        precondition(!name.isEmpty && !name.utf8.contains(UInt8(ascii: "/")), "a log's name is part of a file's name")
        let names = LogFileNames(directory: calls.absolute(directory), name: name)
        let core = try WriterCore(names, source: source, configuration, calls: calls, wallClock: wallClock)
        path = names.current
        self.core = core
        // The thread holds the core, never the writer, so that the writer can go away.
        let effort: WriterCore.Effort = configuration.flush == .onDemand ? .syncOnly : .ordinary
        let started =
            core.alarm.isNeeded
            ? BackgroundThread {
                while core.alarm.wait() { _ = core.drain(effort) }
            } : nil
        thread = Locked(started)
    }

    deinit {
        close()
    }

    /// Records an event.
    ///
    /// Waits for the disk only under ``FlushPolicy/eachLine``, and never for one that refuses.
    ///
    /// - Complexity: O(*n*) in the bytes of the line.
    public func record(_ event: AuditEvent) {
        core.record(contentsOf: CollectionOfOne(event))
    }

    /// Records several events, in order.
    ///
    /// Costs less than one after the other; under ``FlushPolicy/eachLine`` they are in the file when it returns.
    ///
    /// - Complexity: O(*n*) in the bytes of the lines.
    public func record(contentsOf events: [AuditEvent]) {
        core.record(contentsOf: events)
    }

    /// The log itself.
    public var conflictKeeper: (any ConflictKeeper)? { self }

    /// Writes everything recorded so far, and looks for conflicts in the file that is written and the one that was rotated last, from the
    /// end on.
    ///
    /// Nothing is forced onto the disk: what is found outlasts the process, not a power failure.
    ///
    /// - Returns: Nil where the disk refuses.
    /// - Complexity: O(*n*) in the bytes behind the earliest of the conflicts, in both files where one is missing.
    public func keptConflicts(among ids: Set<ConflictID>) -> Set<ConflictID>? {
        core.keptConflicts(among: ids)
    }

    /// Writes everything recorded so far, and forces it onto the disk unless the ``SyncPolicy`` is `never`.
    ///
    /// Waits for the disk.
    ///
    /// - Returns: Whether that is done. Otherwise the lines stay queued, and ``statistics`` says what was in the way.
    @discardableResult
    public func flush() -> Bool {
        core.drain(.forced)
    }

    /// Flushes, closes the file and gives back the lock.
    ///
    /// Events recorded afterwards are counted as dropped. Closing twice does nothing.
    ///
    /// - Returns: Whether everything recorded is in the file. Otherwise ``statistics`` says how many lines are lost, as lines still queued.
    @discardableResult
    public func close() -> Bool {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        core.alarm.stop()
        running?.join()
        return core.close()
    }

    /// The counts of the writer so far.
    public var statistics: Statistics { core.statistics }
}
