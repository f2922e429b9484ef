#if canImport(CoreData)
    import Foundation
    import SyncMonitoring

    extension AccountStatus {
        /// What an error of the mirroring says of the account; nil where it is about something else.
        ///
        /// Without an account the setup fails, with a reason in which the name of CloudKit's constant is.
        init?(_ error: any Error) {
            var next: NSError? = error as NSError
            // An error may be wrapped, but not for ever.
            for _ in 0..<8 {
                guard let error = next else { return nil }
                if let status = AccountStatus(error) {
                    self = status
                    return
                }
                next = error.userInfo[NSUnderlyingErrorKey] as? NSError
            }
            return nil
        }

        private init?(_ error: NSError) {
            switch (error.domain, error.code) {
            // CKError.Code.notAuthenticated and accountTemporarilyUnavailable.
            case ("CKErrorDomain", 9): self = .noAccount
            case ("CKErrorDomain", 36): self = .temporarilyUnavailable
            case (NSCocoaErrorDomain, 134400):
                let reason = error.localizedFailureReason ?? error.localizedDescription
                guard let status = Self.constants.first(where: { reason.contains($0.name) })?.status else { return nil }
                self = status
            default: return nil
            }
        }

        private static let constants: [(name: String, status: AccountStatus)] = [
            ("CKAccountStatusNoAccount", .noAccount), ("CKAccountStatusRestricted", .restricted),
            ("CKAccountStatusTemporarilyUnavailable", .temporarilyUnavailable),
            ("CKAccountStatusCouldNotDetermine", .couldNotDetermine),
        ]
    }
#endif
