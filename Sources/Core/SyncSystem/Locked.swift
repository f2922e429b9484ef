/// A value that one thread at a time may look at.
///
/// Call nothing from inside that might lock again. `Synchronization.Mutex` is not there before macOS 15 and iOS 18, and the thread
/// sanitizer does not know what it waits on.
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // Sound: `value` is reached only inside `withLock`, between lock and unlock of `mutex`, which is allocated once and freed last.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe precondition(pthread_mutex_init(mutex, nil) == 0, "a mutex can be made")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
