import ConflictAudit
import SyncModel
import SyncSystem

/// The writer without its lifetime: the part that the background thread holds on to.
///
/// Two locks, always in this order: `disk`, held while the disk works, and `queue`, held for as long as it takes to encode what is recorded
/// at once. `record` takes only the second, unless each line is to be flushed.
final class WriterCore: Sendable {
    private struct Disk: ~Copyable, Sendable {
        var file: LogFile
        var backOff = BackOff()
        /// The log was given back; another writer may have it.
        var isEnded = false
        /// When the file was last forced onto the disk.
        var lastSync: Int64 = 0
    }

    private let configuration: AuditLogWriter.Configuration
    private let wallClock: WallClock
    private let disk: Locked<Disk>
    private let queue: Locked<LineQueue>
    private let lostLines: LostLinesRecord
    let alarm: WriterAlarm

    init(
        _ names: LogFileNames, source: DeviceID, _ configuration: AuditLogWriter.Configuration, calls: SystemCalls,
        wallClock: @escaping WallClock
    ) throws(AuditLogError) {
        self.configuration = configuration
        self.wallClock = wallClock
        alarm = try WriterAlarm(configuration)
        var file = LogFile(names, calls: calls, isSynchronized: configuration.sync != .never)
        let tail = try file.open()
        lostLines = LostLinesRecord(path: names.lock, calls: calls)
        let lost = lostLines.open()
        let newest = try file.rotatedFiles().map(\.lastSequence).max()
        let last = max(tail.lastSequence ?? 0, newest ?? 0)
        var queue = LineQueue(source: source, configuration, sequence: last, fileBytes: file.size, fileStart: file.start())
        // First of all, so that its number tells whether it has been written; see `TornLineRecord`.
        if tail.bytesToTell > 0 { queue.appendRecovered(tail.bytesToTell, now: wallClock().millisecondsSince1970) }
        if let count = lost?.count(behind: last), count > 0 { queue.appendLost(count, now: wallClock().millisecondsSince1970) }
        queue.append(.opened, now: wallClock().millisecondsSince1970)
        self.queue = Locked(queue)
        disk = Locked(Disk(file: file))
        disk.withLock { retain(&$0.file) }
        _ = drain(.forced)
    }

    var statistics: AuditLogWriter.Statistics { queue.withLock { $0.snapshot() } }

    /// Queues events under one lock until so much waits that it is due.
    func record(contentsOf events: some Collection<AuditEvent>) {
        var next = events.startIndex
        while next < events.endIndex {
            let now = wallClock().millisecondsSince1970
            let (wasEmpty, isDue, lost) = queue.withLock { queue in
                let wasEmpty = queue.isEmpty
                repeat {
                    let (kept, truncated) = configuration.reduced(events[next])
                    queue.record(kept, truncated: truncated, now: now)
                    events.formIndex(after: &next)
                } while next < events.endIndex && !queue.isDue
                return (wasEmpty, queue.isDue, queue.lostLines)
            }
            if let lost { lostLines.set(lost) }
            switch configuration.flush.trigger {
            case .eachLine: _ = drain(.ordinary)
            case .interval: if wasEmpty || isDue { alarm.ring(isUrgent: isDue) }
            case .onDemand: break
            }
        }
    }

    /// How hard to try.
    enum Effort {
        /// Not before the back-off is over.
        case ordinary
        /// At once, with the counts that can wait, and onto the disk.
        case forced
        /// Nothing is written; what is written is forced onto the disk where it is time.
        case syncOnly
    }

    /// Writes what is queued.
    ///
    /// - Returns: Whether everything recorded before is in the file.
    func drain(_ effort: Effort) -> Bool {
        let (isDone, needsSync, delay) = disk.withLock { disk in
            let now = wallClock().millisecondsSince1970
            var isDone = false
            if disk.isEnded {
                isDone = disk.file.isSent
            } else if effort == .forced || disk.backOff.isOver(now) {
                do throws(AuditLogError) {
                    if effort != .syncOnly { try sendAll(&disk.file, effort, now) }
                    try synchronize(&disk, effort, now)
                    disk.backOff = BackOff()
                    isDone = true
                    lostLines.set(queue.withLock { $0.endAttempt(isRefused: false) })
                } catch {
                    count(error)
                    disk.backOff.fail(now)
                    lostLines.set(queue.withLock { $0.endAttempt(isRefused: true) })
                }
            }
            return (isDone, disk.file.isUnsynced, disk.backOff.milliseconds)
        }
        let isEmpty = queue.withLock { $0.isEmpty }
        alarm.reset(delay: delay, hasLines: !isEmpty, needsSync: needsSync)
        return isDone
    }

