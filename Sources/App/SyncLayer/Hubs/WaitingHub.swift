import SyncModel

/// A hub that can tell when it has writes for a device, so that the device need not ask again and again.
///
/// ```swift
/// let following = Task { try await loop.follow(hub) }
/// ```
public protocol WaitingHub: Hub {
    /// Waits until there are writes behind a cursor, other than the device's own.
    ///
    /// - Parameters:
    ///   - request: As for ``Hub/pull(_:)``.
    ///   - time: How long to wait at most; a hub may wait less.
    /// - Returns: Whether there are.
    /// - Throws: What ``Hub/pull(_:)`` throws, and `CancellationError`.
    func waitForWrites(_ request: PullRequest, for time: Duration) async throws -> Bool
}

extension SyncLoop {
    /// Waits at a hub for other devices' writes, and syncs when there are some, until the task is cancelled.
    ///
    /// Run it while the app is in the foreground. A hub that cannot be reached is tried again, after a wait that grows.
    ///
    /// - Parameters:
    ///   - hub: The hub of the loop's engine.
    ///   - time: How long to wait at the hub at a time.
    /// - Throws: `CancellationError`; and what no later attempt would be without: ``SyncLayerError/Code/deviceForgotten``,
    ///   ``SyncLayerError/Code/rulesDiffer`` and ``SyncLayerError/Code/notAllowed``.
    public func follow(_ hub: some WaitingHub, for time: Duration = .seconds(25)) async throws {
        var failures = 0
        while true {
            try Task.checkCancellation()
            let (start, cursor) = (ContinuousClock.now, try replica.currentMetadata().cursor)
            do {
                do {
                    if try await hub.waitForWrites(try replica.nextPull(limit: 1), for: time) { try await sync() }
                } catch let error as SyncLayerError where error.code == .hubReplaced {
                    // Syncing heals it.
                    try await sync()
                }
                // A hub that does not wait, and one that has what it does not hand over, are not asked at once again.
                let hasCome = try replica.currentMetadata().cursor != cursor
                if hasCome || ContinuousClock.now - start > .seconds(1) { failures = 0 } else { failures += 1 }
            } catch {
                if error is CancellationError || (error as? SyncLayerError)?.endsRetries ?? false { throw error }
                failures += 1
            }
            if failures == 0 { continue }
            let delay = configuration.backoff.delay(afterFailures: failures, random: configuration.random())
            try await configuration.sleep(.milliseconds(delay))
        }
    }
}

extension Replica {
    /// What the replica asks a hub for next.
    func nextPull(limit: Int) throws -> PullRequest {
        let metadata = try currentMetadata()
        return PullRequest(
            device: metadata.writer, cursor: metadata.cursor, ownSequence: ownSequence(metadata), limit: limit, position: metadata.position)
    }
}
