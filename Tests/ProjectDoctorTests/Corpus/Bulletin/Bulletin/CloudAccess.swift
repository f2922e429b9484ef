import CloudKit
import Security

/// CloudKit, where this build was signed for it.
struct CloudAccess {
    let database: CKDatabase

    /// Nil without the entitlement: a container would raise an exception.
    init?() {
        guard let task = SecTaskCreateFromSelf(nil),
            SecTaskCopyValueForEntitlement(task, "com.apple.developer.icloud-services" as CFString, nil) != nil
        else { return nil }
        database = CKContainer(identifier: "iCloud.org.example.bulletin").privateCloudDatabase
    }
}
