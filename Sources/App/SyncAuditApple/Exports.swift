// One import for an app on SwiftData or Core Data: the audits of both, the observer of a CKSyncEngine, the views, the logs and the
// monitors.

@_exported public import AuditLog
@_exported public import AuditSystemLog
@_exported public import ConflictAudit
@_exported public import SyncModel
@_exported public import SyncMonitoring
@_exported public import SyncObservation
@_exported public import SyncObservationCloudKit
@_exported public import SyncObservationCoreData
@_exported public import SyncObservationSwiftData
@_exported public import SyncObservationUI
