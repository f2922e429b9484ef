import AuditAnalysis
import AuditLog
import AuditReport
import SyncBytes
import SyncModel
import SyncSystem

/// What the files of a watched export count: those that are there, and those that were and are gone, so that no total falls when a log is
/// rotated away.
///
/// A file that was renamed, copied or compressed is known by its first line and the last one that was read, and counted once. A conflict
/// that several logs tell of counts in the one that was read first, and so does a write.
///
/// - Complexity: files that have not changed are not read again, and of the others only the lines that have come since.
struct WatchedFiles {
    /// What was read of one log.
    struct Log {
        /// A hash of the first line.
        let start: UInt64
        var state: FileState
        var lines: ReadLines
        var counts = AuditLogReader.Counts()
        var isThere = true
    }

    private let filter: ReportFilter
    /// What has been counted, nil where every line counts.
    private(set) var copies: FirstCopies?
    private let isLenient: Bool
    /// Everything counted, of whichever log.
    private(set) var sum = Summary()
    /// By the hashes of their first lines.
    private var logs: [UInt64: [Log]] = [:]
    private var starts: [FileState: UInt64] = [:]
    private var absent: [UInt64] = []

    /// How many logs that are gone are still known, should they come back under another name.
    private static let knownAbsent = 64
    /// How many of them may begin alike: a new file that begins so is held against each.
    private static let knownAlike = 8

    init(filter: ReportFilter, countsCopies: Bool, isLenient: Bool) {
        self.filter = filter
        copies = countsCopies ? nil : FirstCopies()
        self.isLenient = isLenient
    }

    /// What was counted before, to be gone on with.
    init(filter: ReportFilter, isLenient: Bool, sum: Summary, copies: FirstCopies?, logs: [Log]) {
        self.init(filter: filter, countsCopies: copies == nil, isLenient: isLenient)
        self.sum = sum
        if copies != nil { self.copies = copies }
        self.logs = Dictionary(grouping: logs, by: \.start)
    }

    /// Everything counted, gone or not.
    var everything: Summary { sum.countedTogether }

    /// The logs whose lines must not count again.
    var knownLogs: [Log] { logs.ordered { $0.key < $1.key }.flatMap(\.value) }

    /// What could not be understood in the files that are there.
    var counts: AuditLogReader.Counts {
        logs.values.joined().reduce(into: AuditLogReader.Counts()) { sum, log in if log.isThere { sum.add(log.counts) } }
    }

    /// Reads what has changed.
    ///
    /// - Throws: What reading a file throws; nothing is taken over then.
    mutating func update(_ inputs: [CommandInput], _ context: CommandContext) throws {
        var updated = logs.mapValues { logs in
            logs.map { log in
                var log = log
                log.isThere = false
                return log
            }
        }
        var starts: [FileState: UInt64] = [:]
        var (sum, copies) = (sum, copies)
        // Renamed and grown files first: what is left over may then be a copy of a log that has gone.
        var others: [(FileState, UInt64)] = []
        for input in inputs {
            let state = FileState(input)
            guard let start = try self.starts[state] ?? Self.start(of: input) else { continue }
            starts[state] = start
            // The last one: a file that was emptied and written anew is the same file, and another log.
            if let index = updated[start]?.lastIndex(where: { $0.state.identity == state.identity && !$0.isThere }),
                let old = updated[start]?[index], let log = try grown(old, state, &sum, &copies, context)
            {
                updated[start]?[index] = log
            } else {
                others.append((state, start))
            }
        }
        others: for (state, start) in others {
            for (index, old) in (updated[start] ?? []).enumerated() where !old.isThere {
                guard let log = try log(state, start, after: old, &sum, &copies, context) else { continue }
                updated[start]?[index] = log
                continue others
            }
            if let log = try log(state, start, after: nil, &sum, &copies, context) { updated[start, default: []].append(log) }
        }
        logs = updated
        sum.keepOnlyMetrics()
        (self.sum, self.copies) = (sum, copies)
        self.starts = starts
        forgetAbsent()
    }

