import SyncModel

/// A policy by which lines go from the app's memory to the file.
///
/// A line that `write(2)` has taken survives the end of the process, `kill -9` included; only the end of the system can still take it, see
/// ``SyncPolicy``. A line that is still queued is lost when the process is killed.
///
/// ```swift
/// var configuration = AuditLogWriter.Configuration()
/// configuration.flush = .interval(.milliseconds(100))
/// ```
public struct FlushPolicy: Hashable, Sendable {
    enum Trigger: Hashable {
        case eachLine
        case interval(milliseconds: Int)
        case onDemand
    }

    let trigger: Trigger

    /// Before `record` returns.
    ///
    /// A killed process loses nothing that `record` has returned for, while the disk takes lines.
    ///
    /// Costs a system call for each line; threads that record at the same time share one.
    public static let eachLine = FlushPolicy(trigger: .eachLine)

    /// By a thread of the writer's own, at most the interval after the first line of a batch; sooner where much waits: 128 KiB, or half of
    /// what the queue may hold.
    ///
    /// `record` never waits for the disk. A killed process loses the lines of the last interval.
    ///
    /// - Parameter interval: The time in whole milliseconds.
    /// - Precondition: `interval` is at least a millisecond.
    public static func interval(_ interval: Duration) -> FlushPolicy {
        let milliseconds = Int(clamping: interval.wholeMilliseconds)
        precondition(milliseconds >= 1, "an interval is at least a millisecond long")
        return FlushPolicy(trigger: .interval(milliseconds: milliseconds))
    }

    /// Only by ``AuditLogWriter/flush()`` and ``AuditLogWriter/close()``.
    ///
    /// `record` never waits for the disk. A killed process loses every line since the last flush; what does not fit into the queue until
    /// then is dropped and counted.
    public static let onDemand = FlushPolicy(trigger: .onDemand)
}

/// A policy by which lines in the file are forced onto the disk.
///
/// Syncing protects against the end of the system alone: a power cut, a crash of the kernel. On Apple's systems `fsync(2)` hands the data
/// to the drive, which may still lose what is in its own cache.
///
/// ```swift
/// var configuration = AuditLogWriter.Configuration()
/// configuration.sync = .eachBatch
/// ```
public struct SyncPolicy: Hashable, Sendable {
    enum Trigger: Hashable {
        case never
        case interval(milliseconds: Int)
        case eachBatch
    }

    let trigger: Trigger

    /// Whenever the system likes.
    ///
    /// A power cut can take the last half minute or so.
    public static let never = SyncPolicy(trigger: .never)

    /// At most about the interval after a line was written.
    ///
    /// A power cut can take the lines since then.
    ///
    /// - Parameter interval: The time in whole milliseconds.
    /// - Precondition: `interval` is at least a millisecond.
    public static func interval(_ interval: Duration) -> SyncPolicy {
        let milliseconds = Int(clamping: interval.wholeMilliseconds)
        precondition(milliseconds >= 1, "an interval is at least a millisecond long")
        return SyncPolicy(trigger: .interval(milliseconds: milliseconds))
    }

    /// After each `write(2)`.
    ///
    /// A power cut takes nothing that was flushed. With ``FlushPolicy/eachLine`` a line is on the disk when `record` returns.
    public static let eachBatch = SyncPolicy(trigger: .eachBatch)
}

/// A policy by which a file is closed and the next one begun.
///
/// ```swift
/// var configuration = AuditLogWriter.Configuration()
/// configuration.rotation = .daily(maximumBytes: 16 << 20)
/// ```
public struct RotationPolicy: Hashable, Sendable {
    /// The most bytes in a file.
    ///
    /// Only a single line that is longer makes a longer file.
    public var maximumBytes: Int?

    /// The length of the periods of which each has a file of its own, in whole milliseconds, counted from 1970 in UTC.
    ///
    /// The file changes with the first line of a new period. A clock that is set back begins a new file too.
    ///
    /// - Precondition: A period is at least a millisecond long.
    public var period: Duration? {
        get { periodMilliseconds.map { .milliseconds($0) } }
        set { periodMilliseconds = newValue.map(Self.milliseconds) }
    }

    private(set) var periodMilliseconds: Int64?

    /// A policy; nil where a limit does not apply.
    ///
    /// - Precondition: Limits are at least a byte and a millisecond.
    public init(maximumBytes: Int? = nil, period: Duration? = nil) {
        precondition((maximumBytes ?? 1) >= 1, "a file holds at least a byte")
        self.maximumBytes = maximumBytes
        periodMilliseconds = period.map(Self.milliseconds)
    }

    private static func milliseconds(_ period: Duration) -> Int64 {
        precondition(period >= .milliseconds(1), "a period is at least a millisecond long")
        return period.wholeMilliseconds
    }

    /// One file for ever.
    public static let never = RotationPolicy()
    /// A file for each hour in UTC, none longer than the limit in bytes.
    public static func hourly(maximumBytes: Int? = nil) -> RotationPolicy {
        RotationPolicy(maximumBytes: maximumBytes, period: .seconds(3600))
    }
    /// A file for each day in UTC, none longer than the limit in bytes.
    public static func daily(maximumBytes: Int? = nil) -> RotationPolicy {
        RotationPolicy(maximumBytes: maximumBytes, period: .seconds(86_400))
    }
}

/// Which rotated files are kept.
///
/// The oldest go first; the file that is being written always stays.
///
/// Applied when the log is opened and after each rotation. Only files that carry the writer's own names are ever deleted.
///
/// ```swift
/// var configuration = AuditLogWriter.Configuration()
/// configuration.retention = RetentionPolicy(maximumFiles: 30)
/// ```
public struct RetentionPolicy: Hashable, Sendable {
    /// The most rotated files kept.
    public var maximumFiles: Int?
    /// The most bytes that the rotated files may hold together.
    public var maximumBytes: Int64?
    /// The time for which a file is kept after its rotation, in whole milliseconds.
    public var maximumAge: Duration?

    /// A policy; nil where a limit does not apply.
    public init(maximumFiles: Int? = nil, maximumBytes: Int64? = nil, maximumAge: Duration? = nil) {
        self.maximumFiles = maximumFiles
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
    }

    /// No file is ever deleted.
    public static let everything = RetentionPolicy()
}
