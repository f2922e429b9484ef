public import ConflictAudit

/// The configuration of a sync engine.
///
/// ```swift
/// var configuration = SyncConfiguration()
/// configuration.writesPerPull = 100
/// let engine = SyncEngine(replica: replica, hub: hub, configuration: configuration)
/// ```
public struct SyncConfiguration: Sendable {
    /// Writes fetched and merged in one transaction at most; 1 or more.
    public var writesPerPull = 500

    /// The wait after a failure.
    public var backoff = Backoff()

    /// Draws a number evenly from 0 up to 1, for the jitter.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Waits for a time; throws where the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The defaults.
    public init() {}
}

/// A report of a sync.
///
/// ```swift
/// let report = try await engine.sync()
/// print(report.pushed, "writes pushed,", report.pulled, "pulled")
/// ```
public struct SyncReport: Hashable, Sendable {
    /// The writes that the hub took.
    public internal(set) var pushed = 0
    /// The writes that were fetched.
    public internal(set) var pulled = 0
    /// The writes that were set aside.
    public internal(set) var setAside: [SetAsideWrite] = []
    /// The hub's writes that no replica can merge and every one passes over.
    public internal(set) var skipped: [SkippedWrite] = []
    /// The writes whose timestamps lay too far ahead to move this device's clock; see ``Replica``.
    public internal(set) var writesTooFarAhead = 0
    /// The deleted records that every device had seen deleted and that were forgotten.
    public internal(set) var collectedTombstones = 0
    /// The measurement of this device's clock against the hub's.
    public internal(set) var clock: ClockMeasurement?
    /// The replica's checkpoint at the end; nil while writes are set aside, for then the replica differs from the others by right.
    public internal(set) var checkpoint: Checkpoint?
}
