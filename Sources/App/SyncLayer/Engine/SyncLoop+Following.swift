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
            let (start, metadata) = (ContinuousClock.now, try replica.currentMetadata())
            do {
                do {
                    if try await hub.waitForWrites(replica.nextPull(metadata, limit: 1), for: time) { try await sync() }
                } catch let error as SyncLayerError where error.code == .hubReplaced {
                    // Syncing heals it.
                    try await sync()
                }
                // A hub that does not wait, and one that has what it does not hand over, are not asked at once again.
                let hasCome = try replica.currentMetadata().cursor != metadata.cursor
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
