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
public final class SpaceAudits: Service {
    /// The name of the server's replica among the devices of a space; nobody else may have it.
    public static let device: DeviceID = "the server's audit"

    private struct Audit {
        let log: AuditLogWriter
        let wake: AsyncStream<Void>.Continuation
        let task: Task<Void, Never>
    }

    private let directory: String
    private let configuration: ReplicaConfiguration
    private let metrics: any MetricsFactory
    private let logger: Logger
    private let audits = Mutex<[SpaceName: Audit]>([:])

    /// - Parameters:
    ///   - directory: Where each space has a store and a folder with its log, without values unless the configuration's sink says otherwise.
    ///   - configuration: How the apps merge and what is audited.
    ///   - metrics: What counts conflicts, as `hub_conflicts_total` by space and severity.
    public init(
        directory: String, configuration: ReplicaConfiguration = ReplicaConfiguration(), metrics: any MetricsFactory, logger: Logger
    ) {
        (self.directory, self.configuration, self.metrics, self.logger) = (directory, configuration, metrics, logger)
    }

    /// Looks at what is new in a space, soon.
    public func look(at space: SpaceName, _ hub: SQLiteHub) throws {
        try audits.withLock { audits in
            if audits[space] == nil { audits[space] = try begin(space, hub) }
            audits[space]?.wake.yield()
        }
    }

    private func begin(_ space: SpaceName, _ hub: SQLiteHub) throws -> Audit {
        let log = try AuditLogWriter(directory: "\(directory)/\(space)", source: Self.device)
        var configuration = configuration
        configuration.sink = BroadcastingAuditSink([log, ConflictCounter(space: space, metrics: metrics)])
        // A conflict is not forgotten before its line is on the disk.
        configuration.flushSink = { if !log.flush() { throw LogBehind() } }
        let replica = try Replica(
            device: Self.device, store: SQLiteStore(path: "\(directory)/\(space).sqlite"), configuration: configuration)
        let engine = SyncEngine(replica: replica, hub: hub)
        let (signals, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [logger] in
            for await _ in signals {
                do { try await engine.sync() } catch { logger.error("the audit of \(space) stands still: \(error)") }
            }
            _ = log.flush()
        }
        return Audit(log: log, wake: wake, task: task)
    }

    private struct LogBehind: Error {}

    /// Audits until the server stops, and then what is left.
    public func run() async throws {
        try? await gracefulShutdown()
        let audits = audits.withLock { Array($0.values) }
        for audit in audits { audit.wake.finish() }
        for audit in audits { await audit.task.value }
    }
}

/// Counts conflicts for a dashboard.
private struct ConflictCounter: AuditSink {
    let space: SpaceName
    let metrics: any MetricsFactory

    func record(_ event: AuditEvent) {
        guard case .conflict(let conflict) = event.content, conflict.resolution != .restored else { return }
        let dimensions = [("space", "\(space)"), ("severity", conflict.severity.rawValue)]
        Counter(label: "hub_conflicts_total", dimensions: dimensions, factory: metrics).increment()
    }
}
