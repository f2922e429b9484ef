public import ConflictAudit
public import Observation
public import SyncModel

/// A monitor of the iCloud account's status, for the app's views and for the log.
///
/// ```swift
/// let account = AccountMonitor(provider: provider, sink: monitor)
/// await account.check()
/// ```
///
/// Changes go to the sink as `account` events; where a ``SyncMonitor`` is among its sinks, it shows them.
@MainActor
@Observable
public final class AccountMonitor {
    /// What the last check found; nil before the first.
    public private(set) var status: AccountStatus?

    @ObservationIgnored private let provider: any AccountStatusProvider
    @ObservationIgnored private let sink: (any AuditSink)?
    @ObservationIgnored private let wallClock: WallClock
    @ObservationIgnored private var checksBegun = 0
    @ObservationIgnored private var lastCheckTaken = 0

    /// A monitor that has not looked yet.
    ///
    /// - Parameters:
    ///   - provider: Knows the status.
    ///   - sink: Where changes are reported, the first status included.
    ///   - wallClock: Dates the reports.
    public init(provider: some AccountStatusProvider, sink: (any AuditSink)? = nil, wallClock: @escaping WallClock = systemWallClock) {
        self.provider = provider
        self.sink = sink
        self.wallClock = wallClock
    }

    /// Looks once, when the app starts for instance.
    ///
    /// A status that cannot be looked up counts as ``AccountStatus/couldNotDetermine``, and is reported as a failed import as well, with
    /// the reason: nothing can be fetched for an account that cannot be reached. Where several checks overlap, the one begun last counts.
    public func check() async {
        checksBegun += 1
        let number = checksBegun
        let found: AccountStatus
        var failure: String?
        do {
            found = try await provider.accountStatus()
        } catch is CancellationError {
            return
        } catch {
            found = .couldNotDetermine
            failure = "the account's status could not be looked up: \(error)"
        }
        guard number > lastCheckTaken else { return }
        lastCheckTaken = number
        if found != status {
            status = found
            record(.account(status: found.rawValue))
        }
        if let failure {
            record(.sync(SyncActivity(phase: .import, state: .failed, writes: 0, bytes: 0, duration: .zero, error: failure)))
        }
    }

    /// Looks now, and again whenever the provider says that something may have changed, until the task is cancelled or the provider ends.
    public func run() async {
        // Listening begins before the first look: what changes in between is not missed.
        let changes = provider.changes()
        await check()
        for await _ in changes { await check() }
    }

    private func record(_ content: AuditEvent.Content) {
        sink?.record(AuditEvent(at: wallClock(), content))
    }
}
