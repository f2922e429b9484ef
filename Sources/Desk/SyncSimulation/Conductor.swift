import SyncLayer
import SyncModel
import SyncSystem

/// Lets one task run at a time, and only until it waits for the world, so that a run depends on nothing but its seed.
///
/// Thread-safe.
final class Conductor: Sendable {
    /// Why a task has given way.
    enum Pause: Sendable {
        /// It has asked the hub for something.
        case calling(@Sendable (any Hub) async -> Void)
        /// It waits for a number of milliseconds.
        case sleeping(Int64)
        /// It is done.
        case finished(Result<SyncReport, any Error>)
    }

    private struct State {
        /// Whoever let the running task run.
        var waiting: CheckedContinuation<Pause, Never>?
        /// The tasks that wait, by the number of their program's run.
        var paused: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Locked(State())

    /// Starts a task and waits until it gives way or is done.
    ///
    /// - Parameter start: Starts a task that ends with ``finish(_:)``.
    func run(_ start: () -> Void) async -> Pause {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting = continuation }
            start()
        }
    }

    /// Lets a paused task go on, or fails what it waits for, and waits until it gives way again.
    func resume(_ run: Int, throwing failure: (any Error)? = nil) async -> Pause {
        let paused = state.withLock { $0.paused.removeValue(forKey: run) }
        return await self.run {
            if let failure { paused?.resume(throwing: failure) } else { paused?.resume() }
        }
    }

    /// Gives way, until somebody calls ``resume(_:throwing:)``.
    func pause(_ run: Int, _ pause: Pause) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let waiting = state.withLock { state in
                state.paused[run] = continuation
                return state.waiting.take()
            }
            waiting?.resume(returning: pause)
        }
    }

    /// Ends a task.
    func finish(_ result: Result<SyncReport, any Error>) {
        let waiting = state.withLock { $0.waiting.take() }
        waiting?.resume(returning: .finished(result))
    }
}
