// One import for an app: the replica and its stores, the rules of merging, the audit, the log and the monitors. Its front page is
// `OneImport.md` among those of the command.

@_exported public import AuditLog
@_exported public import ConflictAudit
@_exported public import SyncLayer
@_exported public import SyncMerge
@_exported public import SyncModel
@_exported public import SyncMonitoring
@_exported public import SyncRecords
