import SyncModel
public import SyncMonitoring
import SyncSystem

/// A network that is switched by hand.
///
/// ```swift
/// let network = ManualNetwork(.connected(.wifi))
/// let monitor = NetworkMonitor(provider: network)
/// network.switchTo(.disconnected)
/// ```
///
/// Thread-safe.
public final class ManualNetwork: NetworkStatusProvider {
    private struct State {
        var status: NetworkStatus
        var failure: SyncMonitoringError?
        var nextNumber = 0
        var observers: [Int: @Sendable (NetworkStatus) -> Void] = [:]
    }

    private let state: Locked<State>

    /// A network; connected by wifi unless said otherwise.
    public init(_ status: NetworkStatus = .connected(.wifi)) {
        state = Locked(State(status: status))
    }

    /// Switches, and tells every observer, whether that is news or not.
    ///
    /// Calls from several threads at once reach observers in no certain order.
    public func switchTo(_ status: NetworkStatus) {
        let observers = state.withLock { state in
            state.status = status
            return state.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in observers { observer(status) }
    }

    /// Makes every later observation fail to start; nil to let them start again.
    public func failToStart(_ error: SyncMonitoringError?) {
        state.withLock { $0.failure = error }
    }

    /// Who observes it at the moment.
    package var observers: Int { state.withLock { $0.observers.count } }

    /// Reports the status before it returns, and then every switch.
    public func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
        let (status, number) = try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.nextNumber += 1
            state.observers[state.nextNumber] = report
            return (state.status, state.nextNumber)
        }
        report(status)
        return NetworkObservation { [state] in state.withLock { $0.observers[number] = nil } }
    }
}
