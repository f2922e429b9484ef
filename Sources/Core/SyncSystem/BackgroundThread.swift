/// A thread that runs one function, none of the app's signal handlers, and is waited for.
@safe
package final class BackgroundThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    #if canImport(Darwin)
        // Sound: it never changes, and all that is done with it is `pthread_join`, which any other thread may do.
        private nonisolated(unsafe) let handle: pthread_t
    #else
        private let handle: pthread_t
    #endif

    /// Starts the thread; nil where the system gives no more.
    package init?(_ run: @escaping @Sendable () -> Void) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        // Signals of the app, and the one for a file that may not grow, which is an error of `write` here.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if canImport(Darwin)
            var thread: pthread_t?
            let result = unsafe pthread_create(&thread, nil, { unsafe BackgroundThread.run($0) }, body.toOpaque())
            guard result == 0, let thread = unsafe thread else {
                unsafe body.release()
                return nil
            }
            unsafe handle = thread
        #else
            var thread = pthread_t()
            let result = unsafe pthread_create(&thread, nil, { unsafe BackgroundThread.run($0) }, body.toOpaque())
            guard result == 0 else {
                unsafe body.release()
                return nil
            }
            handle = thread
        #endif
    }

    /// Waits for the function's end.
    ///
    /// Called once, from another thread.
    package func join() {
        #if canImport(Darwin)
            unsafe pthread_join(handle, nil)
        #else
            pthread_join(handle, nil)
        #endif
    }

    /// The pointer is optional in some headers, in those of Apple's by the version of their importer.
    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
