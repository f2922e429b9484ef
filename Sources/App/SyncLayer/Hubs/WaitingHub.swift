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
