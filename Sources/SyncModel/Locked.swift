#if TSAN
    // The thread sanitizer does not know the futex that `Mutex` waits on and reports races that are none. It does know pthread's.
    import Glibc

    /// A value that one thread at a time may look at.
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

        package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
            unsafe pthread_mutex_lock(mutex)
            defer { unsafe pthread_mutex_unlock(mutex) }
            return try body(&value)
        }
    }
#else
    import Synchronization

    /// A value that one thread at a time may look at.
    ///
    /// Call nothing from inside that might lock again.
    package final class Locked<Value: ~Copyable>: Sendable {
        private let mutex: Mutex<Value>

        package init(_ value: consuming sending Value) {
            mutex = Mutex(value)
        }

        package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
            try mutex.withLock(body)
        }
    }
#endif
