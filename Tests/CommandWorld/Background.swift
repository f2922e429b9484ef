import Foundation
import Synchronization

/// Work on a thread of its own.
///
/// Tasks share a few threads. One that waits on such a thread for another task may wait for ever, and holds up every other test meanwhile.
package final class Background<Value: Sendable>: Sendable {
    private enum State {
        case running([CheckedContinuation<Value, Never>])
        case done(Value)
    }

    private let state = Mutex<State>(.running([]))

    /// Starts some work.
    package init(_ work: @escaping @Sendable () -> Value) {
        Thread.detachNewThread {
            let value = work()
            let waiting = self.state.withLock { state -> [CheckedContinuation<Value, Never>] in
                guard case .running(let waiting) = state else { return [] }
                state = .done(value)
                return waiting
            }
            for continuation in waiting { continuation.resume(returning: value) }
        }
    }

    /// What came of it, as soon as it has ended.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    switch state {
                    case .done(let value): return value
                    case .running(let waiting):
                        state = .running(waiting + [continuation])
                        return nil
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

/// Waits until a condition holds, for as long as the test itself may take.
///
/// - Parameter pause: Between two looks.
package func wait(every pause: Duration = .milliseconds(5), until condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: pause) }
}
