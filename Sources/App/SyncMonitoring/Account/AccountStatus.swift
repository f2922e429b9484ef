/// The status of the iCloud account to sync with.
///
/// ```swift
/// if account.status == .noAccount { print("sign in to sync") }
/// ```
///
/// The raw values are written to the log.
public enum AccountStatus: String, Hashable, Sendable, CaseIterable {
    /// There is one, and it can be used.
    case available
    /// Nobody is signed in.
    case noAccount
    /// Someone is signed in, and is not allowed to sync.
    case restricted
    /// It is not known.
    case couldNotDetermine
    /// There is one, and it cannot be used for now.
    case temporarilyUnavailable
}

/// A source of the status of the iCloud account.
///
/// ```swift
/// struct SignedIn: AccountStatusProvider {
///     func accountStatus() async throws -> AccountStatus { .available }
/// }
/// ```
public protocol AccountStatusProvider: Sendable {
    /// Looks the status up.
    ///
    /// - Throws: What kept it from being looked up. Where it was looked up and stayed open, ``AccountStatus/couldNotDetermine`` is the
    ///   answer.
    func accountStatus() async throws -> AccountStatus

    /// Tells, from the call on, whenever the status may have changed. A stream that ends at once where nothing of the kind is known.
    func changes() -> AsyncStream<Void>
}

extension AccountStatusProvider {
    /// A stream that ends at once: nothing tells of changes.
    public func changes() -> AsyncStream<Void> {
        AsyncStream { $0.finish() }
    }
}
