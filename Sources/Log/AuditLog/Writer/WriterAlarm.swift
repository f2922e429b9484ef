import SyncModel
import SyncSystem

/// Tells the background thread when there is something to do.
///
/// The thread sleeps in `poll(2)` on a pipe, for ever while there is nothing.
final class WriterAlarm: Sendable {
    private struct State {
        var isStopped = false
        var isUrgent = false
        /// Something has to be done, but not before the delay is over.
        var hasWork = false
        var isFailing = false
        var delay: Int32
    }

    private let usualDelay: Int32
    private let flushes: Bool
    private let syncs: Bool
    private let state: Locked<State>
    private let ends: (read: Int32, write: Int32)

    /// Whether there is anything for a thread to do.
    var isNeeded: Bool { flushes || syncs }

    init(_ configuration: AuditLogWriter.Configuration) throws(AuditLogError) {
        var delays: [Int] = []
        if case .interval(let milliseconds) = configuration.flush.trigger { delays.append(milliseconds) }
        if case .interval(let milliseconds) = configuration.sync.trigger {
            delays.append(milliseconds)
            syncs = true
        } else {
            syncs = false
        }
        flushes = configuration.flush != .onDemand
        usualDelay = Int32(clamping: delays.min() ?? 1000)
        state = Locked(State(delay: usualDelay))
        var descriptors: [Int32] = [-1, -1]
        guard unsafe descriptors.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) == 0 else {
            throw AuditLogError(.inputOutput, "the log's writer cannot be started: \(Errno.last.sentence)")
        }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            // A full pipe must not stop the app, an empty one not the thread.
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        ends = (descriptors[0], descriptors[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// There are lines to be written: after the delay, or at once.
    func ring(isUrgent: Bool) {
        let isNews = state.withLock { state in
            let isUrgent = isUrgent && !state.isFailing
            defer {
                state.hasWork = true
                state.isUrgent = state.isUrgent || isUrgent
            }
            return !state.hasWork || isUrgent && !state.isUrgent
        }
        if isNews { signal() }
    }

    /// Resets the alarm after an attempt to write: what is left to do, and the wait before the next attempt where the disk refused.
    func reset(delay: Int64, hasLines: Bool, needsSync: Bool) {
        state.withLock { state in
            state.isFailing = delay > 0
            state.delay = delay > 0 ? Int32(clamping: delay) : usualDelay
        }
        if hasLines && flushes || needsSync && syncs { ring(isUrgent: false) }
    }

    /// Ends ``wait()``.
    func stop() {
        state.withLock { $0.isStopped = true }
        signal()
    }

    /// Waits until there is something to do; false when the thread is to end.
    func wait() -> Bool {
        while true {
            let delay = state.withLock { $0.isStopped || $0.isUrgent ? 0 : $0.hasWork ? $0.delay : -1 }
            var request = [pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)]
            let isTimeOut = unsafe request.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 1, delay) } == 0
            drainPipe()
            let answer = state.withLock { state -> Bool? in
                if state.isStopped { return false }
                guard state.isUrgent || state.hasWork && isTimeOut else { return nil }
                state.isUrgent = false
                state.hasWork = false
                return true
            }
            if let answer { return answer }
        }
    }

    private func signal() {
        let byte: [UInt8] = [0]
        _ = unsafe byte.withUnsafeBytes { unsafe write(ends.write, $0.baseAddress, 1) }
    }

    private func drainPipe() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe bytes.withUnsafeMutableBytes({ unsafe read(ends.read, $0.baseAddress, $0.count) }) > 0 {}
    }
}
