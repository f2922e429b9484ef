import AuditAnalysis
import ConflictAudit

/// The state of sync on one device, as far as its log tells.
struct LiveDevice {
    /// How many devices are kept at most.
    static let limit = 1_000

    private(set) var lastSync: (milliseconds: Int64, activity: SyncActivity)?
    private(set) var lastSuccess: Int64?
    private(set) var failures = 0
    private(set) var network: String?
    private(set) var account: String?
    private(set) var outbox: OutboxStatus?
    /// When anything was told last.
    private(set) var latest = Int64.min

    /// Records what an event tells of the sync.
    mutating func observe(_ event: AuditEvent) {
        latest = max(latest, event.milliseconds)
        switch event.content {
        case .sync(let activity):
            if let last = lastSync, last.milliseconds > event.milliseconds { break }
            lastSync = (event.milliseconds, activity)
            if activity.state == .succeeded { lastSuccess = event.milliseconds }
            if activity.state == .failed, !activity.wasCancelled { failures += 1 }
        case .network(let status, _): network = EventText.name(status)
        case .account(let status): account = EventText.name(status)
        case .outbox(let status): outbox = status
        default: break
        }
    }

    /// Whether an event is about the sync itself.
    static func tells(_ event: AuditEvent) -> Bool {
        switch event.content {
        case .sync, .network, .account, .outbox: true
        default: false
        }
    }

    /// Whether something is wrong that a person should look at.
    var isFailing: Bool {
        if let lastSync, lastSync.activity.state == .failed, !lastSync.activity.wasCancelled { return true }
        return outbox.map { $0.isOverWarningLevel || $0.setAside > 0 } ?? false
    }
}
