import SyncModel
import SyncSystem

/// Sleep that ends when it is told to.
///
/// ```swift
/// let sleep = ManualSleep()
/// configuration.sleep = sleep.sleep
/// sleep.wake()
/// ```
///
/// Thread-safe.
public final class ManualSleep: Sendable {
    private struct Sleeper {
        let duration: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var nextNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Sleep in which nobody lies yet.
    public init() {}

    /// Sleeps until woken; throws `CancellationError` where the task is cancelled.
    public func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = state.withLock { state in
                    state.sleepers[number] = Sleeper(duration: duration, continuation: continuation)
                    defer { state.watchers = [] }
                    return state.watchers
                }
                for watcher in watchers { watcher.resume() }
                // The handler may have run before there was anything to take out.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// How long those who sleep meant to, in the order in which they fell asleep.
    public var sleeping: [Duration] {
        state.withLock { $0.sleepers.sorted { $0.key < $1.key }.map(\.value.duration) }
    }

    /// Waits until somebody sleeps.
    public func somebodySleeps() async {
        await withCheckedContinuation { continuation in
            let isAsleep = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isAsleep { continuation.resume() }
        }
    }

    /// Wakes all who sleep.
    public func wake() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers
        }
        for sleeper in sleepers.values { sleeper.continuation.resume() }
    }

    private func cancel(_ number: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
}
