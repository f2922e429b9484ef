import Foundation
import Synchronization

/// Work on a thread of its own.
///
/// A task would wait for a thread that the test itself blocks.
final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Value) {
        Thread.detachNewThread {
            let value = work()
            self.result.withLock { $0 = value }
            self.done.signal()
        }
    }

    /// Waits for the end of the work; nil where it takes longer than two minutes.
    func value() -> Value? {
        _ = done.wait(timeout: .now() + 120)
        return result.withLock { $0 }
    }
}
