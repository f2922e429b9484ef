#if canImport(CloudKit)
    public import CloudKit
    import Foundation
    public import SyncMonitoring
    import SyncObservationFoundation

    /// The iCloud account as a container sees it.
    ///
    /// ```swift
    /// let account = AccountMonitor(provider: CloudKitAccount(container: .default()), sink: log)
    /// ```
    ///
    /// Thread-safe.
    public struct CloudKitAccount: AccountStatusProvider {
        private let container: CKContainer

        /// The account of a container.
        public init(container: CKContainer) { self.container = container }

        /// Asks the system.
        public func accountStatus() async throws -> AccountStatus {
            switch try await container.accountStatus() {
            case .available: .available
            case .noAccount: .noAccount
            case .restricted: .restricted
            case .temporarilyUnavailable: .temporarilyUnavailable
            default: .couldNotDetermine
            }
        }

        /// Tells of every `CKAccountChanged`.
        public func changes() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let registration = NotificationRegistration(.CKAccountChanged) { _ in continuation.yield() }
            // Kept as long as the stream is.
            continuation.onTermination = { _ in withExtendedLifetime(registration) {} }
            return stream
        }
    }
#endif
