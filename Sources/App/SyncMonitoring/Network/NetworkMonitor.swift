public import ConflictAudit
public import Observation
public import SyncModel
import SyncSystem

/// Shows whether there is a network and what it runs over, for an app's views, and reports changes to the log.
///
/// Until the first report it supposes that there is one: an app that says "offline" for a moment at every start would be wrong more often.
///
/// Thread-safe; observers are told on the main actor, as by ``SyncMonitor``.
///
/// ```swift
/// let network = NetworkMonitor(provider: SystemNetwork(), sink: log)
/// try network.start()
/// ```
@Observable
public final class NetworkMonitor: Sendable {
    private struct Content {
        var status = NetworkStatus.connected(.unknown)
        var hasReport = false
        /// Numbers the starts, so that a late report of an earlier one is known for what it is.
        var starts = 0
        var isRunning = false
        var observation: NetworkObservation?
    }

    @ObservationIgnored private let content = Locked(Content())
    @ObservationIgnored private let provider: any NetworkStatusProvider
    @ObservationIgnored private let sink: (any AuditSink)?
    @ObservationIgnored private let wallClock: WallClock

    /// A monitor that has not started yet.
    ///
    /// - Parameters:
    ///   - provider: Knows the status. `SystemNetwork` reads the system's own, where there is one for the platform.
    ///   - sink: Where changes are reported as `network` events, the first status included.
    ///   - wallClock: Dates the reports.
    public init(provider: some NetworkStatusProvider, sink: (any AuditSink)? = nil, wallClock: @escaping WallClock = systemWallClock) {
        self.provider = provider
        self.sink = sink
        self.wallClock = wallClock
    }

    /// How things stand.
    public var status: NetworkStatus {
        access(keyPath: \.status)
        return content.withLock { $0.status }
    }

    /// Whether there is a network.
    public var isConnected: Bool { status.isConnected }

    /// What the network runs over; ``ConnectionType/unknown`` where there is none.
    public var connectionType: ConnectionType { status.connectionType }

    /// Begins to follow the network.
    ///
    /// Where it does already, nothing changes.
    ///
    /// - Throws: What keeps the provider from knowing. The monitor then shows what it did before, and can be started again.
    public func start() throws {
        let number: Int? = content.withLock { content in
            guard !content.isRunning else { return nil }
            content.isRunning = true
            content.starts += 1
            return content.starts
        }
        guard let number else { return }
        do {
            let observation = try provider.observe { [weak self] status in self?.apply(status, start: number) }
            let isWanted = content.withLock { content in
                guard content.isRunning, content.starts == number else { return false }
                content.observation = observation
                return true
            }
            if !isWanted { observation.cancel() }
        } catch {
            content.withLock { content in
                if content.starts == number { content.isRunning = false }
            }
            throw error
        }
    }

    /// Stops following the network.
    ///
    /// What was known last stays.
    public func stop() {
        let observation = content.withLock { content in
            content.isRunning = false
            defer { content.observation = nil }
            return content.observation
        }
        observation?.cancel()
    }

    private func apply(_ status: NetworkStatus, start: Int) {
        let (isNews, isChange) = content.withLock { content in
            guard content.isRunning, content.starts == start else { return (false, false) }
            let isChange = status != content.status
            let isNews = isChange || !content.hasReport
            content.status = status
            content.hasReport = true
            return (isNews, isChange)
        }
        if isNews {
            let (word, interface) = status.isConnected ? ("connected", status.connectionType.rawValue) : ("disconnected", nil)
            sink?.record(AuditEvent(at: wallClock(), .network(status: word, interface: interface)))
        }
        if isChange {
            // Observers of a monitor that is gone have nothing left to read.
            Task { @MainActor [weak self] in self?.withMutation(keyPath: \.status) {} }
        }
    }
}
