import ConflictAudit
import SyncBytes
import SyncModel

/// The lines that wait for the disk, already encoded and numbered, and where the file changes among them.
///
/// Every line, dropped or not, takes a number; a gap in the numbers is therefore as long as the count of the `dropped` line that follows
/// it.
struct LineQueue: ~Copyable, Sendable {
    /// The file ends before this place.
    struct Cut {
        /// The index of the first byte of the next file.
        let offset: Int
        /// When.
        let milliseconds: Int64
        /// The last line of the file that ends.
        let lastSequence: UInt64
    }

    private let source: DeviceID
    private let maximumBytes: Int
    private let maximumLines: Int
    private let rotation: RotationPolicy
    private let omitsValues: Bool

    private var lines = 0
    private var cuts: [Cut] = []
    private var pending = LineBuffer()
    /// Lines and bytes that were taken out and not written yet.
    private var unsent = (lines: 0, bytes: 0)
    private var sequence: UInt64
    /// The number of the last line of a batch that is in the file, and of the last that was taken out.
    private var written: UInt64
    private var taken: UInt64
    /// Since the last time that the queue was taken out, it was full.
    private var isOverflowing = false
    private var isClosed = false

    /// Whether the disk refused the last attempt.
    private var isRefused = false

    // What the log has still to say about itself.
    private var dropped = 0
    private var truncated = 0
    private var recovered = 0

    /// The bytes of the last file, the queued ones included.
    private var fileBytes: Int
    private var filePeriod: Int64?
    /// When the last event was recorded: many come in one millisecond.
    private var lastTime: Int64?

    var statistics = AuditLogWriter.Statistics()

    /// A queue that goes on behind line `sequence`, in a file of some length that was begun at `fileStart`.
    init(source: DeviceID, _ configuration: AuditLogWriter.Configuration, sequence: UInt64, fileBytes: Int, fileStart: Int64?) {
        self.source = source
        maximumBytes = configuration.maximumQueuedBytes
        maximumLines = configuration.maximumQueuedLines
        rotation = configuration.rotation
        omitsValues = configuration.values == .omitted
        (self.sequence, written, taken) = (sequence, sequence, sequence)
        self.fileBytes = fileBytes
        filePeriod = rotation.period(of: fileStart ?? 0)
    }

    var isEmpty: Bool { pending.isEmpty && unsent.bytes == 0 && dropped == 0 }

    /// Whether so much waits that it is to be written without delay: as much as is quick to write at once, or half of what may wait.
    var isDue: Bool {
        pending.count >= Self.batchBytes || unsent.bytes + pending.count > maximumBytes / 2 || unsent.lines + lines > maximumLines / 2
    }

    /// Small enough to stay in a processor's cache from the encoding of a line to the write.
    private static let batchBytes = 1 << 17

    /// Adds an event, or counts it as dropped.
    mutating func record(_ event: AuditEvent, truncated count: Int, now: Int64) {
        guard !isClosed else {
            statistics.linesDropped += 1
            return
        }
        guard !isOverflowing, unsent.lines + lines < maximumLines else { return drop() }
        rotateIfPeriodEnded(now)
        let start = pending.count
        append(event)
        let length = pending.count - start
        guard unsent.bytes + pending.count <= maximumBytes else {
            remove(from: start)
            drop()
            if length > maximumBytes {
                // It would never fit; the lines after it may.
                isOverflowing = false
                appendDropped(now)
            }
            return
        }
        if let limit = rotation.maximumBytes, fileBytes > limit, fileBytes > length {
            remove(from: start)
            cut(now)
            append(event)
        }
        truncated += count
        statistics.valuesTruncated += count
    }

    /// Adds a line of the log's own.
    ///
    /// There is always room for one.
    mutating func append(_ note: LogNote, now: Int64) {
        rotateIfPeriodEnded(now)
        append(AuditEvent(at: now, .log(note)))
    }

    /// Counts bytes of a torn line that were found, to be logged with the next batch.
    mutating func countRecovered(_ bytes: Int) {
        recovered += bytes
        statistics.bytesRecovered += bytes
    }

    /// Counts and logs bytes of a torn line that were found.
    mutating func appendRecovered(_ bytes: Int, now: Int64) {
        append(.recovered(bytes), now: now)
        statistics.bytesRecovered += bytes
    }

