import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

/// The file that is written, and the batch that is on its way into it.
///
/// After every call, failed or not, the file ends with a whole line, or is closed and will be repaired when it is next opened.
struct LogFile: ~Copyable, Sendable {
    let names: LogFileNames
    private let calls: SystemCalls
    private let isSynchronized: Bool
    private var lock: LogLock?
    private var descriptor: Int32 = -1
    private var status: FileStatus?
    private var newest: LogFileNames.Rotated?
    /// What this writer left of a line behind the last whole one, and could not cut off; the line is still in the batch.
    private var leftover: (file: FileStatus, bytes: Int)?

    private var hasTornLineRecord = false

    /// The lines under way, how many of their bytes are in the file, and where the file changes among them.
    var batch = LineBuffer()
    private(set) var sent = 0
    private(set) var batchLines = 0
    private var cuts: [LineQueue.Cut] = []

    /// Whether lines were written since the file was last forced onto the disk.
    private(set) var isUnsynced = false

    init(_ names: LogFileNames, calls: SystemCalls, isSynchronized: Bool) {
        self.names = names
        self.calls = calls
        self.isSynchronized = isSynchronized
    }

    deinit {
        if descriptor >= 0 { calls.close(descriptor) }
    }

    /// Whether everything that was taken is in the file.
    var isSent: Bool { sent == batch.count }

    /// The bytes of the file.
    var size: Int { Int(clamping: status?.size ?? 0) }

    /// Whether the rest of the batch goes into the file that is open.
    var unsentBytes: Int? { cuts.isEmpty ? batch.count - sent : nil }

    /// Makes room for the next batch; ``batch`` is then filled by the caller.
    mutating func clear() {
        batch.truncate(to: 0)
        sent = 0
    }

    /// Begins to write the batch that the caller has put into ``batch``.
    mutating func begin(lines: Int, cuts: [LineQueue.Cut]) {
        batchLines = lines
        self.cuts = cuts
    }

    /// Opens the file, takes the lock where it is not held, and repairs what a crash has left.
    ///
    /// - Returns: What was found at the end of the file.
    mutating func open() throws(AuditLogError) -> LogTail {
        try attempt("the directory cannot be made", names.directory) { () throws(Errno) in try calls.makeDirectory(names.directory) }
        if lock?.isInPlace != true {
            lock = nil
            lock = try LogLock(names, calls: calls)
        }
        let opened = try attempt("the log cannot be opened", names.current) { () throws(Errno) in try calls.openForAppending(names.current)
        }
        do throws(AuditLogError) {
            let tail = try repaired(opened)
            descriptor = opened
            if size == 0, isSynchronized { calls.synchronizeDirectory(names.directory) }
            return tail
        } catch {
            calls.close(opened)
            throw error
        }
    }

    private mutating func repaired(_ descriptor: Int32) throws(AuditLogError) -> LogTail {
        var found = try attempt("the log cannot be looked at", names.current) { () throws(Errno) in try calls.status(of: descriptor) }
        guard found.isRegular else {
            throw AuditLogError(
                .inputOutput, "\(names.current.escaped(for: .terminal)): this is not a plain file, so no log can be written there")
        }
        let size = found.size
        var tail = try attempt("the log cannot be read", names.current) { () throws(Errno) in
            try LogTail(descriptor, size: size, calls: calls)
        }
        // Even where only its line break is missing it must go, since it will be written once more.
        let isLeftover = leftover.map { $0.file.identity == found.identity && $0.bytes == tail.tornBytes } ?? false
        if isLeftover { tail.repair = .cutOff } else { rememberTornLine(&tail) }
        switch tail.repair {
        case .none: break
        case .cutOff: try require("a torn line cannot be cut off", calls.truncate(descriptor, size - Int64(tail.tornBytes)))
        case .endLine:
            try require("a torn line cannot be ended", unsafe [UInt8(ascii: "\n")].withUnsafeBytes { unsafe calls.write(descriptor, $0) })
        }
        found = try attempt("the log cannot be looked at", names.current) { () throws(Errno) in try calls.status(of: descriptor) }
        status = found
        leftover = nil
        // Nothing is lost with it.
        if isLeftover { tail.bytesToTell = 0 }
        return tail
    }

