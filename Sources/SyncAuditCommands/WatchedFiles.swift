import AuditLog
import AuditReport
import SyncModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the files of a watched export count: those that are there, and those that were and are gone, so that no total falls when a log is
/// rotated away.
///
/// A file that was renamed, copied or compressed is known by its first line and counted once.
///
/// - Complexity: files that have not changed are not read again; putting the counts together is O(*f* *k*) for *f* files and *k* distinct
///   names.
struct WatchedFiles {
    /// What was read of one log.
    private struct Log {
        var state: FileState
        var summary: Summary
        var counts: AuditLogReader.Counts
        var isThere = true
    }

    private let filter: ReportFilter
    private let countsCopies: Bool
    private let isLenient: Bool
    /// By their first lines.
    private var logs: [[UInt8]: [Log]] = [:]
    private var starts: [FileState: [UInt8]] = [:]
    /// The logs that have been gone for long.
    private var gone = Summary()
    private var absent: [[UInt8]] = []

    /// How many logs that are gone are still known, should they come back under another name.
    private static let knownAbsent = 64

    init(filter: ReportFilter, countsCopies: Bool, isLenient: Bool) {
        self.filter = filter
        self.countsCopies = countsCopies
        self.isLenient = isLenient
        gone = Summary(filter: filter)
    }

    /// Everything counted, gone or not.
    var everything: Summary { logs.values.joined().reduce(into: gone) { $0.merge($1.summary) } }

    /// What the files count that are there.
    var present: Summary {
        logs.values.joined().reduce(into: Summary(filter: filter)) { sum, log in if log.isThere { sum.merge(log.summary) } }
    }

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
        var starts: [FileState: [UInt8]] = [:]
        // Renamed and grown files first: what is left over may then be a copy of a log that has gone.
        var others: [(FileState, [UInt8])] = []
        for input in inputs {
            let state = FileState(input)
            guard let start = try self.starts[state] ?? Self.start(of: input) else { continue }
            starts[state] = start
            guard let index = updated[start]?.firstIndex(where: { $0.state.identity == state.identity && !$0.isThere }) else {
                others.append((state, start))
                continue
            }
            if updated[start]?[index].state.content == state.content {
                updated[start]?[index].state = state
                updated[start]?[index].isThere = true
            } else {
                try place(log(state, context), at: index, of: start, in: &updated)
            }
        }
        for (state, start) in others {
            try place(log(state, context), at: updated[start]?.firstIndex { !$0.isThere }, of: start, in: &updated)
        }
        logs = updated
        self.starts = starts
        forgetAbsent()
    }

    /// Puts a log in place of what was read of it before; one that has fewer lines is another one.
    private func place(_ log: Log, at index: Int?, of start: [UInt8], in logs: inout [[UInt8]: [Log]]) {
        if let index, let old = logs[start]?[index], old.counts.lines <= log.counts.lines {
            logs[start]?[index] = log
        } else {
            logs[start, default: []].append(log)
        }
    }

    private func log(_ state: FileState, _ context: CommandContext) throws -> Log {
        var reader = try LogSummarizer([state.input], filter: filter, countsCopies: countsCopies, isLenient: isLenient, context)
        return Log(state: state, summary: reader.summary, counts: reader.counts)
    }

    /// Adds what has been gone for long to the sum, so that memory does not grow with the number of rotations.
    private mutating func forgetAbsent() {
        let now = Set(logs.filter { $0.value.contains { !$0.isThere } }.keys)
        absent = absent.filter(now.contains) + now.subtracting(absent).sorted { $0.lexicographicallyPrecedes($1) }
        while absent.count > Self.knownAbsent {
            let start = absent.removeFirst()
            for log in logs[start] ?? [] where !log.isThere { gone.merge(log.summary) }
            logs[start]?.removeAll { !$0.isThere }
            if logs[start]?.isEmpty == true { logs[start] = nil }
        }
    }

    /// The first line of a file, or its first kilobyte; nil where there is none.
    private static func start(of input: CommandInput) throws -> [UInt8]? {
        guard case .file(let path) = input else { return nil }
        if Operands.isStream(path) { return Array(path.utf8) }
        var lines = try StreamedLines(path: path, waits: true)
        return try lines.read()?.lines.first.map { Array(($0 ?? []).prefix(1024)) }
    }
}

/// What tells whether a file has changed.
struct FileState: Hashable {
    let input: CommandInput
    /// Which file it is.
    var identity: UInt64 = 0
    var content = Content()

    /// What changes with every line.
    struct Content: Hashable {
        var size: Int64 = -1
        var seconds: Int = 0
        var nanoseconds: Int = 0
    }

    init(_ input: CommandInput) {
        self.input = input
        var status = stat()
        guard case .file(let path) = input, unsafe stat(path, &status) == 0 else { return }
        identity = UInt64(status.st_ino)
        content.size = Int64(status.st_size)
        #if canImport(Darwin)
            (content.seconds, content.nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            (content.seconds, content.nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}

extension AuditLogReader.Counts {
    fileprivate mutating func add(_ other: AuditLogReader.Counts) {
        lines += other.lines
        unknownEvents += other.unknownEvents
        skipped += other.skipped
        if firstProblem == nil { firstProblem = other.firstProblem }
    }
}