    /// What is lost if the process ends now and there is a reason to fear for it.
    var lostLines: LostLines? {
        guard isRefused || dropped > 0, !isEmpty else { return nil }
        return LostLines(written: written, recorded: sequence)
    }

    /// Records how an attempt to write ended.
    ///
    /// - Returns: What is lost if the process ends now.
    mutating func endAttempt(isRefused: Bool) -> LostLines? {
        self.isRefused = isRefused
        return lostLines
    }

    /// Logs lines that an earlier writer has lost.
    mutating func appendLost(_ count: Int, now: Int64) {
        sequence += UInt64(count)
        dropped += count
        appendDropped(now)
    }

    /// Moves all lines into an empty buffer, and what the log has to say about itself behind them.
    ///
    /// - Parameter includesTotals: Whether counts that can wait are written too.
    /// - Returns: The number of lines, and where the file changes among them.
    mutating func drain(into batch: inout LineBuffer, includesTotals: Bool, now: Int64) -> (lines: Int, cuts: [Cut]) {
        precondition(batch.isEmpty && unsent.bytes == 0, "one batch is written after the other")
        // First of all, so that the line comes right behind the gap that it explains.
        appendDropped(now)
        if recovered > 0 { append(.recovered(recovered), now: now) }
        recovered = 0
        if includesTotals { appendTruncated(now) }
        isOverflowing = false
        swap(&batch, &pending)
        unsent = (lines, batch.count)
        taken = sequence
        defer {
            lines = 0
            cuts = []
        }
        return (lines, cuts)
    }

    /// Records that lines of the batch are in the file.
    mutating func wrote(lines: Int, bytes: Int) {
        unsent.lines -= lines
        unsent.bytes -= bytes
        if unsent.lines == 0 { written = taken }
        statistics.linesWritten += lines
        statistics.bytesWritten += bytes
    }

    /// Corrects the length of the file.
    ///
    /// - Parameter unsent: What of the batch under way goes into the same file; nil where it ends in another.
    mutating func fileHolds(_ bytes: Int, unsent: Int?) {
        if cuts.isEmpty, let unsent { fileBytes = bytes + unsent + pending.count }
    }

    /// Closes the queue to further events.
    ///
    /// - Returns: False where that was so already.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }

    /// The counts as they are now.
    func snapshot() -> AuditLogWriter.Statistics {
        var statistics = statistics
        statistics.linesQueued = lines + unsent.lines
        return statistics
    }

    private mutating func append(_ event: AuditEvent) {
        let start = pending.count
        sequence += 1
        lines += 1
        LineEncoder.appendWithGap(event, sequence: sequence, source: source, omitsValues: omitsValues, to: &pending)
        fileBytes += pending.count - start
    }

    private mutating func remove(from start: Int) {
        fileBytes -= pending.count - start
        pending.truncate(to: start)
        lines -= 1
        sequence -= 1
    }

    private mutating func drop() {
        sequence += 1
        isOverflowing = true
        dropped += 1
        statistics.linesDropped += 1
    }

    private mutating func appendDropped(_ now: Int64) {
        guard dropped > 0 else { return }
        let count = dropped
        dropped = 0
        // In the file that the gap is in, though its time may be over.
        append(AuditEvent(at: now, .log(.dropped(count))))
    }

    private mutating func appendTruncated(_ now: Int64) {
        guard truncated > 0 else { return }
        append(AuditEvent(at: now, .log(.truncated(truncated))))
        truncated = 0
    }

    private mutating func rotateIfPeriodEnded(_ now: Int64) {
        if now == lastTime { return }
        lastTime = now
        guard let period = rotation.period(of: now), period != filePeriod else { return }
        if fileBytes > 0 { cut(now) }
        filePeriod = period
    }

    private mutating func cut(_ now: Int64) {
        appendTruncated(now)
        cuts.append(Cut(offset: pending.count, milliseconds: now, lastSequence: sequence))
        fileBytes = 0
        append(AuditEvent(at: now, .log(.rotated)))
    }
}

extension RotationPolicy {
    /// The number of the period of a time; nil where time does not matter.
    fileprivate func period(of milliseconds: Int64) -> Int64? {
        periodMilliseconds.map { milliseconds.dividedFlooring(by: $0) }
    }
}
