import ConflictAudit
import Observation
import SyncModel
import SyncSystem

/// Waits until an observer of what is read is told of a change, which the other closure brings about.
///
/// Bound tests that use it by a time limit.
@MainActor
func change(of read: @MainActor () -> Void, when act: @MainActor () -> Void) async {
    await withCheckedContinuation { continuation in
        withObservationTracking {
            read()
        } onChange: {
            continuation.resume()
        }
        act()
    }
}

extension AuditEvent {
    /// A step of a sync.
    static func sync(
        _ phase: SyncActivity.Phase, _ state: SyncActivity.State, at milliseconds: Int64 = 0, error: String? = nil
    ) -> AuditEvent {
        AuditEvent(
            at: milliseconds,
            .sync(SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .zero, error: error)))
    }

    /// A merged batch.
    static func merged(version: Int, at milliseconds: Int64 = 0) -> AuditEvent {
        AuditEvent(at: milliseconds, .remoteChange(RemoteChange(changes: 1, refreshVersion: version)))
    }
}

/// A value that closures on any thread may change.
final class Shared<Value: Sendable>: Sendable {
    private let stored: Locked<Value>

    init(_ value: Value) { stored = Locked(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