    /// Sees to it that a torn line is told of even if this process ends before it can.
    private mutating func rememberTornLine(_ tail: inout LogTail) {
        let earlier = TornLineRecord(path: names.tornLine, calls: calls)
        guard tail.tornBytes > 0 || earlier != nil else { return }
        let newest = (try? rotatedFiles())?.map(\.lastSequence).max()
        let record = TornLineRecord(earlier: earlier, tail, lastSequence: max(tail.lastSequence ?? 0, newest ?? 0))
        record?.write(to: names.tornLine, calls: calls)
        tail.bytesToTell = record?.bytes ?? 0
        hasTornLineRecord = true
    }

    /// The log tells of the torn line that was found when it was opened.
    mutating func forgetTornLine() {
        guard hasTornLineRecord else { return }
        try? calls.delete(names.tornLine)
        hasTornLineRecord = false
    }

    /// Whether the open file is the one under the log's name, with the bytes that were put into it.
    ///
    /// Where another file or none is there, the open one is closed; it may have been deleted or moved away.
    mutating func isInPlace() -> (isOpen: Bool, hasExpectedSize: Bool) {
        guard descriptor >= 0, let mine = status else {
            close()
            return (false, false)
        }
        guard let theirs = calls.status(of: names.current), theirs.identity == mine.identity else {
            close()
            return (false, false)
        }
        status = theirs
        return (true, theirs.size == mine.size)
    }

    /// What ``write()`` put into the file.
    struct Progress {
        var lines = 0
        var bytes = 0
    }

    /// Writes the batch up to the next change of files, whole lines only.
    ///
    /// The file must be open. On failure, the lines before the first one that did not fit are in `progress` all the same.
    mutating func write(_ progress: inout Progress) throws(AuditLogError) {
        let end = cuts.first?.offset ?? batch.count
        guard end > sent else { return }
        var done = sent
        var error: Errno?
        while done < end, error == nil {
            let count = unsafe batch.withBytes(done..<end) { unsafe calls.write(descriptor, $0) }
            if count > 0 {
                done += count
            } else if count != -Int(Errno.interrupted) {
                // No progress without an error is not to be waited for.
                error = Errno(number: count == 0 ? Errno.inputOutput : Int32(truncatingIfNeeded: -count))
            }
        }
        let whole = done == end ? end : unsafe batch.withBytes(sent..<done) { unsafe sent + (($0.lastIndex(of: 0x0a) ?? -1) + 1) }
        // Counted only where the caller's count does not say it.
        let lines = whole == batch.count ? batchLines : unsafe batch.withBytes(sent..<whole) { unsafe $0.count { $0 == 0x0a } }
        progress.lines += lines
        progress.bytes += whole - sent
        batchLines -= lines
        isUnsynced = isUnsynced || whole > sent
        sent = whole
        status = try? calls.status(of: descriptor)
        guard let error else { return }
        if done > whole, let status, calls.truncate(descriptor, status.size - Int64(done - whole)) < 0 {
            leftover = (status, done - whole)
        }
        close()
        throw failure("writing failed", names.current, error)
    }

    /// Whether there is a file under the log's name.
    var isThere: Bool { calls.status(of: names.current) != nil }

    /// Whether the file changes before the next byte of the batch.
    var isAtCut: Bool { cuts.first?.offset == sent }