    /// What is known of a log that a file held before; nil where the file holds another log now.
    private func grown(
        _ old: Log, _ state: FileState, _ sum: inout Summary, _ copies: inout FirstCopies?, _ context: CommandContext
    ) throws -> Log? {
        guard old.state.content == state.content else { return try log(state, old.start, after: old, &sum, &copies, context) }
        var log = old
        (log.state, log.isThere) = (state, true)
        return log
    }

    /// Counts what a log holds that has not been read; nil where it does not hold what has.
    private func log(
        _ state: FileState, _ start: UInt64, after old: Log?, _ sum: inout Summary, _ copies: inout FirstCopies?, _ context: CommandContext
    ) throws -> Log? {
        guard case .file(let path) = state.input else { return nil }
        // What has come through a pipe does not come again.
        if old != nil, Operands.isStream(path) { return nil }
        var reader = LogSummarizer(filter: filter, copies: copies, isLenient: isLenient, threads: min(context.processors, 16))
        guard let lines = try reader.read(path: path, after: old?.lines ?? ReadLines()) else { return nil }
        var log = Log(start: start, state: state, lines: lines, counts: old?.counts ?? .init())
        sum.merge(reader.summary)
        log.counts.add(reader.counts)
        copies = reader.knownCopies
        return log
    }

    /// Forgets what has been gone for long, so that memory does not grow with the number of rotations; what was counted of it stays.
    private mutating func forgetAbsent() {
        let now = Set(logs.filter { $0.value.contains { !$0.isThere } }.keys)
        for start in now { forget(start, but: Self.knownAlike) }
        absent = absent.filter(now.contains) + now.subtracting(absent).sorted()
        while absent.count > Self.knownAbsent {
            let start = absent.removeFirst()
            forget(start, but: 0)
            if logs[start]?.isEmpty == true { logs[start] = nil }
        }
    }

    /// Forgets the logs that begin so and have been gone, all but the last `kept`.
    private mutating func forget(_ start: UInt64, but kept: Int) {
        let absent = (logs[start] ?? []).indices.filter { logs[start]?[$0].isThere == false }
        for index in absent.dropLast(kept).reversed() { logs[start]?.remove(at: index) }
    }

    /// A hash of a file's first line, or of its first kilobyte; nil where there is none, or none that a plain file has ended.
    private static func start(of input: CommandInput) throws -> UInt64? {
        guard case .file(let path) = input else { return nil }
        if Operands.isStream(path) { return FNV1a.hash(Array(path.utf8).span) }
        var lines = try StreamedLines(path: path, waits: true)
        while let found = try lines.read() {
            guard let line = found.first else { continue }
            return line.isUnfinished && !StreamedLines.isCompressed(path) ? nil : FNV1a.hash(Array((line.bytes ?? []).prefix(1024)).span)
        }
        return nil
    }
}

/// What tells whether a file has changed.
struct FileState: Hashable {
    let input: CommandInput
    /// Which file it is; nil where there is none.
    var identity: FileIdentity?
    var content = Content()

    /// What changes with every line.
    struct Content: Hashable {
        var size: Int64 = -1
        /// In nanoseconds since 1970.
        var modified: Int64 = 0
    }

    /// What was known of a file, whatever its name.
    init(identity: FileIdentity?, content: Content) {
        input = .file("")
        (self.identity, self.content) = (identity, content)
    }

    init(_ input: CommandInput) {
        self.input = input
        guard case .file(let path) = input, let status = try? FileStatus(path: path) else { return }
        identity = status.identity
        content = Content(size: status.size, modified: status.modified)
    }
}

extension AuditLogReader.Counts {
    fileprivate mutating func add(_ other: AuditLogReader.Counts) {
        lines += other.lines
        unknownEvents += other.unknownEvents
        undated += other.undated
        skipped += other.skipped
        if firstProblem == nil { firstProblem = other.firstProblem }
    }
}