    /// The file that is written and the one that was rotated last, where they are there; nil where that is not known.
    func newestPaths() -> [String]? {
        disk.withLock { disk in
            guard let rotated = try? disk.file.rotatedFiles().last else { return disk.file.isThere ? [disk.file.names.current] : nil }
            let older = disk.file.names.path(disk.file.names.file(rotated))
            return disk.file.isThere ? [disk.file.names.current, older] : [older]
        }
    }

    private func sendAll(_ file: inout LogFile, _ effort: Effort, _ now: Int64) throws(AuditLogError) {
        try send(&file, now)
        file.clear()
        let taken = queue.withLock { $0.drain(into: &file.batch, includesTotals: effort == .forced, now: now) }
        file.begin(lines: taken.lines, cuts: taken.cuts)
        try send(&file, now)
        file.forgetTornLine()
    }

    /// Closes the queue, writes what is in it, and releases the log.
    func close() -> Bool {
        let isFirst = queue.withLock { $0.close() }
        guard isFirst else { return statistics.linesQueued == 0 }
        let isDone = drain(.forced)
        disk.withLock { disk in
            disk.isEnded = true
            disk.file.end()
        }
        return isDone
    }

    /// Writes the rest of the batch, in as many files as it belongs to.
    private func send(_ file: inout LogFile, _ now: Int64) throws(AuditLogError) {
        while !file.isSent {
            let (isOpen, hasExpectedSize) = file.isInPlace()
            if file.isAtCut {
                if !isOpen, file.isThere { try reopen(&file) }
                rotate(&file, now)
                continue
            }
            if !isOpen {
                try reopen(&file)
            } else if !hasExpectedSize {
                let (size, unsent) = (file.size, file.unsentBytes)
                queue.withLock { $0.fileHolds(size, unsent: unsent) }
            }
            var progress = LogFile.Progress()
            defer { queue.withLock { $0.wrote(lines: progress.lines, bytes: progress.bytes) } }
            try file.write(&progress)
        }
    }

    private func reopen(_ file: inout LogFile) throws(AuditLogError) {
        let tail = try file.open()
        let (size, unsent) = (file.size, file.unsentBytes)
        // The lock file may have been deleted with the log.
        lostLines.open()
        queue.withLock { queue in
            queue.fileHolds(size, unsent: unsent)
            if tail.bytesToTell > 0 { queue.countRecovered(tail.bytesToTell) }
        }
    }

    private func rotate(_ file: inout LogFile, _ now: Int64) {
        do throws(AuditLogError) {
            guard try file.rotate() else { return }
            queue.withLock { $0.statistics.rotations += 1 }
            retain(&file)
        } catch {
            count(error)
        }
    }

    private func retain(_ file: inout LogFile) {
        do throws(AuditLogError) {
            let deleted = try file.retain(configuration.retention, now: wallClock().millisecondsSince1970)
            queue.withLock { $0.statistics.filesDeleted += deleted }
        } catch {
            count(error)
        }
    }

    private func synchronize(_ disk: inout Disk, _ effort: Effort, _ now: Int64) throws(AuditLogError) {
        guard disk.file.isUnsynced else { return }
        let isDue =
            switch configuration.sync.trigger {
            case .never: false
            case .eachBatch: true
            case .interval(let milliseconds):
                // A clock that was set back does not put it off.
                effort == .forced || !(disk.lastSync..<disk.lastSync + Int64(milliseconds)).contains(now)
            }
        guard isDue else { return }
        try disk.file.synchronize()
        disk.lastSync = now
        queue.withLock { $0.statistics.syncs += 1 }
    }

    private func count(_ error: AuditLogError) {
        queue.withLock { queue in
            queue.statistics.failures += 1
            queue.statistics.lastFailure = error.description
        }
    }
}

/// When the disk refused last, and how long it is left alone: 100 ms at first, twice as long each time, up to 30 s.
private struct BackOff {
    private var since: Int64 = 0
    private(set) var milliseconds: Int64 = 0

    mutating func fail(_ now: Int64) {
        since = now
        milliseconds = min(max(milliseconds * 2, 100), 30_000)
    }

    /// A clock that was set back does not prolong it.
    func isOver(_ now: Int64) -> Bool { !(since..<since + milliseconds).contains(now) }
}