    /// Gives the file its final name, so that the next one can be opened.
    ///
    /// - Returns: False where there was nothing to rename. Where renaming fails, the log goes on in the same file.
    mutating func rotate() throws(AuditLogError) -> Bool {
        let cut = cuts.removeFirst()
        guard isInPlace().isOpen else { return false }
        if isUnsynced, isSynchronized { try synchronize() }
        var rotated = LogFileNames.Rotated(
            milliseconds: max(cut.milliseconds, newest?.milliseconds ?? cut.milliseconds), lastSequence: cut.lastSequence)
        // Never over a file that is there already.
        while calls.status(of: names.path(names.file(rotated))) != nil {
            rotated = LogFileNames.Rotated(milliseconds: rotated.milliseconds + 1, lastSequence: rotated.lastSequence)
        }
        let path = names.path(names.file(rotated))
        try attempt("the log cannot be renamed to \(path.escaped(for: .terminal))", names.current) { () throws(Errno) in
            try calls.rename(names.current, to: path)
        }
        newest = rotated
        close()
        return true
    }

    /// Forces the lines onto the disk.
    mutating func synchronize() throws(AuditLogError) {
        guard descriptor >= 0 else { return }
        try require("the log cannot be forced onto the disk", calls.synchronize(descriptor))
        isUnsynced = false
    }

    /// The rotated files of this log, oldest first; remembers the newest, so that names go on rising.
    mutating func rotatedFiles() throws(AuditLogError) -> [LogFileNames.Rotated] {
        let found = try attempt("the directory cannot be read", names.directory) { () throws(Errno) in try calls.names(in: names.directory)
        }
        let rotated = found.compactMap(names.rotated).sorted()
        newest = [newest, rotated.last].compactMap { $0 }.max()
        return rotated
    }

    /// Deletes the rotated files that a policy does not keep.
    ///
    /// - Returns: How many were deleted.
    mutating func retain(_ policy: RetentionPolicy, now: Int64) throws(AuditLogError) -> Int {
        let maximumAge = policy.maximumAge?.wholeMilliseconds
        var kept = (files: 0, bytes: Int64(0))
        var deleted = 0
        for rotated in try rotatedFiles().reversed() {
            let path = names.path(names.file(rotated))
            guard let status = calls.status(of: path), status.isRegular else { continue }
            let isTooMany = policy.maximumFiles.map { kept.files >= $0 } ?? false
            let isTooMuch = policy.maximumBytes.map { kept.bytes + status.size > $0 } ?? false
            let isTooOld = maximumAge.map { now - rotated.milliseconds > $0 } ?? false
            if isTooMany || isTooMuch || isTooOld {
                try attempt("the old log cannot be deleted", path) { () throws(Errno) in try calls.delete(path) }
                deleted += 1
            } else {
                kept.files += 1
                kept.bytes += status.size
            }
        }
        return deleted
    }

    /// When the file was begun, as its first line has it where that is one of the log's own, as all first lines are that a writer was free
    /// to choose.
    func start() -> Int64? {
        guard let status, status.size > 0 else { return nil }
        let bytes = (try? calls.read(descriptor, at: 0, count: 4096)) ?? []
        let line = bytes.prefix { $0 != 0x0a }
        var decoder = LineDecoder()
        if case .line(let line) = try? decoder.decode(line.span), case .log = line.event.content { return line.event.milliseconds }
        return status.modified / 1_000_000_000 * 1000
    }

    /// Closes the file and, for good, gives back the lock.
    mutating func end() {
        close()
        lock = nil
    }

    private mutating func close() {
        if descriptor >= 0 { calls.close(descriptor) }
        descriptor = -1
        status = nil
    }

    private func require(_ problem: String, _ result: Int) throws(AuditLogError) {
        if result < 0 { throw failure(problem, names.current, Errno(number: Int32(truncatingIfNeeded: -result))) }
    }

    private func attempt<Result>(_ problem: String, _ path: String, _ body: () throws(Errno) -> Result) throws(AuditLogError) -> Result {
        do throws(Errno) { return try body() } catch { throw failure(problem, path, error) }
    }

    private func failure(_ problem: String, _ path: String, _ error: Errno) -> AuditLogError {
        AuditLogError(.inputOutput, "\(path.escaped(for: .terminal)): \(problem): \(error.sentence)")
    }
}
