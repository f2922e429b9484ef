#if canImport(CloudKit)
    public import CloudKit
    import Foundation
    import SyncMonitoring
    public import SyncObservation

    /// Tells an observer of the iCloud account, for a Core Data or SwiftData store: there, nobody says when the account is another one.
    ///
    /// The mirroring removes the records of an account that is no longer signed in. The observer is then told that the store is empty: what
    /// waited to be exported is gone, and the next account's records replace nothing. An account is known by the identifier of its user
    /// record, which has to be kept for the next start, since accounts may be switched while the app does not run.
    ///
    /// ```swift
    /// let account = CloudKitAccountObserver(
    ///     observer: observer, container: .default(), lastUser: defaults.string(forKey: "user"), keepUser: { defaults.set($0, forKey: "user") })
    /// Task { await account.run() }
    /// ```
    public actor CloudKitAccountObserver {
        private let observer: SyncObserver
        private let container: CKContainer
        private let keepUser: @Sendable (String?) -> Void
        private let fails: @Sendable (any Error) -> Void
        private var user: String?
        private var status: AccountStatus?
        private var checksBegun = 0
        private var lastCheckTaken = 0

        /// An observer that has not looked yet.
        ///
        /// - Parameters:
        ///   - observer: Is told.
        ///   - container: The container whose account it is.
        ///   - lastUser: The user's identifier as it was given to be kept; nil at the first start.
        ///   - keepUser: Keeps the user's identifier for the next start; nil where nobody is signed in.
        ///   - fails: Gets what CloudKit or the observer throws.
        public init(
            observer: SyncObserver, container: CKContainer, lastUser: String?, keepUser: @escaping @Sendable (String?) -> Void,
            fails: @escaping @Sendable (any Error) -> Void = { _ in }
        ) {
            self.observer = observer
            self.container = container
            user = lastUser
            self.keepUser = keepUser
            self.fails = fails
        }

        /// Looks now, and again at every `CKAccountChanged`, until the task is cancelled.
        public func run() async {
            let changes = CloudKitAccount(container: container).changes()
            await check()
            for await _ in changes { await check() }
        }

        /// Looks once.
        ///
        /// A status or a user that cannot be looked up changes nothing but the status that is reported. Where several checks overlap, the
        /// one begun last counts.
        public func check() async {
            checksBegun += 1
            let number = checksBegun
            let found: AccountStatus
            var foundUser: String?
            do {
                found = try await CloudKitAccount(container: container).accountStatus()
                if found == .available { foundUser = try await container.userRecordID().recordName }
            } catch {
                fails(error)
                return
            }
            guard number > lastCheckTaken else { return }
            lastCheckTaken = number
            if found != status || (foundUser != nil && foundUser != user) {
                status = found
                observer.accountChanged(found)
            }
            // Only these two say who is signed in.
            if found == .available || found == .noAccount { apply(foundUser) }
        }

        private func apply(_ newUser: String?) {
            guard newUser != user else { return }
            do {
                if user != nil { try observer.storeEmptied() }
                user = newUser
                keepUser(newUser)
            } catch {
                fails(error)
            }
        }
    }
#endif
