import SyncModel
public import SyncMonitoring
import SyncSystem

/// An account whose status is set by hand.
///
/// ```swift
/// let account = ManualAccount(.available)
/// let monitor = AccountMonitor(provider: account)
/// account.set(.noAccount)
/// ```
///
/// Thread-safe.
public final class ManualAccount: AccountStatusProvider {
    private struct State {
        var answer: Result<AccountStatus, any Error>
        var nextNumber = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state: Locked<State>

    /// An account; available unless said otherwise.
    public init(_ status: AccountStatus = .available) {
        state = Locked(State(answer: .success(status)))
    }

    /// Sets the status and tells who listens.
    public func set(_ status: AccountStatus) { answer(.success(status)) }

    /// Makes looking up fail, and tells who listens.
    public func fail(_ error: some Error) { answer(.failure(error)) }

    /// The status, or the failure, that was set last.
    public func accountStatus() async throws -> AccountStatus {
        try state.withLock { $0.answer }.get()
    }

    /// Tells whenever the answer was set.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            return state.nextNumber
        }
        continuation.onTermination = { [state] _ in state.withLock { $0.listeners[number] = nil } }
        return stream
    }

    private func answer(_ answer: Result<AccountStatus, any Error>) {
        let listeners = state.withLock { state in
            state.answer = answer
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }
}
