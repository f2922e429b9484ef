#if canImport(CloudKit)
    public import CloudKit
    import Foundation
    public import SyncMonitoring

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
            let registration = Registration(
                NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) { _ in continuation.yield() })
            continuation.onTermination = { _ in registration.end() }
            return stream
        }

        private final class Registration: @unchecked Sendable {
            // Sound: it is set once, and the notification center takes it back from any thread.
            private let token: any NSObjectProtocol

            init(_ token: any NSObjectProtocol) { self.token = token }

            func end() { NotificationCenter.default.removeObserver(token) }
        }
    }
#endif
