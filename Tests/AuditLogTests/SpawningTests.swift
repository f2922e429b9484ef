import ChildProcess
import Foundation
import Testing

@Suite struct SpawningTests {
    /// Threads of libraries block signals, and a program that inherits that cannot be ended.
    @Test func noSignalIsBlockedInAProgram() {
        var (blocked, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&blocked)
        unsafe sigaddset(&blocked, SIGTERM)
        #expect(unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(ChildProcess.run(["sh", "-c", "kill -TERM $$; exit 7"]).status == 128 + SIGTERM)
    }
}
