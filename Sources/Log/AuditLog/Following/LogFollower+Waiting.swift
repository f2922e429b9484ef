import SyncModel
import SyncSystem

extension LogFollower {
    /// Waits until something may have changed, and at most a second: not every file system tells of changes.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most, in whole milliseconds.
    ///   - readable: Descriptors that end the waiting when they can be read. Negative ones are left out.
    ///   - closed: Descriptors of pipes that end the waiting when nobody reads them any more. Negative ones are left out.
    /// - Returns: Those of the descriptors that have ended it.
    @discardableResult
    public borrowing func wait(atMost limit: Duration = .seconds(1), readable: [Int32] = [], closed: [Int32] = []) -> [Int32] {
        var all = [pollfd(fd: notifier.descriptor, events: Int16(POLLIN), revents: 0)]
        all += readable.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Errors and hang-ups are told without being asked for.
        all += closed.map { pollfd(fd: $0, events: 0, revents: 0) }
        let time = isBehind ? 0 : max(0, min(Int(clamping: limit.wholeMilliseconds), notifier.longestWait))
        let count = unsafe poll(&all, nfds_t(all.count), Int32(time))
        // A signal has come instead: the caller looks again.
        guard count > 0 else { return [] }
        return all.dropFirst().filter { $0.revents != 0 }.map(\.fd)
    }
}
