import CoreMetrics
import Logging
import ServiceLifecycle
import SyncAudit
import SyncHTTP
import Synchronization

/// The audit of each space: a replica of the server's own, which writes nothing, and a log of the conflicts that it finds.
///
/// It merges by the app's rules, which are to be the same here as on every device. What it knows is in a store, so that a server that was
/// stopped goes on where it was, and a conflict is counted once.
///
/// It also has the hub let go of what no device needs any more, where that is wanted: each such write goes into the log first, with its
/// values, and is then there and nowhere else.
public final class SpaceAudits: Service {
    /// The name of the server's replica among the devices of a space; nobody else may have it.
    public static let device: DeviceID = "the server's audit"

    private struct Audit {
        let wake: AsyncStream<Void>.Continuation
        let task: Task<Void, Never>
    }

    private let directory: String
    private let configuration: ReplicaConfiguration
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let compactionInterval: Duration?
    private let audits = Mutex<[SpaceName: Audit]>([:])

    /// - Parameters:
    ///   - directory: Where each space has a store and a folder with its log; without values, unless the hub lets go of writes.
    ///   - configuration: How the apps merge and what is audited.
    ///   - metrics: What counts conflicts, as `hub_conflicts_total` by space and severity, and writes that were let go of, as
    ///     `hub_compacted_total`.
    ///   - compactionInterval: How long to wait at least between two compactions of a space; nil to keep every write in the hub for good.
    public init(
        directory: String, configuration: ReplicaConfiguration = ReplicaConfiguration(), metrics: any MetricsFactory, logger: Logger,
        compactionInterval: Duration? = nil
    ) {
        (self.directory, self.configuration, self.metrics, self.logger) = (directory, configuration, metrics, logger)
        self.compactionInterval = compactionInterval
    }

    /// Begins to audit a space; an audit that cannot be made says so in the server's log and holds up nobody.
    public func begin(_ space: SpaceName, _ hub: SQLiteHub) {
        audits.withLock { $0[space] = audit(space, hub) }
        look(at: space)
    }

    /// Looks at what is new in a space, soon.
    public func look(at space: SpaceName) { audits.withLock { _ = $0[space]?.wake.yield() } }

    /// Why a call may not be made, whoever makes it; nil where it may.
    public static func refusal(of call: HubCall) -> HubAccess? {
        call.device == device ? .forbidden("\(device) is the server's own name") : nil
    }

    private func audit(_ space: SpaceName, _ hub: SQLiteHub) -> Audit {
        let (signals, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [self] in
            var opened: Opened?
            for await _ in signals {
                do {
                    if opened == nil, try await hub.devices().contains(where: { $0.device == Self.device }) {
                        // One of an earlier version gave back writes, and everybody has waited for it since.
                        try await hub.forget(Self.device)
                    }
                    let audit = try opened ?? open(space, hub)
                    opened = audit
                    try await audit.engine.sync()
                    if isTimeToCompact(audit) {
                        opened?.compacted = .now
                        try await compact(space, hub, audit)
                    }
                } catch {
                    logger.error("the audit of \(space) stands still: \(error)")
                }
            }
            _ = opened?.log.flush()
        }
        return Audit(wake: wake, task: task)
    }

    /// An audit that is under way.
    private struct Opened {
        let replica: Replica
        let engine: SyncEngine
        let log: AuditLogWriter
        /// When the hub was last asked to let go of writes.
        var compacted: ContinuousClock.Instant?
    }

    private func isTimeToCompact(_ audit: Opened) -> Bool {
        guard let compactionInterval else { return false }
        return audit.compacted.map { $0.duration(to: .now) >= compactionInterval } ?? true
    }

    /// Has the hub let go of what no device needs any more.
    private func compact(_ space: SpaceName, _ hub: SQLiteHub, _ audit: Opened) async throws {
        do {
            let done = try await audit.replica.compact(hub)
            Counter(label: "hub_compacted_total", dimensions: [("space", "\(space)")], factory: metrics).increment(by: done.compacted)
            if done.compacted > 0 {
                logger.info("\(space): let go of \(done.compacted) writes, which are in the log \(directory)/\(space)")
            }
        } catch let error as SyncLayerError where [.rulesDiffer, .hubReplaced].contains(error.code) {
            // The audit goes on, and looks again when it is time.
            logger.warning("\(space): nothing is let go of: \(error)")
        }
    }

    private func open(_ space: SpaceName, _ hub: SQLiteHub) throws -> Opened {
        var form = AuditLogWriter.Configuration()
        if compactionInterval != nil {
            // What the hub lets go of is nowhere else.
            (form.values, form.retention, form.maximumValueBytes) = (.full, .everything, .max)
            (form.maximumQueuedBytes, form.maximumQueuedLines) = (1 << 28, .max)
        }
        let log = try AuditLogWriter(directory: "\(directory)/\(space)", source: Self.device, configuration: form)
        var configuration = configuration
        configuration.sink = BroadcastingAuditSink([log, ConflictCounter(space: space, metrics: metrics)])
        // A conflict is not forgotten before its line is on the disk.
        let dropped = DroppedLines()
        configuration.flushSink = {
            let isFlushed = log.flush()
            if dropped.haveGrown(to: log.statistics.linesDropped) || !isFlushed { throw LogBehind() }
        }
        let replica = try Replica(
            device: Self.device, store: SQLiteStore(path: "\(directory)/\(space).sqlite"), configuration: configuration)
        return Opened(replica: replica, engine: SyncEngine(replica: replica, hub: ReadingHub(hub)), log: log)
    }

    private struct LogBehind: Error {}

    /// How many lines a log has dropped.
    private final class DroppedLines: Sendable {
        private let count = Mutex(0)

        /// Whether more have been dropped since the last time: those are not in the log.
        func haveGrown(to lines: Int) -> Bool {
            count.withLock { count in
                defer { count = lines }
                return lines > count
            }
        }
    }

    /// Audits until the server stops.
    public func run() async throws {
        try? await gracefulShutdown()
        let audits = audits.withLock { Array($0.values) }
        for audit in audits {
            audit.wake.finish()
            audit.task.cancel()
        }
        for audit in audits { await audit.task.value }
    }
}

/// Counts conflicts for a dashboard.
private struct ConflictCounter: AuditSink {
    let space: SpaceName
    let metrics: any MetricsFactory

    func record(_ event: AuditEvent) {
        guard case .conflict(let conflict) = event.content, ![.restored, .manualResolved].contains(conflict.resolution) else { return }
        let dimensions = [("space", "\(space)"), ("severity", conflict.severity.rawValue)]
        Counter(label: "hub_conflicts_total", dimensions: dimensions, factory: metrics).increment()
    }
}
