import CoreData
import Foundation
import SwiftDataAdapter
import SyncMonitoring
import Testing

extension SwiftDataTests {
    /// An app does nothing for it.
    @Suite struct AccountTests {
        private static func missing(_ constant: String) -> NSError {
            NSError(
                domain: NSCocoaErrorDomain, code: 134400,
                userInfo: [NSLocalizedFailureReasonErrorKey: "Unable to initialize without an iCloud account (\(constant))."])
        }

        private static let errors: [NSError] = [
            missing("CKAccountStatusNoAccount"), missing("CKAccountStatusRestricted"), NSError(domain: "CKErrorDomain", code: 9),
            NSError(domain: "outer", code: 1, userInfo: [NSUnderlyingErrorKey: NSError(domain: "CKErrorDomain", code: 9)]),
        ]

        @Test(arguments: errors) func aMissingAccountIsShownUntilThereIsOne(error: NSError) throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            let sync = device.audit.sync
            device.post(.setup, failing: error)
            #expect(sync.overallState == .noAccount)
            #expect(SyncPresentation(state: sync.overallState, isConnected: true).statusText == "Not signed in")
            // The mirroring tries again.
            device.post(.setup, failing: error)
            #expect(sync.overallState == .noAccount)
            device.post(.setup)
            #expect(sync.overallState == .idle)
            for phase in [NSPersistentCloudKitContainer.EventType.import, .export] { device.post(phase) }
            #expect(sync.overallState == .succeeded)
            // Signed out while the app runs.
            device.post(.export, failing: error)
            #expect(sync.overallState == .noAccount)
        }

        @Test func anotherFailureIsNoMissingAccount() throws {
            let device = try SwiftDataDevice("phone", .unstampedNote)
            for error in [
                NSError(domain: NSCocoaErrorDomain, code: 134400), NSError(domain: "CKErrorDomain", code: 25),
                Self.missing("CKAccountStatusTemporarilyUnavailable"),
            ] {
                device.post(.setup, failing: error)
                guard case .failed = device.audit.sync.overallState else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }
}
